"""What the plugin adds to the start of pytest: processor time of an empty session, with it and without, in turn.

Run it as `python tests/benchmarks/pytest_start.py [rounds]`.
"""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

WITHOUT, WITH = ["-p", "no:trajmatch"], []
SESSION = """
import contextlib, io, sys, time, pytest
began = time.process_time()
with contextlib.redirect_stdout(io.StringIO()):
    pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]])
print(1000 * (time.process_time() - began))
"""


def milliseconds(options, folder):
    """The processor time of a session over one empty test, in a process of its own."""
    command = [sys.executable, "-c", SESSION, *options, folder]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1])


def main(rounds):
    """Print the quickest session of each, and the median of the differences within a round."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_empty.py").write_text("def test():\n    pass\n")
        turns = [(milliseconds(WITHOUT, folder), milliseconds(WITH, folder)) for _ in range(rounds)]
    without, with_it = zip(*turns, strict=True)
    print(f"quickest without {min(without):.1f} ms, with {min(with_it):.1f} ms")
    print(f"median of the differences {statistics.median(there - gone for gone, there in turns):.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
