"""A vault that signs people in by mail, and their browsers."""

import base64
import http.client
import json
import os
import re
import signal
import subprocess
import threading

from events import check, equal, happened, until


class Vault:
    """`bump-vault serve` with a store in a folder, until the end of `with`.

    Its log and its files are looked through at the end: no address, code, password or cookie is in them.
    """

    def __init__(self, program, folder, way, password=None, prefix=()):
        self.folder, self.store, self.password = folder, folder / "store", password
        self.command = [
            *prefix, program, "serve", "--store", self.store / "vault.sqlite", "--listen", "127.0.0.1:0", "--faucet",
            "--requests-per-minute", "100000", "--log-level", "debug", "--sign-ins-per-minute", "100000",
            "--sign-in", way, "--sign-in-sender", "codes@vault.example",
        ]  # fmt: skip
        self.lines, self.browsers, self.seen = [], [], set()

    def __enter__(self):
        self.start()
        return self

    def start(self):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        if self.password is not None:
            environment["BUMP_SMTP_PASSWORD"] = self.password
        self.process = subprocess.Popen(self.command, env=environment, stderr=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self.read, args=(self.process.stderr, len(self.lines)))
        self.reader.start()
        until(lambda: self.port is not None or self.process.poll() is not None, "the vault listens")
        check(self.port is not None, "the vault did not start:\n" + "".join(self.lines))

    port = None

    def read(self, stream, since):
        for line in stream:
            self.lines.append(line)
            if found := re.search(r'"url":"http://127\.0\.0\.1:(\d+)"', line):
                self.port = int(found[1])
            happened()

    def ended(self, seconds):
        """Waits for the end, and returns the exit status; None if it has not ended in time."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        self.reader.join(20)
        self.port = None
        return status

    def stop(self):
        self.process.send_signal(signal.SIGTERM)

    def kill(self):
        self.process.kill()
        self.ended(20)

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            # What hangs would keep it: the tests of a stop are others.
            self.kill()
        if kind is None:
            self.check_secrets()

    def failures(self, text=""):
        """The reasons that were logged for codes that were not sent."""
        entries = [json.loads(line) for line in self.lines if '"a code was not sent"' in line]
        return [entry["reason"] for entry in entries if text in entry["reason"]]

    def check_secrets(self):
        secrets = {self.password} if self.password else set()
        for browser in self.browsers:
            secrets |= browser.typed | browser.tokens
        places = {"the log": "".join(self.lines).encode()}
        for file in self.store.iterdir():
            if file.suffix != ".key":
                places[file.name] = file.read_bytes()
        check(any(name.startswith("vault-accounts.sqlite") for name in places), places.keys())
        for name, content in places.items():
            for secret in filter(None, secrets):
                for form in spellings(secret):
                    check(form not in content, f"{name} has {secret!r}")

    def ask(self, method, path, body=None, headers=()):
        """Asks, and returns the status, the header fields and the body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            fields = dict(headers)
            if body is not None:
                fields["Content-Type"] = "application/json"
            connection.request(method, path, None if body is None else json.dumps(body).encode(), fields)
            response = connection.getresponse()
            return response.status, response.getheaders(), response.read()
        finally:
            connection.close()

    def check_answers(self):
        """Checks that what has nothing to do with mail goes on: reads, and a change of the store."""
        equal(self.ask("GET", "/healthz")[0], 200)
        status, _, body = self.ask("GET", "/api/vault")
        equal((status, json.loads(body)["signIn"]), (200, {"mail": "smtp"}))
        money = {"address": "0x" + "7e" * 20, "amount": "1.00"}
        status, _, body = self.ask("POST", "/api/faucet", money)
        equal((status, body if status != 200 else b""), (200, b""))

    def browser(self):
        return Browser(self)


class Browser:
    """A browser's cookies, and what its person has typed."""

    def __init__(self, vault):
        self.vault, self.cookies, self.typed, self.tokens = vault, {}, set(), set()
        vault.browsers.append(self)

    def ask(self, method, path, body=None):
        headers = {"Sec-Fetch-Site": "same-origin"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        status, fields, content = self.vault.ask(method, path, body, headers)
        for name, value in fields:
            if name.lower() == "set-cookie":
                cookie, token = value.split(";")[0].split("=", 1)
                self.cookies.pop(cookie, None)
                if token:
                    self.cookies[cookie] = token
                    self.tokens.add(token)
        return status, fields, json.loads(content) if content else None

    def ask_for_code(self, address):
        """Asks for a code. Returns the answer without what differs from one to the next: the time and the token."""
        self.typed |= {address, address.lower()}
        status, fields, body = self.ask("POST", "/api/sign-in", {"email": address})
        equal((status, body["expiresIn"], isinstance(body.pop("now"), int)), (202, 600, True))
        token = self.cookies["bump-flow"]
        return status, [(n, v.replace(token, "…")) for n, v in fields if n.lower() not in ("date",)], body

    def enter(self, code):
        """Enters a code, and returns the status and the body."""
        status, _, body = self.ask("POST", "/api/sign-in/code", {"code": code})
        return status, body

    def sign_in(self, code):
        """Enters the right code, and is signed in."""
        self.typed.add(code)
        status, body = self.enter(code)
        equal((status, "account" in body), (200, True))
        equal(self.ask("GET", "/api/session")[2]["account"], body["account"])
        return body["account"]

    def check_nothing_came(self):
        """Enters a wrong guess: the answer is that of a wrong code, as if there were a right one."""
        status, body = self.enter("000000")
        equal((status, body["type"], body["triesLeft"]), (403, "/problems/wrong-code", 4))


def spellings(secret):
    """The forms in which a secret might be found."""
    data = secret.encode()
    forms = {data, base64.b64encode(data).rstrip(b"="), data.hex().encode()}
    if re.fullmatch(r"[A-Za-z0-9_-]{40,}", secret):
        token = base64.urlsafe_b64decode(secret + "=" * (-len(secret) % 4))
        forms |= {token, token.hex().encode()}
    return forms
