"""heavy.py ADDRESS SECONDS: multicasts 120 heavy packets a second from that address, in turn of two kinds.

Each has 8.7 kB or more, as large as a packet of multicast DNS may be (RFC 6762 §17), and 650 questions for one name, to
which it knows 250 answers: for the service type of bump, or for one of the longest names that there may be.
"""

import socket
import struct
import sys
import time

GROUP, PORT, POINTER = ("224.0.0.251", 5353), 5353, 12
RATE, QUESTIONS, ANSWERS = 120, 650, 250


def name(*labels):
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def packet(owner):
    """By RFC 1035 §4; the first name is at the byte 12."""
    head = struct.pack(">6H", 0, 0, QUESTIONS, ANSWERS, 0, 0)
    question, place = struct.pack(">HH", POINTER, 1), b"\xc0\x0c"
    # The data is a name of four letters before the owner's.
    answers = [
        place + struct.pack(">HHIH", POINTER, 1, 120, 7) + b"\x04%04x" % number + place for number in range(ANSWERS)]
    return head + owner + question + (QUESTIONS - 1) * (place + question) + b"".join(answers)


address, seconds = sys.argv[1], float(sys.argv[2])
link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
link.bind((address, PORT))
packets = [packet(name(b"_irl-bump", b"_tcp", b"local")), packet(name(*[b"a"] * 124))]
print("begun", flush=True)
begin = time.monotonic()
for number in range(int(seconds * RATE)):
    time.sleep(max(0, begin + number / RATE - time.monotonic()))
    link.sendto(packets[number % len(packets)], GROUP)
