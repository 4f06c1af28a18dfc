"""Processes whose output is read, with the time at which it came, by a thread of its own."""

import os
import pty
import re
import signal
import subprocess
import tempfile
import threading
import time
import tty

LIMIT = 30
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
STARTED = []


class Output:
    """What came from a descriptor, and when."""

    def __init__(self, descriptor):
        self.text, self.times, self.ended = "", [], False
        self.changed = threading.Condition()
        threading.Thread(target=self.read, args=(descriptor,), daemon=True).start()

    def read(self, descriptor):
        while True:
            try:
                chunk = os.read(descriptor, 65536)
            except OSError:  # a terminal whose other end is closed
                chunk = b""
            now = time.monotonic()
            with self.changed:
                self.text += chunk.decode(errors="replace")
                self.times.append((len(self.text), now))
                self.ended = not chunk
                self.changed.notify_all()
            if not chunk:
                return os.close(descriptor)

    def whole(self):
        """Waits for the end, which may be read later than the process has ended; returns all that came."""
        with self.changed:
            self.changed.wait_for(lambda: self.ended, LIMIT)
            return self.text

    def expect(self, wanted, whole=True):
        """Waits for a line with this text; returns when its end came, or the text's if it need not be whole; and it."""
        pattern = re.compile(".*" + re.escape(wanted) + (".*\n" if whole else ""))
        with self.changed:
            self.changed.wait_for(lambda: pattern.search(self.text) or self.ended, LIMIT)
            found = pattern.search(self.text)
            if not found:
                raise SystemExit(f"waited for {wanted!r}, and came: {self.text!r}")
            return next(moment for length, moment in self.times if length >= found.end()), found[0].rstrip("\n")


class Process:
    """A started command. With a terminal, that is its input and its stderr."""

    # Whether the memory of those that are started now is measured, by time(1): a process that was forked from us counts our
    # memory as its own, one that was forked from a small program does not.
    weighs = False

    def __init__(self, command, environment=None, terminal=False):
        self.report = tempfile.NamedTemporaryFile() if Process.weighs else None
        if self.report:
            # Behind what enters a host, which makes no process of its own.
            place = command.index("--") + 1
            command = [
                *command[:place], "/usr/bin/time", "--quiet", "--format", "%M", "--output", self.report.name,
                *command[place:]]
        self.command = command
        upper, lower = pty.openpty() if terminal else (None, subprocess.DEVNULL)
        if terminal:
            tty.setraw(upper)  # what is typed does not come back
        self.terminal = upper
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            command, env=ENVIRONMENT | (environment or {}), stdin=lower, stdout=subprocess.PIPE,
            stderr=lower if terminal else subprocess.PIPE)
        STARTED.append(self)
        if terminal:
            os.close(lower)
        self.output = Output(os.dup(self.process.stdout.fileno()))
        self.errors = Output(upper if terminal else os.dup(self.process.stderr.fileno()))
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()
        self.usage = None

    def finish(self, status=0):
        """Waits for its end, which must be with this status; then `usage` and `ended` are there."""
        timer = threading.Timer(LIMIT, os.kill, (self.process.pid, signal.SIGKILL))
        timer.start()
        _, code, self.usage = os.wait4(self.process.pid, 0)
        self.ended = time.monotonic()
        timer.cancel()
        self.process.returncode = os.waitstatus_to_exitcode(code)
        STARTED.remove(self)
        if self.process.returncode != status:
            raise SystemExit(f"{self.command} ended with {self.process.returncode}: {self.errors.text}")
        return self

    def kill(self):
        self.process.kill()
        self.process.wait()
        STARTED.remove(self)

    @property
    def cpu(self):
        """Seconds of CPU, its own and of processes it waited for."""
        return self.usage.ru_utime + self.usage.ru_stime

    @property
    def peak(self):
        """The most resident memory in KiB, its own or of the largest process it waited for. Only where that is measured."""
        return int(self.report.read())


def kill_all():
    for process in list(STARTED):
        process.kill()
