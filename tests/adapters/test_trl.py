"""The reward function under the real trainer of TRL, on the CPU, without a network: a small model says what it is told.

Everything but the model's words is the trainer's: it parses the calls, runs the tools, asks for rewards, and trains.
"""

import os
import re
from pathlib import Path

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"  # read when the libraries are imported

import torch
from datasets import Dataset
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen3_chat_template

from trajmatch import ConversionError
from trajmatch_adapters.rewards import tagged_calls, trajectory_reward

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")  # of transformers, about itself
PAGE = Path(__file__).parents[2] / "docs" / "rewards.md"
TAGS = [f"<{end}{tag}>" for tag in ("think", "tool_call", "tool_response") for end in ("", "/")]
SEARCH = '<tool_call>\n{"name": "search", "arguments": {"query": "%s"}}\n</tool_call>'
SAID = [SEARCH % "lamp", SEARCH % "lamp" + "\n" + SEARCH % "desk", "There is none.", '<tool_call>\n{"name": "sea']
LAMP = '[{"name": "search", "arguments": {"query": "lamp"}}]'


def characters():
    """A tokenizer of single bytes."""
    alphabet = {letter: at for at, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab=alphabet, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    tokenizer.add_tokens([AddedToken(tag, special=False) for tag in TAGS])
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    fast.chat_template = qwen3_chat_template
    return fast


class Scripted(Qwen3ForCausalLM):
    """A model that answers a question with the next of its lines, and a result with `Done.`."""

    def generate(self, input_ids, **options):
        asked = [text.split("<|im_start|>user")[-1] for text in self.tokenizer.batch_decode(input_ids)]
        said = ["Done." if "<tool_response>" in text else SAID[at % len(SAID)] for at, text in enumerate(asked)]
        ended = [f"{text}<|im_end|>" for text in said]
        answers = self.tokenizer(ended, padding=True, padding_side="right", return_tensors="pt")
        return torch.cat([input_ids, answers["input_ids"]], dim=1)


def small(kind, tokenizer):
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "head_dim": 8}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1}
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id, "bos_token_id": None}
    model = kind(Qwen3Config(vocab_size=len(tokenizer), max_position_embeddings=4096, **sizes, **heads, **ends))
    model.tokenizer = tokenizer
    return model


def options(folder, tokenizer, **more):
    batch = {"per_device_train_batch_size": 4, "num_generations": 4, "max_steps": 1, "max_completion_length": 512}
    quiet = {"report_to": [], "logging_steps": 1, "save_strategy": "no", "disable_tqdm": True}
    args = GRPOConfig(output_dir=str(folder), use_cpu=True, bf16=False, **{**batch, **quiet, **more})
    return {"args": args, "processing_class": tokenizer}


def asking(expected, prompt=None):
    return Dataset.from_list(
        [{"prompt": prompt or [{"role": "user", "content": "Find a lamp."}], "expected": expected}]
    )


def logged(trainer):
    trainer.train()
    return trainer.state.log_history[0]


@pytest.fixture
def page():
    """The names of the block of the page that trains."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names = {}
    exec(next(block for block in blocks if "GRPOTrainer" in block), names)
    return names


def test_the_trainer_of_the_page_logs_our_rewards_of_runs_with_real_calls(page, tmp_path):
    page["rows"][1:] = []
    tokenizer = characters()
    model = small(Scripted, tokenizer)
    before = [weights.clone() for weights in model.parameters()]
    log = logged(page["trainer"](model, **options(tmp_path, tokenizer)))
    assert log["tools/call_frequency"] == 0.75  # three calls in four runs
    assert log["rewards/trajectory_reward/mean"] == pytest.approx((1 + 2 / 3 + 0 + 0) / 4)
    assert log["trajectory_reward/unreadable"] == 0.25
    assert any((weights != old).any() for weights, old in zip(model.parameters(), before, strict=True))


def test_the_trainer_hands_over_messages_without_the_prompt(page, tmp_path):
    seen, tokenizer = [], characters()
    reward = trajectory_reward()

    def watched(completions, **columns):
        seen.extend(zip(completions, reward(completions=completions, **columns), strict=True))
        return [worth for _, worth in seen]

    trainer = GRPOTrainer(
        model=small(Scripted, tokenizer),
        reward_funcs=watched,
        train_dataset=asking(LAMP),
        tools=[page["search"]],
        **options(tmp_path, tokenizer),
    )
    trainer.train()
    assert [worth for _, worth in seen] == [1.0, pytest.approx(2 / 3), 0.0, 0.0]
    assert [[message["role"] for message in completion] for completion, _ in seen] == [
        ["assistant", "tool", "assistant"],
        ["assistant", "tool", "tool", "assistant"],
        ["assistant"],
        ["assistant"],
    ]
    assert seen[3][0][0]["content"] == SAID[3]


def test_several_rewards_and_rows_without_an_expectation(tmp_path):
    tokenizer = characters()
    calls = trajectory_reward(name="calls", read=tagged_calls, unreadable=-1.0)
    unparsed = trajectory_reward(name="unparsed", unreadable=-1.0)
    other = trajectory_reward(name="other", expected="other")
    trainer = GRPOTrainer(
        model=small(Scripted, tokenizer),
        reward_funcs=[calls, unparsed, other],
        train_dataset=asking(LAMP).add_column("other", [None]),
        **options(tmp_path, tokenizer),
    )
    log = logged(trainer)
    assert log["rewards/calls/mean"] == pytest.approx((1 + 2 / 3 + 0 - 1) / 4)
    assert log["rewards/unparsed/mean"] == -3 / 4  # without tools the trainer parses no calls
    assert log["unparsed/unreadable"] == 3 / 4
    assert log["rewards/other/mean"] is None  # it does not apply


def test_completions_that_are_text_are_read_in_their_tags(tmp_path):
    tokenizer = characters()
    trainer = GRPOTrainer(
        model=small(Scripted, tokenizer),
        reward_funcs=trajectory_reward(read=tagged_calls),
        train_dataset=asking(LAMP, prompt="Find a lamp."),
        **options(tmp_path, tokenizer),
    )
    assert logged(trainer)["rewards/trajectory_reward/mean"] == pytest.approx((1 + 2 / 3 + 0 + 0) / 4)


def test_a_model_that_says_anything_calls_nothing(tmp_path):
    tokenizer = characters()
    trainer = GRPOTrainer(
        model=small(Qwen3ForCausalLM, tokenizer),
        reward_funcs=trajectory_reward(),
        train_dataset=asking("[]"),
        **options(tmp_path, tokenizer, max_completion_length=16),
    )
    assert logged(trainer)["rewards/trajectory_reward/mean"] == 1.0


FAULTS = {
    "a broken expectation": ('["search"', "Find", r"row 0 \('Find'\): expected: it is text, and no JSON"),
    "text that nothing reads": (LAMP, "Find", "row 0 .* a run is a list of messages or calls"),
    "a nested column": ([{"name": "a", "arguments": {"x": None}}], "Find", "row 0 .*JSON text"),
}


@pytest.mark.parametrize(("expected", "prompt", "text"), FAULTS.values(), ids=FAULTS)
def test_what_is_no_fault_of_the_model_stops_the_training(expected, prompt, text, tmp_path):
    tokenizer = characters()
    trainer = GRPOTrainer(
        model=small(Scripted, tokenizer),
        reward_funcs=trajectory_reward(),
        train_dataset=asking(expected, prompt=prompt),
        **options(tmp_path, tokenizer),
    )
    with pytest.raises(ConversionError, match=text):
        trainer.train()
