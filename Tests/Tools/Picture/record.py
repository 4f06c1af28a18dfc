"""record.py BUMP: records a bump between two people at their terminals, and writes what each terminal showed to stdout.

The output is JSON: the terminals, each with its columns, lines, and a list of [seconds, text]."""

import codecs
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

from hosts import Pair

COLUMNS, LINES = 66, 9
KEY = 0.07  # seconds between two keys
THOUGHT = 2.0  # seconds before an answer: a person compares the digits
END = 5.0  # seconds that the last picture stays
LIMIT = 90.0  # seconds for everything


class Terminal:
    """A person's terminal, with a shell on a host."""

    def __init__(self, host, name, bump):
        self.name, self.text, self.shown, self.keys = name, "", [], []
        self.asked = False
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        path = f"{pathlib.Path(bump).parent}:/usr/bin:/bin"
        shell = host.command(
            "env", "-i", "HOME=/run", f"PATH={path}", f"BUMP_NAME={name}", "LC_ALL=C.UTF-8", "TERM=xterm", "PS1=$ ",
            "bash", "--norc", "--noprofile", "--noediting", "-i")
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.execvp(shell[0], shell)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))

    def read(self, now):
        text = self.decoder.decode(os.read(self.file, 65536))
        self.text += text
        self.shown.append([round(now, 3), text])

    def type(self, text, at):
        """Presses the keys of a text one after another."""
        self.keys += [(at + number * KEY, key) for number, key in enumerate(text)]

    def press(self, now):
        while self.keys and self.keys[0][0] <= now:
            os.write(self.file, self.keys.pop(0)[1].encode())

    def answer(self, now):
        """Says yes, once, where a question is complete."""
        if not self.asked and re.search(r"\[y/n\] $", self.text):
            self.asked = True
            self.type("y\n", now + THOUGHT)

    @property
    def is_done(self):
        """Whether the shell waits for the next command behind the answer."""
        return self.asked and not self.keys and re.search(r"\n(\x1b\S*)?\$ $", self.text) is not None

    def end(self):
        os.kill(self.pid, signal.SIGHUP)
        os.close(self.file)
        os.waitpid(self.pid, 0)


def record(alice, bob):
    begin = time.monotonic()
    alice.type("bump send 1.00\n", 1.0)
    has_begun = False
    while not (alice.is_done and bob.is_done):
        now = time.monotonic() - begin
        if now > LIMIT:
            raise SystemExit(f"record.py: no end after {LIMIT} s\n{alice.text}\n{bob.text}")
        for terminal in (alice, bob):
            terminal.press(now)
            terminal.answer(now)
        if not has_begun and "Sending" in alice.text:
            has_begun = True
            bob.type("bump receive\n", now + 1.0)
        ready, _, _ = select.select([alice.file, bob.file], [], [], 0.02)
        for terminal in (alice, bob):
            if terminal.file in ready:
                terminal.read(time.monotonic() - begin)
    return time.monotonic() - begin + END


def main():
    pair = Pair(99, daemons=False)
    terminals = [Terminal(pair.left, "alice", sys.argv[1]), Terminal(pair.right, "bob", sys.argv[1])]
    try:
        seconds = record(*terminals)
    finally:
        for terminal in terminals:
            terminal.end()
        pair.end()
    json.dump(
        {
            "seconds": round(seconds, 3), "columns": COLUMNS, "lines": LINES,
            "terminals": [{"name": terminal.name, "shown": terminal.shown} for terminal in terminals],
        }, sys.stdout)


main()
