"""A vault with a faucet, a front before it, and people with wallets: all real, on loopback."""

import base64
import email
import email.policy
import hashlib
import hmac
import json
import os
import re
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from front import Front


class World:
    def __init__(self, folder, bump, vault):
        self.folder, self.bump_program = Path(folder), bump
        self.certificate, key = self.folder / "certificate.pem", self.folder / "key.pem"
        subprocess.run(
            [
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=localhost",
                "-addext",
                "subjectAltName=DNS:localhost",
                "-keyout",
                key,
                "-out",
                self.certificate,
            ],
            check=True,
            capture_output=True,
        )
        self.front = Front(certificate=(self.certificate, key))
        self.front.host = f"localhost:{self.front.port}"
        self.url = f"https://{self.front.host}"
        # The same vault without TLS, as somebody may mistype it.
        self.plain = Front(host=self.front.host, log=self.front.exchanges)
        self.log = []
        self.store = self.folder / "vault"
        self.vault_program = vault
        self.command = [
            vault,
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--public-url",
            self.url,
            "--proxy",
            "127.0.0.1",
            "--requests-per-minute",
            "100000",
            "--log-level",
            "debug",
            *self.options(),
        ]
        self.trust = ssl.create_default_context(cafile=self.certificate)
        self.start()

    def options(self):
        """How this vault is served, and no other."""
        self.mailbox = Mailbox(self.folder / "mail")
        return [
            "--store",
            self.store / "vault.sqlite",
            "--faucet",
            "--cap",
            "9000000000000.00",
            "--pending",
            "10000",
            "--deposits-per-day",
            "10000",
            "--sign-in",
            f"maildir:{self.mailbox.folder}",
            "--sign-ins-per-minute",
            "100000",
        ]

    def fund(self, address, amount):
        """Gives somebody money."""
        self.call("/api/faucet", {"address": address, "amount": amount})

    def start(self):
        """Starts the vault, on what it kept."""
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        place = None
        for line in self.process.stderr:
            self.log.append(line)
            if found := re.search(r'"url":"http://127\.0\.0\.1:(\d+)"', line):
                place = ("127.0.0.1", int(found[1]))
                break
        if place is None:
            raise SystemExit("the vault did not start:\n" + "".join(self.log))
        process = self.process
        threading.Thread(target=lambda: self.log.extend(process.stderr), daemon=True).start()
        self.front.upstream = self.plain.upstream = place

    def kill(self):
        """Kills the vault, with no time to say good-bye."""
        self.process.kill()
        self.process.wait(20)

    def end(self):
        self.process.terminate()
        self.process.wait(20)

    def spki(self):
        """The fingerprint of the certificate's key, by which the browser knows it."""
        key = subprocess.run(
            ["openssl", "x509", "-in", self.certificate, "-noout", "-pubkey"], check=True, capture_output=True
        ).stdout
        der = subprocess.run(
            ["openssl", "pkey", "-pubin", "-outform", "der"], input=key, check=True, capture_output=True
        ).stdout
        return base64.b64encode(hashlib.sha256(der).digest()).decode()

    def call(self, path, body=None):
        """Asks the vault without a browser. Returns the status and the JSON."""
        request = urllib.request.Request(
            self.url + path, None if body is None else json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, context=self.trust) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def person(self, name, amount=None):
        return Person(self, name, amount)


class Mailbox:
    """The Maildir in which the vault puts the codes."""

    def __init__(self, folder):
        self.folder = folder
        self.seen = set()

    def codes(self):
        """The messages that came since the last call: the address and the code of each."""
        new = self.folder / "new"
        files = sorted(set(new.iterdir()) - self.seen) if new.is_dir() else []
        self.seen |= set(files)
        found = []
        for file in files:
            message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
            text = message.get_body(("plain",)).get_content()
            found.append((str(message["To"]), re.match(r"\d{6}", text)[0]))
        return found

    def code(self):
        """The code of the next message."""
        return until(self.codes, "a code comes")[-1][1]


