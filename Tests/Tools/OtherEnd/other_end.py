"""The other end of a bump, written from Docs/protocol.md alone: a sender and a receiver of claims and documents in each
mode, over a connection that is already made. It has no person, so it never sends HOLD and accepts every offer. As S it
waits in R's queue; as R it serves one sender, and has a queue only for test vectors.

It uses nothing but Python's library, and the primitives of Tests/Support/Vectors.
"""

import base64
import hashlib
import pathlib
import re
import secrets
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Support/Vectors"))
import primitives
from primitives import decoded, encoded, frame, from_hash, hkdf, hmac256, lv_cat, multiplied, noise_hkdf, sha256, x25519

OPEN, CODE, KEY = 0, 1, 2
HELLO, WELCOME, PAKE_R, PAKE_S, NOISE_1, NOISE_2, SEALED, QUEUED, ABORT = 1, 2, 3, 4, 5, 6, 7, 8, 15
OFFER, HOLD, ACCEPT, DECLINE, CLAIM, STORED, REMEMBER, CHUNK, MORE, QUEUED_INSIDE = range(0x20, 0x2A)
VERSION, PROTOCOL_ERROR, AUTHENTICATION = 1, 4, 5
CHUNK_SIZE, FIRST_CHUNKS, CHUNKS_PER_MORE = 1056, 32, 16
PLACES, QUEUED_PER_PLACE = range(1, 9), 32
ORDER = 2**252 + 27742317777372353535851937790883648493


class Abort(Exception):
    """The end of a session. `reason` is what this end sent, or None if the other end sent ABORT."""

    def __init__(self, reason, text):
        super().__init__(text)
        self.reason = reason


class Wire:
    """Frames over a connected socket."""

    def __init__(self, socket):
        self.socket = socket
        self.mode = OPEN
        self.sent = []
        self.places_left = None

    def send(self, *frames):
        self.sent += frames
        self.socket.sendall(b"".join(frames))

    def read(self, *due):
        """Returns the next frame as on the wire. Judges it by its first three bytes."""
        head = self.exactly(3)
        length, kind = int.from_bytes(head[:2], "big"), head[2]
        if kind not in (*due, ABORT) or length not in self.lengths(kind):
            self.abort(PROTOCOL_ERROR, f"a frame of type {kind} and length {length} in place of type {due}")
        body = self.exactly(length - 1)
        if kind == ABORT:
            raise Abort(None, f"the other end sent ABORT {body[0]}")
        return head + body

    def lengths(self, kind):
        noise_1 = 33 if self.mode == OPEN else 49
        fixed = {HELLO: 22, WELCOME: 63, PAKE_R: 33, PAKE_S: 33, NOISE_1: noise_1, NOISE_2: 49, QUEUED: 10}
        fixed[ABORT] = 2
        return range(18, 1075) if kind == SEALED else (fixed[kind],)

    def wait(self, place):
        """Notes this end's place in the queue of R."""
        if self.places_left is None:
            self.places_left = QUEUED_PER_PLACE * place
        if place not in PLACES or self.places_left == 0:
            self.abort(PROTOCOL_ERROR, f"place {place}, or one place too many")
        self.places_left -= 1

    def exactly(self, count):
        octets = b""
        while len(octets) < count:
            more = self.socket.recv(count - len(octets))
            if not more:
                raise Abort(None, "the other end closed the connection")
            octets += more
        return octets

    def abort(self, reason, text):
        self.socket.sendall(frame(ABORT, bytes([reason])))
        raise Abort(reason, text)


class Randomness:
    """What one connection needs; fixed for test vectors."""

    def __init__(self, nonce=None, ephemeral=None, scalar=None):
        self.nonce = nonce or secrets.token_bytes(16)
        self.ephemeral = ephemeral or secrets.token_bytes(32)
        uniform = scalar or secrets.token_bytes(64)
        self.scalar = int.from_bytes(uniform, "little") % ORDER


