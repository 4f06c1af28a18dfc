#!/usr/bin/env python3
"""Writes remembering.json: whole sessions in which both ends remember each other, with fixed randomness.

A second implementation of Docs/protocol.md, written from that page and from the standards that it names, with nothing
but Python's library. It makes the session that the page prints first, and stops where that differs.
"""
import hashlib, hmac, json, pathlib, sys

# Field of 2^255 - 19 and ristretto255 (RFC 9496, section 4; the constants are those of 4.1).
P = 2**255 - 19
D = 37095705934669439343138083508754565189542113879843219016388785533085940283555
SQRT_M1 = 19681161376707505956807079304988542015446066515923890162744021073123829784752
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578
ONE_MINUS_D_SQ = 1159843021668779879193775521855586647937357759715417654439879720876111806838
D_MINUS_ONE_SQ = 40440834346308536858101042469323190826248399146238708352240133220865137265952


def absolute(x):
    return P - x if x % 2 else x


def sqrt_ratio_m1(u, v):
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    if check in (-u % P, -u * SQRT_M1 % P):
        r = r * SQRT_M1 % P
    return check in (u % P, -u % P), absolute(r)


def mapped(t):
    r = SQRT_M1 * t * t % P
    u, v = (r + 1) * ONE_MINUS_D_SQ % P, (-1 - r * D) * (r + D) % P
    is_square, s = sqrt_ratio_m1(u, v)
    if not is_square:
        s = -absolute(s * t % P) % P
    n = ((-1 if is_square else r) * (r - 1) * D_MINUS_ONE_SQ - v) % P
    w0, w1, w2, w3 = 2 * s * v, n * SQRT_AD_MINUS_ONE, 1 - s * s, 1 + s * s
    return tuple(w % P for w in (w0 * w3, w2 * w1, w1 * w3, w0 * w2))


def added(a, b):
    """Extended coordinates of the twisted Edwards curve with a = -1 (RFC 8032, section 5.1.4)."""
    x = (a[1] - a[0]) * (b[1] - b[0])
    y = (a[1] + a[0]) * (b[1] + b[0])
    t, z = 2 * a[3] * b[3] * D, 2 * a[2] * b[2]
    e, f, g, h = y - x, z - t, z + t, y + x
    return tuple(c % P for c in (e * f, g * h, f * g, e * h))


def multiplied(scalar, point):
    result = (0, 1, 1, 0)
    for bit in bin(scalar)[2:]:
        result = added(result, result)
        if bit == "1":
            result = added(result, point)
    return result


def encoded(point):
    x, y, z, t = point
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    _, inverse = sqrt_ratio_m1(1, u1 * u2 * u2 % P)
    d1, d2 = inverse * u1 % P, inverse * u2 % P
    z_inverse = d1 * d2 * t % P
    d = d2
    if t * z_inverse % P % 2:
        x, y, d = y * SQRT_M1 % P, x * SQRT_M1 % P, d1 * INVSQRT_A_MINUS_D % P
    if x * z_inverse % P % 2:
        y = -y % P
    return absolute(d * (z - y) % P).to_bytes(32, "little")


def from_hash(octets):
    halves = (octets[:32], octets[32:])
    return added(*(mapped((int.from_bytes(half, "little") & (2**255 - 1)) % P) for half in halves))


# X25519 (RFC 7748, section 5).
def x25519(private, public=(9).to_bytes(32, "little")):
    k = int.from_bytes(private, "little") & ~7 & (2**254 - 1) | 2**254
    u = int.from_bytes(public, "little") & (2**255 - 1)
    x2, z2, x3, z3, swap = 1, 0, u, 1, 0
    for bit in reversed(range(255)):
        if swap ^ (k >> bit & 1):
            x2, z2, x3, z3 = x3, z3, x2, z2
        swap = k >> bit & 1
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        da, cb, aa, bb = d * a, c * b, a * a, b * b
        x3, z3 = (da + cb) ** 2 % P, u * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, (aa - bb) * (aa + 121665 * (aa - bb)) % P
    if swap:
        x2, z2 = x3, z3
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


# ChaCha20-Poly1305 (RFC 8439), with Noise's nonce: four zero bytes, then the count (Noise revision 34, section 12.3).
def chacha20_block(key, count, nonce):
    words = [int.from_bytes(part[i : i + 4], "little") for part in (b"expand 32-byte k", key) for i in range(0, len(part), 4)]
    words += [count] + [int.from_bytes(nonce[i : i + 4], "little") for i in range(0, 12, 4)]
    state = list(words)

    def quarter(a, b, c, d):
        for x, y, z, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[x] = (state[x] + state[y]) & 0xFFFFFFFF
            turned = state[z] ^ state[x]
            state[z] = (turned << bits | turned >> 32 - bits) & 0xFFFFFFFF

    for _ in range(10):
        for column in range(4):
            quarter(column, 4 + column, 8 + column, 12 + column)
        for diagonal in range(4):
            quarter(diagonal, 4 + (diagonal + 1) % 4, 8 + (diagonal + 2) % 4, 12 + (diagonal + 3) % 4)
    return b"".join((a + b & 0xFFFFFFFF).to_bytes(4, "little") for a, b in zip(words, state))


def sealed(key, number, associated, plain):
    nonce = bytes(4) + number.to_bytes(8, "little")
    stream = b"".join(chacha20_block(key, 1 + i, nonce) for i in range(-(-len(plain) // 64)))
    cipher = bytes(a ^ b for a, b in zip(plain, stream))
    one_time = chacha20_block(key, 0, nonce)
    r = int.from_bytes(one_time[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    padded = lambda octets: octets + bytes(-len(octets) % 16)
    text = padded(associated) + padded(cipher) + len(associated).to_bytes(8, "little") + len(cipher).to_bytes(8, "little")
    tag = 0
    for i in range(0, len(text), 16):
        tag = (tag + int.from_bytes(text[i : i + 16] + b"\x01", "little")) * r % (2**130 - 5)
    return cipher + ((tag + int.from_bytes(one_time[16:], "little")) % 2**128).to_bytes(16, "little")


# The protocol.
def sha256(octets):
    return hashlib.sha256(octets).digest()


def hmac256(key, octets):
    return hmac.digest(key, octets, "sha256")


def hkdf(key, salt, info, length=32):
    """RFC 5869; no more than one block is ever needed."""
    return hmac256(hmac256(salt or bytes(32), key), info + b"\x01")[:length]


def noise_hkdf(ck, key):
    """Noise's HKDF: RFC 5869 with the chaining key as salt and no info. Three outputs; who needs two takes two."""
    first = hmac256(hmac256(ck, key), b"\x01")
    second = hmac256(hmac256(ck, key), first + b"\x02")
    return first, second, hmac256(hmac256(ck, key), second + b"\x03")


def lv_cat(*strings):
    return b"".join(bytes([len(string)]) + string for string in strings)


def frame(kind, body):
    return (len(body) + 1).to_bytes(2, "big") + bytes([kind]) + body


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