class Person:
    """Somebody with bump, a wallet and a store, who has confirmed the vault."""

    def __init__(self, world, name, amount):
        self.world = world
        # A scene may be played again with another fault planted: each time with somebody new.
        self.home = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=world.folder))
        self.bump("wallet", "new")
        self.bump("wallet", "trust", world.url, "--yes")
        self.address = json.loads(self.bump("wallet", "show", "--json"))["address"]
        if amount:
            world.fund(self.address, amount)

    def bump(self, *arguments, typed=None):
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_DATA_HOME": str(self.home),
            "XDG_STATE_HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.home),
            "SSL_CERT_FILE": str(self.world.certificate),
        }
        done = subprocess.run(
            [self.world.bump_program, *arguments],
            env=environment,
            input=typed,
            capture_output=True,
            text=True,
            timeout=120,
        )
        if done.returncode:
            raise AssertionError(f"bump {' '.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def send(self, amount="1.00", *arguments):
        """Locks an amount, and returns the claim as the link has it."""
        shown = self.bump(
            "send", amount, "--vault", self.world.url, "--link-only", "--expiry-margin", "1s", "--json", *arguments
        )
        events = [json.loads(line) for line in shown.splitlines() if line.startswith("{")]
        return Link(next(event["link"] for event in events if "link" in event))

    def balance(self):
        shown = self.bump("wallet", "balance", "--vault", self.world.url, "--json")
        return [row["amount"] for row in map(json.loads, shown.splitlines()) if "amount" in row]


class Link:
    """The link of a claim, in its parts: Docs/protocol.md."""

    form = re.compile(r"(.*)/([^/#]+)#s=(.*)&a=(.*)&t=(.*)&x=(.*)&m=(.*)")

    def __init__(self, text):
        self.text = text
        self.base, self.id, self.secret, self.amount, self.token, self.expiry, self.mac = self.form.fullmatch(
            text
        ).groups()

    def __str__(self):
        return self.text

    def sealed(self, **changes):
        """The link with other parts, and the MAC that fits."""
        parts = vars(self) | changes
        text = "{base}/{id}#s={secret}&a={amount}&t={token}&x={expiry}".format(**parts)
        secret = self.bytes_of(parts["secret"])
        key = hkdf(secret, parts["id"].encode(), b"bump/1 link-mac", 32)
        mac = hmac.digest(key, b"bump/1 link\0" + text.encode(), "sha256")[:16]
        return Link(f"{text}&m={base64.urlsafe_b64encode(mac).decode().rstrip('=')}")

    @staticmethod
    def bytes_of(text):
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    def secrets(self):
        """The secret, and the claim's key that is made of it, in the forms in which they might be found."""
        secret = self.bytes_of(self.secret)
        order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
        uniform = hkdf(secret, b"", b"bump/1 claim key\0" + self.id.encode(), 48)
        key = int.from_bytes(uniform, "big") % (order - 1) + 1
        for value in (secret, key.to_bytes(32, "big")):
            for data in (value, value[::-1]):
                plain, safe = base64.b64encode(data), base64.urlsafe_b64encode(data)
                yield data
                yield from {plain.rstrip(b"="), safe.rstrip(b"="), plain.replace(b"+", b"%2B").replace(b"/", b"%2F")}
                yield from (data.hex().encode(), data.hex().upper().encode())
        yield str(key).encode()
        # Part of it would be too much as well.
        yield self.secret[:12].encode()


def hkdf(secret, salt, info, count):
    """HKDF-SHA256 (RFC 5869)."""
    key = hmac.digest(salt or bytes(32), secret, "sha256")
    done, block = b"", b""
    for number in range(1, -(-count // 32) + 1):
        block = hmac.digest(key, block + info + bytes([number]), "sha256")
        done += block
    return done[:count]


def until(condition, what, seconds=120):
    """Waits for something to become true, and returns it. Nothing takes so long; this keeps a defect from hanging."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"in vain: {what}")
        time.sleep(0.02)
    return value
