"""The installed script, in a process of its own: statuses, streams, pipes, terminals."""

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.cli.conftest import RUN, SCRIPT

STATUSES = {
    "passes": (["match", "run.json", '["search", "weather", "book"]'], 0),
    "differs": (["match", "run.json", '["search"]'], 1),
    "shows": (["show", "run.json"], 0),
    "checks": (["check", "run.json", "--max-tool-calls", "1"], 1),
    "no file": (["match", "no.json", "[]"], 2),
    "no JSON": (["show", "broken.json"], 2),
    "too deep": (["show", "deep.json"], 2),
    "binary": (["show", "binary.json"], 2),
    "a wrong option": (["match", "run.json", "[]", "--mode", "exat"], 2),
    "no command": (["nothing"], 2),
}


@pytest.fixture(autouse=True)
def broken_files(folder):
    (folder / "broken.json").write_text('[{"role": "user"')
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "binary.json").write_bytes(bytes(range(256)))


@pytest.mark.parametrize(("arguments", "status"), STATUSES.values(), ids=STATUSES)
def test_the_status_says_what_became_of_it(script, arguments, status):
    done = script(*arguments)
    assert done.returncode == status, done.stderr
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") == (status == 2)
    assert (done.stdout == b"") == (status == 2)


def test_standard_input_is_read(script):
    done = script("match", "-", '["search", "weather", "book"]', input=json.dumps(RUN).encode())
    assert (done.returncode, done.stderr) == (0, b"")


def test_standard_output_that_is_no_terminal_has_no_colours(script):
    done = script("match", "run.json", "expected.json", env={"TERM": "xterm-256color"})
    assert b"\x1b" not in done.stdout


def test_a_pipe_that_is_closed_early_is_quiet(folder):
    text = json.dumps([{"role": "user", "content": "x" * 50}] * 20_000)
    (folder / "long.json").write_text(text)
    command = [SCRIPT, "show", "long.json"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_an_interrupt_is_quiet(folder):
    os.mkfifo(folder / "endless.json")
    command = [SCRIPT, "show", "endless.json"]
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # who runs the tests may ignore it
    )
    with process, open(folder / "endless.json", "wb"):  # which waits until somebody reads it
        process.send_signal(signal.SIGINT)
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    assert process.returncode == 130


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
def test_a_full_disk_is_an_error(folder):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [SCRIPT, "show", "run.json"], cwd=folder, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr == b"trajmatch: the answer cannot be written: No space left on device\n"


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_any_encoding_of_the_output_will_do(script, encoding):
    done = script("show", "run.json", env={"PYTHONIOENCODING": encoding})
    assert (done.returncode, done.stderr) == (0, b"")
    assert "✓".encode(encoding, "backslashreplace") in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
@pytest.mark.parametrize(
    ("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)], ids=str
)
def test_a_terminal_gets_colours_unless_it_wants_none(folder, env, coloured):
    out = _in_terminal(folder, ["match", "run.json", "expected.json"], env, 70)
    assert (b"\x1b[" in out) == coloured
    assert b"near miss" in out


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_the_width_is_that_of_the_terminal(folder):
    lines = _in_terminal(folder, ["show", "run.json"], {"NO_COLOR": "1"}, 44).decode().splitlines()
    assert len(max(lines, key=len)) in range(40, 45)


def _in_terminal(folder, arguments, env, columns):
    """What the script writes to a terminal of so many columns."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    more = {"TERM": "xterm-256color"} | env
    with subprocess.Popen([SCRIPT, *arguments], cwd=folder, env=clean | more, stdout=theirs, stderr=theirs):
        os.close(theirs)
        found = b""
        while part := _read(ours):
            found += part
    os.close(ours)
    return found


def _read(terminal):
    try:
        return os.read(terminal, 65_536)
    except OSError:  # what Linux says at the end
        return b""


LOADED = {
    "--version": ["trajmatch", "rich.console", "pydantic", "yaml"],
    "show run.json": ["rich.console", "pydantic", "yaml", "deepdiff"],
    "match run.json run.json": ["rich.console", "pydantic", "yaml", "deepdiff"],
}


@pytest.mark.parametrize(("arguments", "heavy"), LOADED.items(), ids=LOADED)
def test_nothing_is_loaded_that_is_not_needed(folder, arguments, heavy):
    code = f"""if True:
        import sys
        from trajmatch_adapters.cli import main
        main({arguments.split()!r})
        print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)"""
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
