#!/usr/bin/env python3
"""Writes remembering.json: whole sessions in which both ends remember each other, with fixed randomness.

A second implementation of Docs/protocol.md, written from that page and from the standards that it names, with nothing
but Python's library (primitives.py). It makes the session that the page prints first, and stops where that differs.
"""
import hashlib, json, pathlib, sys
from primitives import (
    encoded, frame, from_hash, hkdf, hmac256, lv_cat, multiplied, noise_hkdf, sealed, sha256, x25519,
)

VERSION = 1


class Session:
    """One session in mode code in which both ends ask their person, frame by frame."""

    def __init__(self, fixed):
        given = {name: bytes.fromhex(fixed[name]) for name in ("nonceR", "nonceS", "ephemeralR", "ephemeralS", "ya", "yb")}
        public_r, public_s = x25519(given["ephemeralR"]), x25519(given["ephemeralS"])
        commit = sha256(b"bump/1 commit" + public_s)
        hello = frame(1, b"BUMP" + bytes([VERSION]) + given["nonceR"])
        welcome = frame(2, b"BUMP" + bytes([VERSION, 1]) + given["nonceS"] + commit + bytes(8))

        channel, digits = fixed["code"].encode().split(b"-")
        sid = sha256(b"bump/1 sid" + hello + welcome)[:16]
        generator = lv_cat(b"CPaceRistretto255", digits, bytes(102), lv_cat(b"bump/1 code", channel), sid)
        g = from_hash(hashlib.sha512(generator).digest())
        ya, yb = (int.from_bytes(given[name], "little") for name in ("ya", "yb"))
        share_r, share_s = encoded(multiplied(ya, g)), encoded(multiplied(yb, g))
        k = encoded(multiplied(yb, multiplied(ya, g)))
        isk = hashlib.sha512(
            lv_cat(b"CPaceRistretto255_ISK", sid, k) + lv_cat(share_r, b"R") + lv_cat(share_s, b"S")
        ).digest()
        psk = hkdf(isk, sid, b"bump/1 psk code")
        self.frames = [hello, welcome, frame(3, share_r), frame(4, share_s)]

        # Noise_NNpsk0: -> psk, e   <- e, ee
        h = ck = sha256(b"Noise_NNpsk0_25519_ChaChaPoly_SHA256")
        h = sha256(h + b"bump/1\x00" + b"".join(self.frames))
        ck, mixed, key = noise_hkdf(ck, psk)
        h = sha256(sha256(h + mixed) + public_r)
        ck, key, _ = noise_hkdf(ck, public_r)
        tag = sealed(key, 0, h, b"")
        h = sha256(h + tag)
        self.frames.append(frame(5, public_r + tag))
        h = sha256(h + public_s)
        ck, key, _ = noise_hkdf(ck, public_s)
        ck, key, _ = noise_hkdf(ck, x25519(given["ephemeralS"], public_r))
        tag = sealed(key, 0, h, b"")
        h = sha256(h + tag)
        self.frames.append(frame(6, public_s + tag))
        to_s, to_r, _ = noise_hkdf(ck, b"")
        self.keys, self.counts = {"R": to_s, "S": to_r}, {"R": 0, "S": 0}
        self.h = h
        self.digits = int.from_bytes(hkdf(h, b"", b"bump/1 digits", 4), "big") % 10**6
        self.mac_key = hkdf(ck, h, b"bump/1 claim-mac")
        self.remember_key = hkdf(ck, h, b"bump/1 remember")
        claim = fixed["claim"].encode()
        self.mac = hmac256(self.mac_key, b"bump/1 claim\x00" + h + claim)
        self.claim, self.offer = b"\x24" + self.mac + claim, b"\x20" + fixed["offer"].encode()
        self.said = []

    def say(self, end, message):
        self.frames.append(frame(7, sealed(self.keys[end], self.counts[end], b"", message)))
        self.counts[end] += 1
        self.said.append({"from": end, "message": message.hex()})


