"""The application as a whole: statuses, errors in one line, colours, what is loaded."""

import io
import os
import sys

import pytest

import trajmatch
from trajmatch_adapters.cli import _answer, _app, _show, main
from trajmatch_adapters.cli._answer import Answer
from trajmatch_adapters.cli._options import complete_format, complete_written


def _fails_with(monkeypatch, error):
    def history(source):
        raise error

    monkeypatch.setattr(_show, "history", history)


def test_the_version_is_that_of_the_library(command):
    assert command("--version") == (0, f"trajmatch {trajmatch.__version__}\n", "")


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help_names_every_command(command, arguments):
    status, out, err = command(*arguments)
    assert (status, err) == (0, "")
    listed = out.partition("Commands:")[2].split("\n")
    assert [line.split()[0] for line in listed if line.strip()] == [*_app.COMMANDS]


@pytest.mark.parametrize("name", _app.COMMANDS)
def test_every_command_has_help_that_is_not_cut(command, name):
    assert command(name, "--help")[0] == 0
    assert "..." not in command("--help")[1].partition("Commands:")[2]


WRONG_USE = {
    "an unknown command": (["shw"], "No such command 'shw'. Did you mean 'show'? See trajmatch --help"),
    "an unknown option": (["show", "run.json", "--ful"], "No such option: --ful"),
    "its help": (["show", "run.json", "--ful"], "See trajmatch show --help"),
    "a missing file": (["show"], "Missing argument 'FILE'. See trajmatch show --help"),
    "a number": (["show", "runs.jsonl", "--line", "x"], "Invalid value for '--line': 'x' is not a valid int"),
}


@pytest.mark.parametrize(("arguments", "text"), WRONG_USE.values(), ids=WRONG_USE)
def test_a_wrong_use_is_said_in_one_line(command, arguments, text):
    status, out, err = command(*arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("trajmatch: ")
    assert text in err


def test_an_error_disturbs_no_terminal(command):
    err = command("show", "a\x1b[2J\u202e\n\nb.json")[2]
    assert err == "trajmatch: a\\x1b[2J\\u202e\\n\\nb.json: it cannot be read: No such file or directory\n"


def test_a_fault_of_the_library_is_one_line_too(command, monkeypatch):
    _fails_with(monkeypatch, KeyError("x"))
    assert command("show", "run.json") == (2, "", "trajmatch: KeyError: 'x'; trajmatch --debug COMMAND shows where\n")


def test_debug_shows_where_an_error_was_raised_and_keeps_the_status(command):
    status, out, err = command("--debug", "show", "no.json")
    assert (status, out) == (2, "")
    assert err.startswith("Traceback") and "ConversionError" in err


def test_an_interrupt_has_the_status_of_shells(command, monkeypatch):
    _fails_with(monkeypatch, KeyboardInterrupt())
    status, out, err = command("show", "run.json")
    assert (status, out, "Traceback" in err) == (130, "", False)


def test_an_interrupt_while_printing_has_it_too(command, monkeypatch):
    def put(answer):
        raise KeyboardInterrupt

    monkeypatch.setattr(_app, "put", put)
    assert command("show", "run.json") == (130, "", "")


def test_a_closed_pipe_is_quiet(folder, monkeypatch):
    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

        def fileno(self):
            return file.fileno()

    with open(folder / "out", "w", encoding="utf-8") as file:
        monkeypatch.setattr(sys, "stdout", Closed())
        assert main(["show", "run.json"]) == 141
        assert os.path.samestat(os.fstat(file.fileno()), os.stat(os.devnull))


def test_a_closed_output_is_an_error(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["show", "run.json"]) == 2
    assert capsys.readouterr().err == "trajmatch: the answer cannot be written: the standard output is closed\n"


def test_a_closed_error_stream_leaves_the_status(folder, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["show", "no.json"]) == 2


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_the_extra_the_command_says_what_to_install(monkeypatch, capsys, missing):
    for name in [name for name in sys.modules if name.split(".")[0] == missing or "adapters.cli." in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    assert main(["show", "run.json"]) == 2
    assert capsys.readouterr().err == f"trajmatch: {missing} is not installed; pip install 'trajmatch[cli]'\n"


def test_another_module_that_is_missing_is_no_matter_of_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "trajmatch_adapters.cli._app", None)
    with pytest.raises(ModuleNotFoundError):
        main([])


def test_the_arguments_are_those_of_the_process_by_default(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["trajmatch", "--version"])
    assert (main(), capsys.readouterr().out) == (0, f"trajmatch {trajmatch.__version__}\n")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def _printed(monkeypatch, env):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"TERM": "xterm-256color"} | env).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    _answer.put(Answer([[("[b]one[/b] :smile: ", "failed"), ("two", "no such style")], [], [("x" * 300, "")]]))
    return terminal.getvalue()


def test_a_terminal_gets_colours(monkeypatch):
    out = _printed(monkeypatch, {})
    assert out.startswith("\x1b[31m[b]one[/b] :smile: \x1b[0mtwo\n\n")
    assert "x" * 300 in out


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_a_terminal_that_wants_none_gets_no_colours(monkeypatch, env):
    assert _printed(monkeypatch, env) == f"[b]one[/b] :smile: two\n\n{'x' * 300}\n"


def test_an_empty_no_color_is_none(monkeypatch):
    assert "\x1b[31m" in _printed(monkeypatch, {"NO_COLOR": ""})


def test_signs_that_cannot_be_written_are_escaped(monkeypatch):
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    _answer.put(Answer([[("✓ done", "succeeded")]]))
    assert out.buffer.getvalue() == b"\\u2713 done\n"


@pytest.mark.parametrize(("columns", "width"), [("120", 120), ("10", 40), ("", 100)])
def test_the_width_is_that_of_the_terminal(monkeypatch, columns, width):
    monkeypatch.setenv("COLUMNS", columns)
    assert _answer.width() == width


def test_formats_are_completed():
    assert complete_format("o") == [name for name in complete_format("") if name.startswith("o")] != []
    assert {"langchain", "openai", "pydantic_ai"} <= {*complete_format("")}


def test_formats_that_are_written_are_completed():
    assert complete_written("") == ["anthropic", "langchain", "openai", "pydantic_ai"]
    assert complete_written("open") == ["openai"]


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        (["trajmatch", "match", "run.json", "--mode", "in"], ["in_order"]),
        (["trajmatch", "match", "run.json", "--calls", ""], ["all", "succeeded"]),
        (["trajmatch", "match", "run.json", "--args", "su"], ["subset", "superset"]),
        (["trajmatch", "show", "run.json", "--format", "openai_"], ["openai_responses"]),
        (["trajmatch", "schema", "s"], ["structure"]),
        (["trajmatch", "convert", "run.json", "--to", ""], ["anthropic", "langchain", "openai", "pydantic_ai"]),
        (["trajmatch", "c"], ["check", "compare", "convert"]),
    ],
    ids=" ".join,
)
def test_a_shell_completes_words(script, asked, given):
    env = {"_TRAJMATCH_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(asked), "COMP_CWORD": str(len(asked) - 1)}
    assert script(env=env).stdout.decode().split() == given
