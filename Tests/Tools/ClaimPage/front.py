"""A server between the browser and the vault: it keeps what it was sent, and can hold, change or lose answers."""

import http.client
import http.server
import json
import re
import ssl
import threading
import time
from contextlib import contextmanager


class Exchange:
    """A request, and its answer once there is one."""

    def __init__(self, method, path, headers, body, is_tls):
        self.method, self.path, self.headers, self.body, self.is_tls = method, path, headers, body, is_tls
        self.time = time.monotonic()
        self.status = None

    @property
    def is_browsers(self):
        return "Mozilla" in self.headers.get("User-Agent", "")

    def text(self):
        """All that was sent, as bytes to search."""
        head = f"{self.method} {self.path}\n" + "".join(f"{name}: {value}\n" for name, value in self.headers.items())
        return head.encode() + self.body


class Lost(Exception):
    """The connection ends without an answer."""


class Front(http.server.ThreadingHTTPServer):
    """Serves at a port of 127.0.0.1 what a vault answers at another."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, upstream=None, host=None, certificate=None, log=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.upstream, self.host = upstream, host
        self.is_tls = certificate is not None
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            # A browser opens connections that it does not use: their handshake must not hold up others.
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.exchanges = [] if log is None else log
        self.rules = []
        self.pages = {}
        self.is_open = True
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def port(self):
        return self.server_address[1]

    @contextmanager
    def rule(self, method, path, action):
        """Applies `action(exchange, pass_on)` to requests whose path matches. It returns (status, headers, body)."""
        rule = (method, re.compile(path), action)
        self.rules.insert(0, rule)
        try:
            yield
        finally:
            self.rules.remove(rule)

    def handle_error(self, request, client_address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def log_message(self, *_):
        pass

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        exchange = Exchange(self.command, self.path, self.headers, self.rfile.read(length), self.server.is_tls)
        self.server.exchanges.append(exchange)
        try:
            if not self.server.is_open:
                raise Lost
            if self.path in self.server.pages:
                kind, text = self.server.pages[self.path]
                self.send(200, {"Content-Type": kind}, text.encode())
                return
            for method, pattern, action in list(self.server.rules):
                if method == self.command and pattern.search(self.path):
                    status, headers, body = action(exchange, lambda: self.pass_on(exchange))
                    exchange.status = status
                    self.send(status, headers, body)
                    return
            self.pass_on(exchange, self.send)
        except (Lost, OSError, http.client.HTTPException):
            self.close_connection = True

    do_GET = do_POST = do_HEAD = do_OPTIONS = answer

    def pass_on(self, exchange, send=None):
        """Asks the vault. With `send` a stream of events is written as it comes; otherwise the answer is returned."""
        upstream = http.client.HTTPConnection(*self.server.upstream, timeout=60)
        try:
            headers = {
                name: value
                for name, value in exchange.headers.items()
                if name.lower() not in ("connection", "host", "x-forwarded-for")
            }
            scheme = "https" if exchange.is_tls else "http"
            headers |= {"Host": self.server.host or self.headers["Host"]}
            headers |= {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": scheme}
            upstream.request(exchange.method, exchange.path, exchange.body or None, headers)
            response = upstream.getresponse()
            exchange.status = response.status
            headers = {
                name: value
                for name, value in response.getheaders()
                if name.lower() not in ("connection", "transfer-encoding", "content-length", "keep-alive", "date")
            }
            # The one header that may be there twice.
            if cookies := response.headers.get_all("Set-Cookie"):
                headers = {name: value for name, value in headers.items() if name.lower() != "set-cookie"}
                headers["Set-Cookie"] = cookies
            if send and headers.get("Content-Type", headers.get("content-type")) == "text/event-stream":
                self.stream(response, headers)
                return None
            body = response.read()
            return send(response.status, headers, body) if send else (response.status, headers, body)
        finally:
            upstream.close()

    def stream(self, response, headers):
        self.send_response(response.status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        while self.server.is_open and (part := response.read1(65536)):
            self.wfile.write(part)
            self.wfile.flush()
        self.close_connection = True

    def send(self, status, headers, body):
        self.send_response(status)
        for name, value in headers.items():
            for each in value if isinstance(value, list) else [value]:
                self.send_header(name, each)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


# Actions of rules


class Hold:
    """Holds answers back until `release`."""

    def __init__(self):
        self.came, self.gate = threading.Event(), threading.Event()

    def __call__(self, exchange, pass_on):
        self.came.set()
        self.gate.wait(60)
        return pass_on()

    def release(self):
        self.gate.set()


def lose(exchange, pass_on):
    """Loses the request before the vault has it."""
    raise Lost


def lose_answer(exchange, pass_on):
    """Passes the request on, and loses the answer."""
    pass_on()
    raise Lost


def say(status, body, headers=None):
    """Answers in the vault's place."""
    kind = "application/json" if status < 400 else "application/problem+json"
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda exchange, pass_on: (status, {"Content-Type": kind, **(headers or {})}, data)


def problem(status, kind, headers=None, **more):
    """Answers with a problem of the API."""
    return say(status, {"type": f"/problems/{kind}", "title": kind, "status": status, "detail": kind, **more}, headers)


def edit(change):
    """Changes the JSON of the vault's answers in place."""

    def action(exchange, pass_on):
        status, headers, body = pass_on()
        value = json.loads(body)
        change(value)
        return status, headers, json.dumps(value).encode()

    return action


def once(action):
    """Does it to the first request, and lets the others pass."""
    left = [action]
    return lambda exchange, pass_on: left.pop()(exchange, pass_on) if left else pass_on()