class Handshake:
    """Noise_NN or Noise_NNpsk0, with empty payloads."""

    def __init__(self, prologue, psk):
        name = b"Noise_NNpsk0_25519_ChaChaPoly_SHA256" if psk else b"Noise_NN_25519_ChaChaPoly_SHA256"
        # Noise pads a name of at most 32 bytes with zeros, and hashes a longer one.
        self.h = name.ljust(32, b"\0") if len(name) <= 32 else sha256(name)
        self.ck, self.key, self.has_psk = self.h, None, psk is not None
        self.mix_hash(prologue)
        if psk:
            self.ck, mixed, self.key = noise_hkdf(self.ck, psk)
            self.mix_hash(mixed)

    def mix_hash(self, octets):
        self.h = sha256(self.h + octets)

    def mix_key(self, octets):
        self.ck, self.key, _ = noise_hkdf(self.ck, octets)

    def token_e(self, public):
        self.mix_hash(public)
        if self.has_psk:
            self.mix_key(public)

    def write_payload(self):
        tag = primitives.sealed(self.key, 0, self.h, b"") if self.key else b""
        self.mix_hash(tag)
        return tag

    def read_payload(self, octets):
        good = primitives.opened(self.key, 0, self.h, octets) is not None if self.key else not octets
        self.mix_hash(octets)
        return good


class Channel:
    """The encrypted channel of a session."""

    def __init__(self, wire, noise, is_receiver):
        self.wire = wire
        first, second, _ = noise_hkdf(noise.ck, b"")
        self.mine, self.theirs = (first, second) if is_receiver else (second, first)
        self.sent = self.received = 0
        self.h = noise.h
        self.digits = int.from_bytes(hkdf(noise.h, b"", b"bump/1 digits", 4), "big") % 10**6
        self.mac_key = hkdf(noise.ck, noise.h, b"bump/1 claim-mac")
        self.remembered = hkdf(noise.ck, noise.h, b"bump/1 remember")

    def sealed(self, kind, body=b""):
        octets = primitives.sealed(self.mine, self.sent, b"", bytes([kind]) + body)
        self.sent += 1
        return frame(SEALED, octets)

    def send(self, kind, body=b""):
        self.wire.send(self.sealed(kind, body))

    def read(self, *due):
        """Returns the next message's type and body."""
        message = primitives.opened(self.theirs, self.received, b"", self.wire.read(SEALED)[3:])
        self.received += 1
        if message is None:
            self.wire.abort(AUTHENTICATION, "a message that cannot be decrypted")
        if message[0] not in due:
            self.wire.abort(PROTOCOL_ERROR, f"a message of type {message[0]:#x}")
        return message[0], message[1:]

    def read_unheld(self, *due):
        """The same, after at most one HOLD."""
        kind, body = self.read(HOLD, *due)
        return self.read(*due) if kind == HOLD else (kind, body)

    def read_answer(self, *due):
        """The same, after any number of QUEUED."""
        kind, body = self.read(QUEUED_INSIDE, HOLD, *due)
        while kind == QUEUED_INSIDE:
            self.expect(len(body) == 1, "a QUEUED of another length")
            self.wire.wait(body[0])
            kind, body = self.read(QUEUED_INSIDE, HOLD, *due)
        return self.read(*due) if kind == HOLD else (kind, body)

    def mac(self, payload):
        return hmac256(self.mac_key, b"bump/1 claim\0" + self.h + payload)

    def expect(self, condition, text):
        if not condition:
            self.wire.abort(PROTOCOL_ERROR, text)


# Credentials: None in mode open, a text such as 27-482915 in mode code, 32 bytes in mode key.
def mode_of(credential):
    return OPEN if credential is None else CODE if isinstance(credential, str) else KEY


def key_hint(key, nonce_r, nonce_s):
    return hmac256(key, b"bump/1 hint" + nonce_r + nonce_s)[:8]


def queued(credential, nonce_r, nonce_s, place):
    tag = bytes(8)
    if mode_of(credential) == KEY:
        tag = hmac256(credential, b"bump/1 queued" + nonce_r + nonce_s + bytes([place]))[:8]
    return frame(QUEUED, bytes([place]) + tag)


