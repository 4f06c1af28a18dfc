"""What the standards define that Docs/protocol.md names, with nothing but Python's library: ristretto255, X25519,
ChaCha20-Poly1305, HKDF. It is slow, and its time depends on secrets: for tests only.
"""
import hashlib, hmac

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


def decoded(octets):
    """The point of an encoded element (RFC 9496, section 4.3.1); None if the bytes do not encode one."""
    s = int.from_bytes(octets, "little")
    if len(octets) != 32 or s >= P or s % 2:
        return None
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    is_square, inverse = sqrt_ratio_m1(1, v * u2 * u2 % P)
    x_part = inverse * u2 % P
    y_part = inverse * x_part * v % P
    x, y = absolute(2 * s * x_part % P), u1 * y_part % P
    t = x * y % P
    return None if not is_square or t % 2 or y == 0 else (x, y, 1, t)


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


def ciphered(key, nonce, octets):
    stream = b"".join(chacha20_block(key, 1 + i, nonce) for i in range(-(-len(octets) // 64)))
    return bytes(a ^ b for a, b in zip(octets, stream))


def tagged(key, nonce, associated, cipher):
    one_time = chacha20_block(key, 0, nonce)
    r = int.from_bytes(one_time[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    padded = lambda octets: octets + bytes(-len(octets) % 16)
    text = padded(associated) + padded(cipher) + len(associated).to_bytes(8, "little") + len(cipher).to_bytes(8, "little")
    tag = 0
    for i in range(0, len(text), 16):
        tag = (tag + int.from_bytes(text[i : i + 16] + b"\x01", "little")) * r % (2**130 - 5)
    return ((tag + int.from_bytes(one_time[16:], "little")) % 2**128).to_bytes(16, "little")


def sealed(key, number, associated, plain):
    nonce = bytes(4) + number.to_bytes(8, "little")
    cipher = ciphered(key, nonce, plain)
    return cipher + tagged(key, nonce, associated, cipher)


def opened(key, number, associated, octets):
    """The plain bytes; None if the tag is wrong."""
    nonce = bytes(4) + number.to_bytes(8, "little")
    cipher, tag = octets[:-16], octets[-16:]
    return ciphered(key, nonce, cipher) if hmac.compare_digest(tag, tagged(key, nonce, associated, cipher)) else None


# Hashes and keys.
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
