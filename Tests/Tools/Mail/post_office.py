"""A server of mail, aiosmtpd, that notes what it is told and behaves as a test wants it to."""

import asyncio
import email
import email.policy
import re
import threading

from aiosmtpd.smtp import SMTP, AuthResult
from events import happened, until


class Letter:
    """A message that came whole, up to the dot at its end."""

    def __init__(self, envelope):
        self.sender, self.recipients = envelope.mail_from, list(envelope.rcpt_tos)
        message = email.message_from_bytes(envelope.original_content, policy=email.policy.default)
        self.to, self.id = str(message["To"]), str(message["Message-ID"])
        self.code = re.match(r"(\d{6})\r?\n", message.get_body(("plain",)).get_content())[1]


class Connection(SMTP):
    """One connection, with all that came on it: in the clear, and under TLS."""

    def __init__(self, office, **options):
        super().__init__(office, **options)
        self.office, self.clear, self.covered, self.has_ended = office, b"", b"", False

    def connection_made(self, transport):
        super().connection_made(transport)
        self.is_covered = transport.get_extra_info("ssl_object") is not None
        if self not in self.office.connections:
            self.office.connections.append(self)
        happened()

    def data_received(self, data):
        if self.is_covered:
            self.covered += data
        else:
            self.clear += data
        super().data_received(data)
        happened()

    def connection_lost(self, error):
        self.has_ended = True
        super().connection_lost(error)
        happened()

    def commands(self):
        """The first words of the lines that came, without those of messages."""
        lines = re.sub(rb"(DATA\r\n).*?\r\n\.\r\n", rb"\1", self.clear + self.covered, flags=re.DOTALL).split(b"\r\n")
        return [line.split(b" ")[0].decode("latin-1") for line in lines[:-1]]

    async def _handle_client(self):
        try:
            await self.office.greeting(self)
        except asyncio.CancelledError:
            self._writer.close()
            raise
        await super()._handle_client()

    async def push(self, status):
        await self.office.pace(self, status)
        await super().push(status)

    async def smtp_STARTTLS(self, argument):
        await self.office.before_tls(self)
        await super().smtp_STARTTLS(argument)

    async def smtp_DATA(self, argument):
        if self.office.breaks_off > 0:
            self.office.breaks_off -= 1
            await self.push("354 go on")
            await self._reader.readuntil(b"\r\n")
            self.transport.abort()
            return
        await super().smtp_DATA(argument)


class Gate:
    """What a server waits at until the test opens it."""

    def __init__(self, office):
        self.office, self.event, self.waiting = office, asyncio.Event(), 0

    async def __call__(self, *_):
        self.waiting += 1
        happened()
        await self.event.wait()

    def open(self):
        self.office.loop.call_soon_threadsafe(self.event.set)


async def nothing(*_):
    """As aiosmtpd does it."""


class PostOffice:
    """The server, in a thread of its own, until the end of `with`.

    `greeting`, `before_tls` and `pace` are awaited before the greeting, the answer to STARTTLS and each line it sends.
    `recipient` and `message` return what is answered to a recipient and to a message, or None for 250. The next
    `breaks_off` messages end with the connection, after their first line.
    """

    def __init__(self, tls=None, is_implicit=False, password=None, wants_password=False):
        self.tls, self.is_implicit = tls, is_implicit
        self.password, self.wants_password = password, wants_password or password is not None
        self.greeting = self.before_tls = self.pace = self.recipient = self.message = nothing
        self.breaks_off, self.connections, self.letters, self.refused = 0, [], [], []

    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(lambda *_: None)
        self.server = self.loop.run_until_complete(
            self.loop.create_server(self.connection, "127.0.0.1", 0, ssl=self.tls if self.is_implicit else None)
        )
        self.port = self.server.sockets[0].getsockname()[1]
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        return self

    def __exit__(self, *_):
        async def end():
            self.server.close()
            for connection in self.connections:
                if connection.transport is not None:
                    connection.transport.abort()
            # The handlers of connections end with them.
            rest = asyncio.all_tasks() - {asyncio.current_task()}
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)
            self.loop.stop()

        self.loop.call_soon_threadsafe(lambda: self.loop.create_task(end()))
        self.thread.join(20)
        self.loop.close()

    def connection(self):
        is_plain = self.tls is None or self.is_implicit
        return Connection(
            self,
            loop=self.loop,
            hostname="mail.test",
            tls_context=None if is_plain else self.tls,
            auth_required=self.wants_password,
            # aiosmtpd knows of TLS by STARTTLS alone.
            auth_require_tls=not is_plain,
            authenticator=self.authenticated,
        )

    def authenticated(self, server, session, envelope, mechanism, data):
        is_right = (data.login, data.password) == (b"codes", (self.password or "").encode())
        return AuthResult(success=is_right, handled=False)

    async def handle_RCPT(self, server, session, envelope, address, options):
        answer = await self.recipient(server, address)
        if answer:
            self.refused.append(address)
            happened()
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.letters.append(Letter(envelope))
        happened()
        return await self.message(server) or "250 OK"

    def gate(self):
        return Gate(self)

    def to(self, address):
        """The messages to an address."""
        return [letter for letter in self.letters if letter.recipients == [address] and letter.to == address]

    def code(self, address):
        """The code of the one message to an address, once it has come."""
        letters = until(lambda: self.to(address), f"a message to {address}")
        return letters[-1].code
