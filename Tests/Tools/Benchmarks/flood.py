"""flood.py HOST PORT SECONDS: strangers that ask a sender who it is, four at a time, until nobody listens; then how many.

They say HELLO, read WELCOME and leave. That costs them no cryptography, and the sender a key and its commitment. One that
went further would draw digits, and after three of those the sender lets nobody else in.
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
print(json.dumps({"welcomes": sum(done), "refused": sum(refused), "seconds": time.monotonic() - begin}), flush=True)
