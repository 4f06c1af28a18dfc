"""What is compared: each sends once from the left host of its pair to the right one.

`sender` and `receiver` start a side of one trial, which has a number of its own; `sender_is_up` and `receiver_is_up`
return when it waits for the other side; `arrival` returns the moment at which the claim was at the receiver.
"""

import json
import os
import pathlib
import random
import sys
import time

from processes import Process

SCRIPTS = pathlib.Path(__file__).parent
PAYLOAD = "x" * 130  # as long as a claim payload
# Seconds from what a side says to its first query or announcement on the wire: no event tells of that.
SETTLING = 0.3
# What has just been announced is not told again for half a second or more (RFC 6762 §6), and Avahi announces four times in
# seven seconds: a receiver comes at any moment of a second.
MOMENT = 1.0


class Bump:
    """bump itself. The claim has arrived when the receiver says that it is stored: it is on the disk then."""

    def __init__(self, binary, stores, pair, backend, code=False, is_before=False):
        self.binary, self.pair, self.backend, self.code = binary, pair, backend, code
        what = "bump before" if is_before else "bump"
        self.stores = f"{stores}/{what}-{backend}-{'code' if code else 'open'}"
        self.name = f"{what}, mode {'code' if code else 'open'}, {'avahi-daemon' if backend == 'daemon' else backend}"

    def is_like(self, other):
        return (self.backend, self.code) == (other.backend, other.code)

    def start(self, host, *arguments, environment=None, terminal=False):
        return Process(
            host.command(self.binary, *arguments, "--yes", "--json", "--quiet", "--discovery", self.backend),
            {"BUMP_STORE": f"{self.stores}-{host.name}.sqlite"} | (environment or {}), terminal)

    def sender(self, _):
        return self.start(self.pair.left, "send", "--amount", "1.00", *(["--code"] if self.code else []))

    def receiver(self, _, sender=None):
        """Knows the code of a sender that is there; else asks for it on a terminal, as soon as it finds one."""
        known = {"BUMP_CODE": self.code_of(sender)} if self.code and sender else {}
        return self.start(self.pair.right, "receive", environment=known, terminal=self.code and not sender)

    def code_of(self, sender):
        return sender.errors.expect("The code is ")[1].removeprefix("The code is ").split(":")[0]

    def sender_is_up(self, sender):
        self.check_backend(sender, '"event":"advertising"')
        time.sleep(SETTLING + random.uniform(0, MOMENT))

    def receiver_is_up(self, receiver):
        self.check_backend(receiver, '"event":"browsing"')
        time.sleep(SETTLING)

    def check_backend(self, process, event):
        backend = json.loads(process.output.expect(event)[1])["backend"]
        if backend != self.backend:
            raise SystemExit(f"{self.name}: the backend was {backend}")

    def arrival(self, sender, receiver):
        if receiver.terminal is not None:
            receiver.errors.expect("asks for a code: ", whole=False)
            os.write(receiver.terminal, self.code_of(sender).encode() + b"\n")
        return receiver.output.expect('"event":"stored"')[0]


class Scripts:
    """Two scripts of ours. The claim has arrived when its last byte was read: nothing is encrypted or stored."""

    def __init__(self, name, pair, kind):
        self.name, self.pair, self.kind = name, pair, kind

    def start(self, host, part, trial):
        # A new name each time, lest one be found that is gone.
        return Process(
            host.command(sys.executable, SCRIPTS / f"{self.kind}_{part}.py", f"trial-{trial}", host.address))

    def sender(self, trial):
        return self.start(self.pair.left, "send", trial)

    def receiver(self, trial, _=None):
        return self.start(self.pair.right, "receive", trial)

    def sender_is_up(self, sender):
        sender.output.expect("advertising")
        time.sleep(SETTLING + random.uniform(0, MOMENT))

    def receiver_is_up(self, receiver):
        receiver.output.expect("browsing")
        time.sleep(SETTLING)

    def arrival(self, _, receiver):
        return receiver.output.expect("received")[0]


class Wormhole:
    """magic-wormhole with a text, and a code that both sides are started with. Arrived: the text is on stdout."""

    name = "magic-wormhole, its mailbox server on the first host"

    def __init__(self, pair):
        self.pair = pair
        server = pair.left.command(
            sys.executable, "-m", "twisted", "wormhole-mailbox", "--port", "tcp:4000", "--channel-db", ":memory:")
        self.server = Process(server)
        self.server.output.expect("Starting reactor")

    def start(self, host, *arguments):
        relay = f"ws://{self.pair.left.address}:4000/v1"
        return Process(
            host.command("wormhole", "--relay-url", relay, *arguments), {"PYTHONUNBUFFERED": "1"})

    def sender(self, trial):
        return self.start(self.pair.left, "send", "--text", PAYLOAD, "--code", f"{trial}-blue-whale")

    def receiver(self, trial, _=None):
        return self.start(self.pair.right, "receive", f"{trial}-blue-whale")

    def is_up(self, _):
        time.sleep(1)  # It says nothing when it waits; to start takes it half of that.

    sender_is_up = receiver_is_up = is_up

    def arrival(self, _, receiver):
        return receiver.output.expect(PAYLOAD)[0]
