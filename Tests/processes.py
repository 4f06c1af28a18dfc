"""What the scripts of the tests know of processes."""

import os
import pathlib
import signal


def family(pid):
    """A process and all that it has started, by their ids."""
    lists = [path.read_text() for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children")]
    return [pid] + [each for child in " ".join(lists).split() for each in family(int(child))]


def end(process):
    """Ends `swift test` and the process with the tests, which it does not end with itself."""
    for pid in family(process.pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()
