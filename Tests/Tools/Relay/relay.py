"""A Nostr relay over TLS that answers every request with the same messages.

Arguments: a file with certificate and key in PEM, an address, a port, and the messages. It prints `ready` once it listens.
"""

import base64
import hashlib
import socket
import ssl
import struct
import sys

pem, address, port, *messages = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(pem)


def serve(stream):
    """One connection of WebSocket (RFC 6455): the upgrade, the request, and the messages in frames that are not masked."""
    key = b""
    while (line := stream.readline()).strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"sec-websocket-key":
            key = value.strip()
    accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
    stream.write(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
    )
    stream.flush()
    stream.read(2)
    for message in messages:
        content = message.encode()
        stream.write(struct.pack(">BBH", 0x81, 126, len(content)) + content)
    stream.flush()
    stream.read()


listener = socket.create_server((address, int(port)))
print("ready", flush=True)
while True:
    client = listener.accept()[0]
    try:
        with context.wrap_socket(client, server_side=True) as secure:
            serve(secure.makefile("rwb"))
    except OSError as error:
        print(f"the connection ended: {error}", flush=True)