class CPace:
    def __init__(self, code, hello, welcome, scalar):
        channel, digits = code.encode().split(b"-")
        self.sid = sha256(b"bump/1 sid" + hello + welcome)[:16]
        text = lv_cat(b"CPaceRistretto255", digits, bytes(102), lv_cat(b"bump/1 code", channel), self.sid)
        self.scalar = scalar
        self.share = encoded(multiplied(scalar, from_hash(hashlib.sha512(text).digest())))

    def psk(self, wire, peer_share, is_receiver):
        point = decoded(peer_share)
        k = encoded(multiplied(self.scalar, point)) if point else bytes(32)
        if k == bytes(32):
            wire.abort(PROTOCOL_ERROR, "a share that is not one")
        ya, yb = (self.share, peer_share) if is_receiver else (peer_share, self.share)
        isk = hashlib.sha512(lv_cat(b"CPaceRistretto255_ISK", self.sid, k) + lv_cat(ya, b"R") + lv_cat(yb, b"S"))
        return hkdf(isk.digest(), self.sid, b"bump/1 psk code")


def agreed(wire, private, public):
    shared = x25519(private, public)
    if shared == bytes(32):
        wire.abort(AUTHENTICATION, "a key of low order")
    return shared


def opened_by_receiver(wire, credential=None, random=None, places=()):
    """Opens a session as R, and returns its channel. First S waits at each of the places."""
    random = random or Randomness()
    wire.mode = mode_of(credential)
    hello = frame(HELLO, b"BUMP" + bytes([VERSION]) + random.nonce)
    wire.send(hello)
    welcome = wire.read(WELCOME)
    magic, version, mode, nonce_s = welcome[3:7], welcome[7], welcome[8], welcome[9:25]
    commit, hint = welcome[25:57], welcome[57:]
    if magic != b"BUMP":
        wire.abort(PROTOCOL_ERROR, "no WELCOME of bump")
    if version != VERSION:
        wire.abort(1, f"version {version}")
    if mode != wire.mode or mode == KEY and hint != key_hint(credential, random.nonce, nonce_s):
        wire.abort(2, f"mode {mode}")
    if mode != KEY and hint != bytes(8):
        wire.abort(PROTOCOL_ERROR, "a hint without a key")

    prologue, psk = hello + welcome, None
    if mode == KEY:
        psk = hkdf(credential, random.nonce + nonce_s, b"bump/1 psk key")
    if mode == CODE:
        pake = CPace(credential, hello, welcome, random.scalar)
        pake_r = frame(PAKE_R, pake.share)
        wire.send(pake_r)
        pake_s = wire.read(PAKE_S)
        psk = pake.psk(wire, pake_s[3:], is_receiver=True)
        prologue += pake_r + pake_s
    for place in places:
        told = queued(credential, random.nonce, nonce_s, place)
        wire.send(told)
        prologue += told
    noise = Handshake(b"bump/1\0" + prologue, psk)
    public = x25519(random.ephemeral)
    noise.token_e(public)
    wire.send(frame(NOISE_1, public + noise.write_payload()))
    noise_2 = wire.read(NOISE_2)[3:]
    if sha256(b"bump/1 commit" + noise_2[:32]) != commit:
        wire.abort(AUTHENTICATION, "another key than the committed one")
    noise.token_e(noise_2[:32])
    noise.mix_key(agreed(wire, random.ephemeral, noise_2[:32]))
    if not noise.read_payload(noise_2[32:]):
        wire.abort(AUTHENTICATION, "NOISE_2 cannot be decrypted")
    return Channel(wire, noise, is_receiver=True)


