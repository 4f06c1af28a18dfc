"""make.py BINARY FILE: makes a claim store with an earlier release of bump, one claim in each state that it knew.

`of-0.1.0.sqlite` was made so, once, by the release build of commit 064c27b: the last before claims in flight had a state
of their own. It is kept as that program left it, and never made anew. Its claims expire a year
after, in November 2027.

Needs root, for a network of its own: `unshare --net sh -c 'ip link set lo up; python3 make.py BINARY FILE'`.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading

BINARY, FILE = sys.argv[1:]
HOME = pathlib.Path(tempfile.mkdtemp())
EXPIRY = ["--expires", "365d"]


def start(person, *arguments):
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(HOME), "BUMP_STORE": str(HOME / f"{person}.sqlite"), "BUMP_NAME": person,
        "LC_ALL": "C.UTF-8",
    }
    return subprocess.Popen(
        [BINARY, *arguments], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True)


def run(person, *arguments, status=0, text=""):
    process = start(person, *arguments)
    said, errors = process.communicate(text)
    assert process.returncode == status, (arguments, process.returncode, said, errors)
    return said


def send(person, amount, *arguments):
    """A sender, and the port at which it waits."""
    process = start(
        person, "send", "--amount", amount, "--discovery", "none", "--json", "--yes", "--discovery-timeout", "20", *EXPIRY,
        *arguments)
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == "advertising":
            return process, event["port"]
    raise SystemExit(process.stderr.read())


def receive(person, port, *arguments, status=0):
    return run(person, "receive", "--peer", f"127.0.0.1:{port}", "--yes", *arguments, status=status)


def frames(connection):
    """The frames of one direction: two bytes of length, and that much more."""
    data = b""
    while piece := connection.recv(65536):
        data += piece
        while len(data) >= 2 and len(data) >= (size := 2 + int.from_bytes(data[:2], "big")):
            yield data[:size]
            data = data[size:]


def between(port, meet):
    """A port that leads to another, until `meet` has its way: it is asked about each frame, with who sent it and which of
    theirs it is, and the connection ends where it says no."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        near = listener.accept()[0]
        far = socket.create_connection(("127.0.0.1", port))

        def pump(source, sink, who):
            try:
                for number, frame in enumerate(frames(source), 1):
                    if not meet(who, number):
                        break
                    sink.sendall(frame)
            except OSError:
                pass
            for end in (near, far):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

        threading.Thread(target=pump, args=(near, far, "receiver"), daemon=True).start()
        threading.Thread(target=pump, args=(far, near, "sender"), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1]


# New: nobody came, and no link was shown.
run("alice", "send", "--amount", "1", "--discovery", "none", "--discovery-timeout", "0.1", "--qr", "never", "--json",
    *EXPIRY, status=3)
# Released by its link.
run("alice", "send", "--amount", "2", "--link-only", *EXPIRY)
# Released to a peer: the sender is killed when CLAIM, its fourth frame, is out.
sender, port = send("alice", "3")


def killing(who, number):
    if (who, number) == ("sender", 4):
        sender.send_signal(signal.SIGKILL)
        return False
    return True


receive("bob", between(port, killing), "--discovery-timeout", "1", status=3)
sender.wait()
# Unknown: STORED, the receiver's fourth frame, is lost.
sender, port = send("alice", "4", "--qr", "never")
receive("bob", between(port, lambda who, number: (who, number) != ("receiver", 4)))
assert sender.wait() == 5, sender.stderr.read()
# Delivered, with a code, and remembered.
sender, port = send("alice", "5", "--code", "--remember", "bob")
code = next(match[0] for line in sender.stderr if (match := re.search(r"\d+-\d{6}", line)))
receive("bob", port, "--code", code, "--remember", "alice")
assert sender.wait() == 0
# Received from a peer, and by a link.
sender, port = send("bob", "6")
receive("alice", port)
assert sender.wait() == 0
link = next(line for line in run("bob", "send", "--amount", "7", "--link-only", *EXPIRY).splitlines() if "https://" in line)
run("alice", "receive", "--link", "-", text=link + "\n")

print(run("alice", "history"), run("alice", "key", "list"))
shutil.copyfile(HOME / "alice.sqlite", FILE)
assert not (HOME / "alice.sqlite-journal").exists()
shutil.rmtree(HOME)
