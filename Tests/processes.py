"""What the scripts of the tests know of processes."""

import os
import pathlib
import signal
import time


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


def is_running(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "XZ"


def remove_clocks(patience=0):
    """Removes the files of the tests' shared clocks whose processes were killed (`SetClock.swift` of Lab). The files are
    named by the id of their process.

    A process that is about to end has so many seconds for it.
    """
    end = time.monotonic() + patience
    while True:
        paths = list(pathlib.Path("/dev/shm").glob("*bump_clock_*"))
        left = [path for path in paths if is_running(path.name.rpartition("_")[2])]
        for path in paths:
            if path not in left:
                path.unlink(missing_ok=True)
        if not left or time.monotonic() >= end:
            return
        time.sleep(0.1)