def opened_by_sender(wire, offer, credential=None, random=None):
    """Opens a session as S, sends OFFER, and returns the channel."""
    random = random or Randomness()
    wire.mode = mode_of(credential)
    hello = wire.read(HELLO)
    if hello[3:7] != b"BUMP":
        wire.abort(PROTOCOL_ERROR, "no HELLO of bump")
    if hello[7] != VERSION:
        wire.abort(1, f"version {hello[7]}")
    nonce_r, public = hello[8:24], x25519(random.ephemeral)
    hint = key_hint(credential, nonce_r, random.nonce) if wire.mode == KEY else bytes(8)
    commit = sha256(b"bump/1 commit" + public)
    welcome = frame(WELCOME, b"BUMP" + bytes([VERSION, wire.mode]) + random.nonce + commit + hint)
    wire.send(welcome)

    prologue, psk = hello + welcome, None
    if wire.mode == KEY:
        psk = hkdf(credential, nonce_r + random.nonce, b"bump/1 psk key")
    if wire.mode == CODE:
        pake_r = wire.read(PAKE_R)
        pake = CPace(credential, hello, welcome, random.scalar)
        psk = pake.psk(wire, pake_r[3:], is_receiver=False)
        pake_s = frame(PAKE_S, pake.share)
        wire.send(pake_s)
        prologue += pake_r + pake_s
    noise_1 = wire.read(NOISE_1, *([] if wire.mode == CODE else [QUEUED]))
    while noise_1[2] == QUEUED:
        wire.wait(noise_1[3])
        if noise_1 != queued(credential, nonce_r, random.nonce, noise_1[3]):
            wire.abort(AUTHENTICATION if wire.mode == KEY else PROTOCOL_ERROR, "a QUEUED with another tag")
        prologue += noise_1
        noise_1 = wire.read(NOISE_1, QUEUED)
    noise_1 = noise_1[3:]
    noise = Handshake(b"bump/1\0" + prologue, psk)
    noise.token_e(noise_1[:32])
    if not noise.read_payload(noise_1[32:]):
        wire.abort(AUTHENTICATION, "NOISE_1 cannot be decrypted")
    noise.token_e(public)
    noise.mix_key(agreed(wire, random.ephemeral, noise_1[:32]))
    noise_2 = frame(NOISE_2, public + noise.write_payload())
    channel = Channel(wire, noise, is_receiver=False)
    wire.send(noise_2, channel.sealed(OFFER, offer))
    return channel


# Values, with one encoding each.
NAME = r'"from":"((?:[^"\\\x00-\x1f]|\\"|\\\\|\\u00[01][0-9a-f])+)"'
TERMS = r'"token":"([A-Z0-9]{1,12})","amount":((?:0|[1-9][0-9]*)\.[0-9]{2}(?:[0-9]{0,3}[1-9])?)'
CLAIM_ID = r'"claimId":"([A-Za-z0-9_][A-Za-z0-9_-]{0,63})"'
NUMBER = r"(0|[1-9][0-9]*)"
CLAIM_OFFER = re.compile(r'\{"v":1,%s,%s,"expiry":%s,%s\}' % (CLAIM_ID, TERMS, NUMBER, NAME))
CLAIM_PAYLOAD = re.compile(r'\{"v":1,%s,"secret":"([A-Za-z0-9+/]{22}==)",%s\}' % (CLAIM_ID, TERMS))
DOCUMENT_OFFER = re.compile(
    r'\{"v":1,"kind":"(vcard|link)","length":%s,"sha256":"([0-9a-f]{64})",%s\}' % (NUMBER, NAME)
)


def quoted(name):
    text = name.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub("[\x01-\x1f]", lambda each: f"\\u{ord(each[0]):04x}", text) + '"'


def claim_offer(claim_id, token, amount, expiry, name):
    terms = f'"claimId":"{claim_id}","token":"{token}","amount":{amount},"expiry":{expiry}'
    return f'{{"v":1,{terms},"from":{quoted(name)}}}'.encode()


def claim_payload(claim_id, secret, token, amount):
    secret = base64.b64encode(secret).decode()
    return f'{{"v":1,"claimId":"{claim_id}","secret":"{secret}","token":"{token}","amount":{amount}}}'.encode()


def new_claim_id():
    while True:
        text = base64.urlsafe_b64encode(secrets.token_bytes(16)).decode().rstrip("=")
        if text[0] != "-":
            return text


def link_mac(link, claim_id, key):
    """The mac of a link up to but without `&m=`. The key is a shared key, or the claim's secret."""
    mac = hmac256(hkdf(key, claim_id.encode(), b"bump/1 link-mac"), b"bump/1 link\0" + link.encode())
    return base64.urlsafe_b64encode(mac[:16]).decode().rstrip("=")


def claim_link(claim_id, secret, token, amount, expiry, base="https://irl.app/claim", key=None):
    text = base64.urlsafe_b64encode(secret).decode().rstrip("=")
    link = f"{base}/{claim_id}#s={text}&a={amount}&t={token}&x={expiry}"
    return f"{link}&m={link_mac(link, claim_id, key or secret)}"


