"""People who sign in beside the claims: each asks for a code, reads it in the vault's Maildir, and enters it."""

import http.client
import json
import pathlib
import re
import threading
import time

RATE = 1000 / 60
# So many that one which waits for its code does not hold up the others.
PEOPLE = 8


class SignIns:
    """Sign-ins at an even rate, each with an address of its own, until the end of `with`."""

    def __init__(self, port, maildir):
        self.port, self.maildir = port, pathlib.Path(maildir)
        self.changed, self.codes, self.next, self.done = threading.Condition(), {}, 0, 0
        self.is_over, self.failure = False, None

    # Each beginning has addresses that no other has: an address gets five codes an hour.
    beginnings = 0

    def __enter__(self):
        SignIns.beginnings += 1
        self.name, self.begin = f"b{SignIns.beginnings}", time.monotonic()
        bodies = [self.read] + [self.person] * PEOPLE
        self.threads = [threading.Thread(target=self.guard, args=(body,)) for body in bodies]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        with self.changed:
            self.is_over = True
            self.rate = self.done / (time.monotonic() - self.begin) * 60
            self.changed.notify_all()
        for thread in self.threads:
            thread.join()
        if self.failure:
            raise self.failure

    def guard(self, body):
        try:
            body()
        except Exception as error:
            self.failure = error

    def read(self):
        """Takes the messages out of the Maildir."""
        while not self.is_over:
            for file in (self.maildir / "new").iterdir():
                text = file.read_text()
                file.unlink()
                with self.changed:
                    self.codes[re.search(r"^To: (.*)$", text, re.MULTILINE)[1]] = re.search(r"\n\n(\d{6})\n", text)[1]
                    self.changed.notify_all()
            time.sleep(0.005)

    def person(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        while True:
            with self.changed:
                number, self.next = self.next, self.next + 1
                wait = self.begin + number / RATE - time.monotonic()
                if wait > 0:
                    self.changed.wait_for(lambda: self.is_over, wait)
                if self.is_over:
                    return
            address = f"{self.name}-{number}@example.org"
            cookie = self.ask(connection, "/api/sign-in", {"email": address}, 202)
            with self.changed:
                if not self.changed.wait_for(lambda: self.is_over or address in self.codes, 60):
                    raise RuntimeError(f"no code came to {address}")
                if self.is_over:
                    return
                code = self.codes.pop(address)
            self.ask(connection, "/api/sign-in/code", {"code": code}, 200, cookie)
            with self.changed:
                self.done += 1

    def ask(self, connection, path, body, expected, cookie=None):
        headers = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
        connection.request("POST", path, json.dumps(body), headers | ({"Cookie": cookie} if cookie else {}))
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != expected:
            raise RuntimeError(f"{path} was answered with {answer.status}: {text[:200]}")
        return answer.getheader("Set-Cookie").split(";")[0]
