"""A claim's keys, signatures and texts a second time: by libsecp256k1, OpenSSL's SHA-256 and pycryptodome's Keccak."""

import base64
import hmac

import coincurve
from Crypto.Hash import keccak

# SEC 2 §2.4.1
P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141


def hexed(data):
    return "0x" + data.hex()


def word(value):
    return value.rjust(32, b"\0") if isinstance(value, bytes) else int(value).to_bytes(32, "big")


def keccak256(message):
    return keccak.new(digest_bits=256, data=message).digest()


def hash_words(*values):
    return keccak256(b"".join(map(word, values)))


def hkdf(secret, salt, info, count):
    """RFC 5869."""
    key, block, output = hmac.digest(salt or bytes(32), secret, "sha256"), b"", b""
    while len(output) < count:
        block = hmac.digest(key, block + info + bytes([len(output) // 32 + 1]), "sha256")
        output += block
    return output[:count]


def claim_key(secret, claim_id):
    return int.from_bytes(hkdf(secret, b"", b"bump/1 claim key\0" + claim_id.encode(), 48), "big") % (N - 1) + 1


def address_of_point(point):
    return keccak256(point.format(compressed=False)[1:])[12:]


def address_of(key):
    return address_of_point(coincurve.PrivateKey.from_int(key).public_key)


def digest(chain_id, vault, kind, *values):
    """EIP-712, in the domain of a vault."""
    domain = b"EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    separator = hash_words(*map(keccak256, (domain, b"ClaimVault", b"1")), chain_id, vault)
    return keccak256(b"\x19\x01" + separator + hash_words(keccak256(kind), *values))


def claim_digest(chain_id, vault, ledger_id, receiver):
    return digest(chain_id, vault, b"Claim(bytes32 claimId,address receiver)", ledger_id, receiver)


def receipt_digest(chain_id, vault, ledger_id, refunded, token, amount, receiver, transaction, time):
    kind = (
        b"Receipt(bytes32 claimId,bool refunded,address token,uint256 amount,address receiver,bytes32 transaction,"
        b"uint256 time)"
    )
    return digest(chain_id, vault, kind, ledger_id, refunded, token, amount, receiver, transaction, time)


def chain_receipt_digest(chain_id, contract, *values, number, block, level):
    """The digest of a receipt of a contract, which names a block and how sure it is. `values` are a receipt's own."""
    kind = (
        b"ChainReceipt(bytes32 claimId,bool refunded,address token,uint256 amount,address receiver,bytes32 transaction,"
        b"uint256 time,uint64 blockNumber,bytes32 blockHash,string level)"
    )
    return digest(chain_id, contract, kind, *values, number, block, keccak256(level.encode()))


def sign(key, message):
    signature = coincurve.PrivateKey.from_int(key).sign_recoverable(message, hasher=None)
    return signature[:64] + bytes([27 + signature[64]])


def recover(message, signature):
    """The signer's address; None where there is none, or the signature has not the one allowed form."""
    if len(message) != 32 or len(signature) != 65 or signature[64] not in (27, 28):
        return None
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:64], "big")
    if not (0 < r < N and 0 < s <= N // 2):
        return None
    compact = signature[:64] + bytes([signature[64] - 27])
    try:
        return address_of_point(coincurve.PublicKey.from_signature_and_message(compact, message, hasher=None))
    except Exception:  # coincurve has no class of its own for it
        return None


def checksummed(address):
    digits = address.hex()
    return "0x" + "".join(
        digit.upper() if nibble >= "8" else digit for digit, nibble in zip(digits, keccak256(digits.encode()).hex())
    )


def formatted(units):
    """An amount of millionths, as in links."""
    whole, fraction = divmod(units, 10**6)
    digits = f"{fraction:06}"
    return f"{whole}.{digits[:2]}{digits[2:].rstrip('0')}"


def units(text):
    """The millionths of an amount with a point, which is not checked."""
    whole, _, fraction = text.partition(".")
    return int(whole) * 10**6 + int(fraction.ljust(6, "0"))


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def link(base, claim_id, secret, amount, token, expiry, key=None):
    """A claim's link, with a MAC by the key, or by the secret."""
    text = f"{base}/{claim_id}#s={base64url(secret)}&a={amount}&t={token}&x={expiry}"
    mac_key = hkdf(key or secret, claim_id.encode(), b"bump/1 link-mac", 32)
    return f"{text}&m={base64url(hmac.digest(mac_key, b'bump/1 link' + bytes(1) + text.encode(), 'sha256')[:16])}"
