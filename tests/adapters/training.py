"""Trains a small model with TRL, on the CPU, without a network, and writes as JSON what was logged and handed over.

The model says what it is told; all else is the trainer's: it parses the calls, runs the tools, asks for rewards, and
trains. It is a process of its own, since PyTorch takes half a gigabyte and starts threads.
"""

import json
import os
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ["HF_HUB_OFFLINE"] = "1"  # read when the libraries are imported

import torch
from datasets import Dataset
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen3_chat_template

from trajmatch import ConversionError
from trajmatch_adapters.rewards import tagged_calls, trajectory_reward

PAGE = Path(__file__).parents[2] / "docs" / "rewards.md"
TAGS = [f"<{end}{tag}>" for tag in ("think", "tool_call", "tool_response") for end in ("", "/")]
SEARCH = '<tool_call>\n{"name": "search", "arguments": {"query": "%s"}}\n</tool_call>'
SAID = [SEARCH % "lamp", SEARCH % "lamp" + "\n" + SEARCH % "desk", "There is none.", '<tool_call>\n{"name": "sea']
LAMP = '[{"name": "search", "arguments": {"query": "lamp"}}]'
BATCH = {"per_device_train_batch_size": 4, "num_generations": 4, "max_steps": 1}
QUIET = {"report_to": [], "logging_steps": 1, "save_strategy": "no", "disable_tqdm": True}


def bytes_alone():
    """A tokenizer that has a token for each byte."""
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
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1, "max_position_embeddings": 4096}
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id, "bos_token_id": None}
    model = kind(Qwen3Config(vocab_size=len(tokenizer), **sizes, **heads, **ends))
    model.tokenizer = tokenizer
    return model


def trained(make=GRPOTrainer, kind=Scripted, longest=512, **given):
    """What was logged, and whether the model has changed; or the error."""
    tokenizer = bytes_alone()
    model = small(kind, tokenizer)
    before = [weights.clone() for weights in model.parameters()]
    with TemporaryDirectory() as folder:
        args = GRPOConfig(folder, use_cpu=True, bf16=False, max_completion_length=longest, **BATCH, **QUIET)
        trainer = make(model=model, args=args, processing_class=tokenizer, **given)
        try:
            trainer.train()
        except ConversionError as error:
            return {"error": str(error)}
    learned = any((weights != old).any() for weights, old in zip(model.parameters(), before, strict=True))
    return {**trainer.state.log_history[0], "learned": learned}


def asking(expected, prompt=None, **columns):
    question = prompt or [{"role": "user", "content": "Find a lamp."}]
    return Dataset.from_list([{"prompt": question, "expected": expected, **columns}])


def names_of_the_page():
    """The names of the block of the page that trains."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names = {}
    exec(next(block for block in blocks if "GRPOTrainer" in block), names)
    names["rows"][1:] = []
    return names


def seen_by_the_function():
    seen, reward = [], trajectory_reward()

    def watched(completions, **columns):
        found = reward(completions=completions, **columns)
        seen.extend(zip(completions, found, strict=True))
        return found

    trained(reward_funcs=watched, train_dataset=asking(LAMP), tools=[names_of_the_page()["search"]])
    return seen


def of_several():
    rewards = [
        trajectory_reward(name="calls", read=tagged_calls, unreadable=-1.0),
        trajectory_reward(name="unparsed", unreadable=-1.0),
        trajectory_reward(name="other", expected="other"),
    ]
    return trained(reward_funcs=rewards, train_dataset=asking(LAMP, other=None))


def of_ours(*asked, read=None, **more):
    return trained(reward_funcs=trajectory_reward(read=read), train_dataset=asking(*asked), **more)


if __name__ == "__main__":
    found = {
        "page": trained(names_of_the_page()["trainer"]),
        "seen": seen_by_the_function(),
        "several": of_several(),
        "text": of_ours(LAMP, "Find a lamp.", read=tagged_calls),
        "any words": of_ours("[]", kind=Qwen3ForCausalLM, longest=16),
        "broken": of_ours('["search"', "Find"),
        "unread text": of_ours(LAMP, "Find"),
        "nested": of_ours([{"name": "a", "arguments": {"x": None}}], "Find"),
    }
    Path(sys.argv[1]).write_text(json.dumps(found), encoding="utf-8")
