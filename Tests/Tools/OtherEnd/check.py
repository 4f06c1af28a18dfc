#!/usr/bin/env python3
"""check.py BUMP: lets the other end in this folder meet the program BUMP on the loopback interface.

First both halves of the other end talk to each other, and must say byte for byte what sessions.json and queued.json in
Tests/Support/Vectors have. Then claims, cards and links go both ways, in each mode, and two ends remember each other. It takes some seconds.
"""

import base64
import contextlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

import other_end as end

# Nothing here takes long; this keeps a defect from hanging.
PATIENCE = 60
ROOT = pathlib.Path(__file__).resolve().parents[3]
VECTORS = ROOT / "Tests/Support/Vectors"
# 40 CHUNKs: the sender must wait for MORE.
CARD = b"BEGIN:VCARD\r\nVERSION:3.0\r\nN:Public;Jo;;;\r\nFN:Jo Public\r\n%sEND:VCARD\r\n" % (
    b"".join(b"X-LINE:%060d\r\n" % i for i in range(600))
)


def check(condition, text):
    if not condition:
        raise SystemExit(f"Tests/Tools/OtherEnd/check.py: {text}")


class Bump:
    """The program as one person has it."""

    def __init__(self, program, home):
        self.program, self.home = program, home
        home.mkdir(mode=0o700)
        self.environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}

    @contextlib.contextmanager
    def running(self, *arguments, input=""):
        """Yields a function that returns the next event of a name."""
        command = [self.program, *arguments, "--json", "--quiet"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, **pipes, text=True, env=self.environment) as process:
            timer = threading.Timer(PATIENCE, process.kill)
            timer.start()
            process.stdin.write(input)
            process.stdin.close()

            events = []

            def event(name):
                while not any(each["event"] == name for each in events):
                    line = process.stdout.readline()
                    check(line, f"{' '.join(map(str, command))} ended without {name}: {events}")
                    events.append(json.loads(line))
                return next(each for each in events if each["event"] == name)

            try:
                yield event
            finally:
                timer.cancel()
                process.kill()

    def sending(self, *arguments):
        return self.running("send", *arguments, "--yes", "--name", "alice", "--discovery", "none")

    def receiving(self, port, *arguments):
        return self.running("receive", *arguments, "--yes", "--name", "bob", "--peer", f"127.0.0.1:{port}")

    def run(self, *arguments):
        command = [self.program, *arguments]
        options = {"text": True, "capture_output": True, "timeout": PATIENCE, "check": True}
        return subprocess.run(command, **options, env=self.environment).stdout


def connected(port):
    return socket.create_connection(("127.0.0.1", port), PATIENCE)


@contextlib.contextmanager
def listening():
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE)
        yield server


def accepted(server):
    connection, _ = server.accept()
    connection.settimeout(PATIENCE)
    return connection


class Duet:
    """Both halves of the other end, with the fixed randomness of a vector."""

    def __init__(self, vector):
        self.vector = vector
        self.sockets = socket.socketpair()
        self.wires = [end.Wire(each) for each in self.sockets]
        self.channels = {}
        given = lambda name: bytes.fromhex(vector[name]) if vector.get(name) else None
        self.credential = vector.get("code") or given("key")
        self.random = {
            each: end.Randomness(given(f"nonce{each}"), given(f"ephemeral{each}"), given(scalar))
            for each, scalar in (("R", "ya"), ("S", "yb"))
        }

    def receive(self):
        channel = end.opened_by_receiver(
            self.wires[0], self.credential, self.random["R"], self.vector.get("places", []))
        self.channels["R"] = channel
        channel.read(end.OFFER)
        for place in self.vector.get("placesInside", []):
            channel.send(end.QUEUED_INSIDE, bytes([place]))
        channel.send(end.HOLD, b"\x3c")
        end.accepted(channel, "bob")
        channel.read_unheld(end.CLAIM)
        channel.send(end.STORED, b"\0")

    def talk(self):
        receiver = threading.Thread(target=self.receive, daemon=True)
        receiver.start()
        channel = end.opened_by_sender(
            self.wires[1], self.vector["offer"].encode(), self.credential, self.random["S"])
        channel.read_answer(end.ACCEPT)
        channel.send(end.HOLD, b"\x3c")
        payload = self.vector["claim"].encode()
        channel.send(end.CLAIM, channel.mac(payload) + payload)
        channel.read(end.STORED)
        receiver.join()
        frames = self.vector["frames"]
        sent = sorted(each.hex() for wire in self.wires for each in wire.sent)
        check(sent == sorted(frames), f"another session than the vector's, in mode {self.vector['mode']}")
        for each in (channel, self.channels["R"]):
            check(f"{each.digits:06}" == self.vector["digits"], "other digits than the vector's")


def check_vectors():
    for vector in json.loads((VECTORS / "queued.json").read_text()):
        Duet(vector).talk()
    for vector in json.loads((VECTORS / "sessions.json").read_text()):
        Duet(vector).talk()
        if vector["mode"] == "code":
            page = "".join((ROOT / "Docs/protocol.md").read_text().split())
            check(all(frame in page for frame in vector["frames"]), "the page prints another session than the vector's")
        link = vector["link"]
        text, _, mac = link.rpartition("&m=")
        claim = end.CLAIM_PAYLOAD.fullmatch(vector["claim"])
        key = bytes.fromhex(vector["key"]) if vector.get("key") else base64.b64decode(claim[2])
        check(end.link_mac(text, claim[1], key) == mac, f"another mac of the link, in mode {vector['mode']}")