def accepted(channel, name, remember=False):
    if remember:
        channel.send(REMEMBER, b"\0")
    name = name.encode()
    channel.send(ACCEPT, bytes([len(name)]) + name)


def receive_claim(channel, name, remember=False):
    """Accepts the offered claim, and returns its payload. With `remember` the sender must keep the key, too."""
    _, offer = channel.read(OFFER)
    terms = CLAIM_OFFER.fullmatch(offer.decode())
    channel.expect(terms, "an offer in another encoding")
    accepted(channel, name, remember)
    kind, body = channel.read_unheld(CLAIM, DECLINE, *([REMEMBER] if remember else []))
    keeps = kind == REMEMBER and body == b"\0"
    if kind == REMEMBER:
        kind, body = channel.read(CLAIM)
    if kind == DECLINE:
        return None
    mac, payload = body[:32], body[32:]
    claim = CLAIM_PAYLOAD.fullmatch(payload.decode()) if mac == channel.mac(payload) else None
    if not claim or (claim[1], *claim.group(3, 4)) != (terms[1], *terms.group(2, 3)):
        channel.send(STORED, b"\4")
        return None
    if keeps:
        channel.send(REMEMBER, b"\0")
    channel.send(STORED, b"\0")
    return claim


def send_claim(channel, payload, remember=False):
    """Waits for ACCEPT, sends the claim, and returns the receiver's name and the status of STORED.

    With `remember` the receiver must ask for it and keep the key, too.
    """
    kind, body = channel.read_answer(ACCEPT, DECLINE, *([REMEMBER] if remember else []))
    if kind == REMEMBER:
        channel.expect(body == b"\0", "a first REMEMBER that is no yes")
        kind, body = channel.read(ACCEPT)
        channel.send(REMEMBER, b"\0")
    elif remember:
        return None
    if kind == DECLINE:
        return None
    channel.send(CLAIM, channel.mac(payload) + payload)
    if remember and channel.read(REMEMBER)[1] != b"\0":
        return None
    _, status = channel.read(STORED)
    return body[1:].decode(), status[0]


def document_offer(kind, document, name):
    digest = hashlib.sha256(document).hexdigest()
    return f'{{"v":1,"kind":"{kind}","length":{len(document)},"sha256":"{digest}","from":{quoted(name)}}}'.encode()


def receive_document(channel, name):
    """Accepts the offered document, and returns its kind and its bytes."""
    _, offer = channel.read(OFFER)
    terms = DOCUMENT_OFFER.fullmatch(offer.decode())
    channel.expect(terms, "an offer in another encoding")
    accepted(channel, name)
    length, document, chunks = int(terms[2]), b"", 0
    while len(document) < length:
        kind, body = (channel.read if document else channel.read_unheld)(CHUNK, *([] if document else [DECLINE]))
        if kind == DECLINE:
            return None
        channel.expect(len(body) == min(CHUNK_SIZE, length - len(document)), "a CHUNK of another length")
        document += body
        chunks += 1
        if chunks % CHUNKS_PER_MORE == 0 and len(document) < length:
            channel.send(MORE)
    good = hashlib.sha256(document).hexdigest() == terms[3]
    channel.send(STORED, b"\0" if good else b"\4")
    return (terms[1], document) if good else None


def send_document(channel, document):
    """Waits for ACCEPT, sends the document, and returns the receiver's name and the status of STORED."""
    kind, body = channel.read_answer(ACCEPT, DECLINE)
    if kind == DECLINE:
        return None
    chunks = [document[i : i + CHUNK_SIZE] for i in range(0, len(document), CHUNK_SIZE)]
    allowed, sent = FIRST_CHUNKS, 0
    mores = (len(chunks) - 1) // CHUNKS_PER_MORE
    while True:
        while sent < min(allowed, len(chunks)):
            channel.send(CHUNK, chunks[sent])
            sent += 1
        kind, answer = channel.read(*([MORE] if mores else []), *([STORED] if sent == len(chunks) else []))
        if kind == STORED:
            return body[1:].decode(), answer[0]
        allowed, mores = allowed + CHUNKS_PER_MORE, mores - 1
