"""flood.py HOST PORT SECONDS: handshakes of strangers, four at a time, until nobody listens; then their number.

A handshake is the whole of it: HELLO, WELCOME, NOISE_1 and NOISE_2. In mode open NOISE_1 is nothing but a public key of
X25519, and any 32 bytes are one: it costs the stranger no cryptography, and the sender all of its own.
"""

import json
import os
import socket
import sys
import threading
import time

host, port, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
done, refused = [0] * 4, [0] * 4


def frame(kind, body):
    return (len(body) + 1).to_bytes(2, "big") + bytes([kind]) + body


def read(connection, kind):
    """Reads a frame of that type; false where another one or the end comes."""
    with connection.makefile("rb", buffering=0) as stream:
        head = stream.read(3)
        while head and len(head) < 3:
            head += stream.read(3 - len(head)) or b"\0\0\0"
        left = int.from_bytes(head[:2], "big") - 1 if head else 0
        while left > 0 and (chunk := stream.read(left)):
            left -= len(chunk)
        return bool(head) and head[2] == kind and left == 0


def stranger(number, end):
    while time.monotonic() < end:
        try:
            with socket.create_connection((host, port), timeout=5) as connection:
                connection.sendall(frame(0x01, b"BUMP\x01" + os.urandom(16)))
                if read(connection, 0x02):
                    connection.sendall(frame(0x05, os.urandom(32)))
                    if read(connection, 0x06):
                        done[number] += 1
                        continue
        except ConnectionRefusedError:
            return
        except OSError:
            pass
        refused[number] += 1


print("begun", flush=True)
begin = time.monotonic()
strangers = [threading.Thread(target=stranger, args=(number, begin + seconds)) for number in range(4)]
for thread in strangers:
    thread.start()
for thread in strangers:
    thread.join()
print(json.dumps({"handshakes": sum(done), "refused": sum(refused), "seconds": time.monotonic() - begin}), flush=True)