def check_claim_from(bump, arguments, credential, remember=False):
    """bump sends a claim, this end receives it. Returns the channel."""
    with bump.sending("1.00", *arguments) as event:
        if "--code" in arguments:
            credential = event("code")["code"]
        port = event("advertising")["port"]
        with connected(port) as connection:
            channel = end.opened_by_receiver(end.Wire(connection), credential)
            claim = end.receive_claim(channel, "påul", remember)
            check(claim and claim.group(3, 4) == ("USDC", "1.00"), "not the claim that bump sent")
        result = event("result")
    check(result["outcome"] == "delivered" and result["claimId"] == claim[1], f"the claim was not delivered: {result}")
    return channel


def check_claim_to(bump, arguments, credential, remember=False):
    """This end sends a claim, bump receives it. Returns the channel."""
    claim_id, secret, amount = end.new_claim_id(), end.secrets.token_bytes(16), "0.500001"
    expiry = int(time.time()) + 3600
    with listening() as server, bump.receiving(server.getsockname()[1], *arguments, "--show-secret") as event:
        with accepted(server) as connection:
            offer = end.claim_offer(claim_id, "USDC", amount, expiry, 'qu"il\\')
            channel = end.opened_by_sender(end.Wire(connection), offer, credential)
            told = end.send_claim(channel, end.claim_payload(claim_id, secret, "USDC", amount), remember)
        check(told == ("bob", 0), f"bump did not store the claim: {told}")
        result = event("result")
    got = (result["outcome"], result["claimId"], result["amount"], result["token"])
    check(got == ("received", claim_id, amount, "USDC"), f"bump received something else: {result}")
    check(base64.b64decode(result["secret"]) == secret, "bump has another secret")
    return channel


def check_document_from(bump, arguments, kind, document):
    """bump sends a document, this end receives it."""
    with bump.sending(*arguments) as event, connected(event("advertising")["port"]) as connection:
        channel = end.opened_by_receiver(end.Wire(connection))
        check(end.receive_document(channel, "paul") == (kind, document), f"not the {kind} that bump sent")
        check(event("result")["outcome"] == "delivered", f"bump did not deliver the {kind}")


def check_document_to(bump, folder, kind, document):
    """This end sends a document, bump saves it."""
    folder.mkdir()
    with listening() as server, bump.receiving(server.getsockname()[1], "--save", str(folder)) as event:
        with accepted(server) as connection:
            channel = end.opened_by_sender(end.Wire(connection), end.document_offer(kind, document, "quill"))
            told = end.send_document(channel, document)
        check(told == ("bob", 0), f"bump did not save the {kind}: {told}")
        event("result")
    check([file.read_bytes() for file in folder.iterdir()] == [document], f"bump saved another {kind}")


def check_claim_links(bump):
    shown = bump.run("send", "2.50", "--link-only", "--json", "--qr", "auto")
    link = next(line["link"] for line in map(json.loads, shown.splitlines()) if "link" in line)
    parts = re.fullmatch(r"(https://.*/([^/]+)#s=([^&]+)&a=2\.50&t=USDC&x=[0-9]+)&m=(.*)", link)
    check(parts, f"a link in another encoding: {link}")
    secret = base64.urlsafe_b64decode(parts[3] + "==")
    check(end.link_mac(parts[1], parts[2], secret) == parts[4], "a link with another mac")

    claim_id = end.new_claim_id()
    link = end.claim_link(claim_id, end.secrets.token_bytes(16), "USDC", "3.00", int(time.time()) + 3600)
    with bump.running("receive", "--link", "-", "--yes", input=link + "\n") as event:
        result = event("result")
    check(result["outcome"] == "received" and result["claimId"] == claim_id, f"bump did not take the link: {result}")


def main():
    check(len(sys.argv) == 2, "usage: check.py BUMP")
    check_vectors()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        alice, bob = (Bump(sys.argv[1], folder / name) for name in ("alice", "bob"))
        key, key_file = end.secrets.token_bytes(32), folder / "key"
        key_file.write_text(base64.b64encode(key).decode() + "\n")
        key_file.chmod(0o600)

        check_claim_from(alice, [], None)
        check_claim_from(alice, ["--key", str(key_file)], key)
        channel = check_claim_from(alice, ["--code", "--remember", "paul"], None, remember=True)
        # alice sent when both agreed, so she goes on sending with this key.
        check_claim_from(alice, ["--to", "paul"], end.hkdf(channel.remembered, b"", b"bump/1 forth"))

        check_claim_to(bob, [], None)
        check_claim_to(bob, ["--code", "7-000042"], "7-000042")
        check_claim_to(bob, ["--key", str(key_file)], key)
        channel = check_claim_to(bob, ["--code", "7-000042", "--remember", "quill"], "7-000042", remember=True)
        check_claim_to(bob, ["--with", "quill"], end.hkdf(channel.remembered, b"", b"bump/1 forth"))

        card, link = folder / "jo.vcf", "https://irl.app/a?b=%20c#d"
        card.write_bytes(CARD)
        check_document_from(alice, ["--card", str(card)], "vcard", CARD)
        check_document_from(alice, ["--url", link], "link", link.encode())
        check_document_to(bob, folder / "cards", "vcard", CARD)
        check_document_to(bob, folder / "links", "link", link.encode())
        check_claim_links(bob)
    print("the other end: claims, cards and links of a second implementation went both ways")


if __name__ == "__main__":
    main()
