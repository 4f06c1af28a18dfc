"""A proxy of HTTPS that answers for every host itself: to see which hosts a program asks, and what it does with answers.

Arguments: a file with certificate and key in PEM, and a JSON object of what is answered: by host and path, such as
"go.example/a", a list of status, Location and the length of the content. Anything else is answered with 200.

It prints `port N` once it listens on the loopback interface, and then a line for each request, such as `go.example/a`.
"""

import json
import socket
import ssl
import sys
import threading

answers = json.loads(sys.argv[2])
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1])


def head(connection):
    """The first line of a request, and all its bytes up to the empty line."""
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(4096)
        if not piece:
            return ""
        received += piece
    return received.split(b"\r\n")[0].decode()


def serve(connection):
    with connection:
        line = head(connection)
        if not line.startswith("CONNECT "):
            print(f"no CONNECT: {line}", flush=True)
            return
        place = line.split(" ")[1]
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            with context.wrap_socket(connection, server_side=True) as secure:
                key = place.removesuffix(":443") + head(secure).split(" ")[1]
                print(key, flush=True)
                status, location, count = answers.get(key, [200, None, 5])
                field = f"Location: {location}\r\n" if location else ""
                secure.sendall(f"HTTP/1.1 {status} X\r\n{field}Content-Length: {count}\r\n\r\n".encode() + b"x" * count)
        except OSError:
            print(f"no TLS with {place}", flush=True)


listener = socket.create_server(("127.0.0.1", 0))
print(f"port {listener.getsockname()[1]}", flush=True)
while True:
    threading.Thread(target=serve, args=[listener.accept()[0]], daemon=True).start()
