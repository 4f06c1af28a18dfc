#!/usr/bin/env python3
"""Writes card.json: a whole session with a card, with fixed randomness.

The handshake is that of remembering.py; what is said in it is written from Docs/protocol.md.
"""
import hashlib, json, pathlib
from remembering import ACCEPT, HOLD, STORED, ON_THE_PAGE, Session, check_the_page, drawn

CHUNK, MORE_AFTER = 1056, 16
# The last of 17 CHUNKs is short.
HEAD, TAIL = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Public;Jo;;;\r\nFN:Jo Public\r\nNOTE:", "\r\nEND:VCARD\r\n"
card = (HEAD + "".join(chr(97 + i % 26) for i in range(17000 - len(HEAD) - len(TAIL))) + TAIL).encode()

check_the_page()
fixed = dict(ON_THE_PAGE, **drawn("bump card"))
session = Session(fixed)
offer = '{"v":1,"kind":"vcard","length":%d,"sha256":"%s","from":"alice"}' % (len(card), hashlib.sha256(card).hexdigest())
chunks = [b"\x27" + card[i : i + CHUNK] for i in range(0, len(card), CHUNK)]
frames = {"S": [], "R": []}
for end, messages in (
    ("S", [b"\x20" + offer.encode()]), ("R", [HOLD, ACCEPT]), ("S", [HOLD] + chunks),
    ("R", [b"\x28"] * ((len(chunks) - 1) // MORE_AFTER) + [STORED]),
):
    for message in messages:
        session.say(end, message)
        frames[end].append(session.frames[-1].hex())
# HELLO, PAKE_R and NOISE_1 are R's.
opening = [octets.hex() for octets in session.frames[:6]]
vector = {
    **{name: fixed[name] for name in ("code", "nonceR", "nonceS", "ephemeralR", "ephemeralS", "ya", "yb")},
    "card": card.decode(), "offer": offer, "digits": f"{session.digits:06}",
    "fromR": opening[0::2] + frames["R"], "fromS": opening[1::2] + frames["S"],
}
pathlib.Path(__file__).with_name("card.json").write_text(json.dumps(vector, indent=1) + "\n")