HOLD, ACCEPT, STORED = b"\x21\x3c", b"\x22\x03bob", b"\x25\x00"


def remember(answer):
    return bytes([0x26, answer])


# The session in mode code that Docs/protocol.md prints.
ON_THE_PAGE = {
    "code": "27-482915",
    "nonceR": "6181206487f37666be6db2e26a7a290e",
    "nonceS": "3e16902d7530a0b4869ad0730c640306",
    "ephemeralR": "ed67d2ba3669d20ec6a0ca13d5287b39f1e83d371550cbb06abd1dcd680a820c",
    "ephemeralS": "3a9568f089830672757984106bcd1aaa1fb486fac95af918fab244d2ed5e2632",
    "ya": "72468cea5cc5c77940f45a9c7cdce288feb1ffd7ec062953159257ecc15b2903",
    "yb": "6d71935ccb6ee7e88d784bd7a3781b6cf374bef60684e062566c8307cd27ee0a",
    "offer": '{"v":1,"claimId":"bumpVectorClaim0000001","token":"USDC","amount":1.00,"expiry":1795300000,"from":"alice"}',
    "claim": '{"v":1,"claimId":"bumpVectorClaim0000001","secret":"1tx8xuI+QidbBACxcv8BLA==","token":"USDC","amount":1.00}',
}


def check_the_page():
    session = Session(ON_THE_PAGE)
    for end, message in (("S", session.offer), ("R", HOLD), ("R", ACCEPT), ("S", HOLD), ("S", session.claim), ("R", STORED)):
        session.say(end, message)
    expected = {
        "h": "17b77b7dd8d32f9e41f93d892f5b83f09f590107e3f07339d3c648e504bdc64d",
        "mac": "688c4c893ebb11cdc4c0381e988e6d3fc487ddfff907fc29f48fcd6daba7bea3",
        "stored": "00130764059f424eba5f6918b926f1f6bad4954e54",
    }
    made = {"h": session.h.hex(), "mac": session.mac.hex(), "stored": session.frames[-1].hex()}
    if made != expected or session.digits != 428721:
        sys.exit(f"the session comes out otherwise than Docs/protocol.md has it: {made}")


def drawn(seed):
    """Keys and nonces of a session of the code 42-070605, drawn from a seed."""
    octets = lambda label, count: hashlib.sha512(f"{seed} {label}".encode()).digest()[:count].hex()
    # Below 2^252, so below the order of the group.
    scalar = lambda label: octets(label, 31) + "01"
    return dict(
        code="42-070605", nonceR=octets("nonceR", 16), nonceS=octets("nonceS", 16),
        ephemeralR=octets("ephemeralR", 32), ephemeralS=octets("ephemeralS", 32), ya=scalar("ya"), yb=scalar("yb"),
    )


def vector(name, seed, wish, answer, kept):
    """A session; an answer that is None is left out."""
    fixed = dict(ON_THE_PAGE, **drawn(seed))
    session = Session(fixed)
    said = lambda value: [] if value is None else [remember(value)]
    for end, messages in (
        ("S", [session.offer]), ("R", [HOLD] + said(wish) + [ACCEPT]),
        ("S", [HOLD] + said(answer) + [session.claim]), ("R", said(kept) + [STORED]),
    ):
        for message in messages:
            session.say(end, message)
    return {
        "name": name, **fixed, "handshakeHash": session.h.hex(), "digits": f"{session.digits:06}",
        "claimMAC": session.mac.hex(), "rememberKey": session.remember_key.hex(), "said": session.said,
        "frames": [octets.hex() for octets in session.frames],
    }


if __name__ == "__main__":
    check_the_page()
    vectors = [
        vector("both remember", "bump remembering, first", 0, 0, 0),
        vector("the sender was not asked to", "bump remembering, second", 0, 1, None),
        vector("the receiver's name is taken", "bump remembering, third", 0, 0, 2),
    ]
    pathlib.Path(__file__).with_name("remembering.json").write_text(json.dumps(vectors, indent=1) + "\n")
