"""Calls, logs and signatures of the contracts, apart from Swift's code: by eth-abi and the claim page's reference."""

import pathlib
import sys

import eth_abi

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "ClaimPage"))

import reference  # noqa: E402
from reference import address_of, claim_digest, hash_words, keccak256, sign  # noqa: E402

DOMAIN = b"EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
RECEIVE = (
    b"ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,"
    b"bytes32 nonce)"
)
CANCEL = b"CancelAuthorization(address authorizer,bytes32 nonce)"

DEPOSIT = "deposit(bytes32,address,uint256,bytes32,uint40)"
CARRIED_DEPOSIT = "depositWithAuthorization(address,bytes32,address,uint256,bytes32,uint40,uint256,bytes)"
CLAIM = "claim(bytes32,bytes,address)"
REFUND = "refund(bytes32)"
CLAIMS = "claims(bytes32)"
LOCKED = "locked(address)"


def types(signature):
    inner = signature[signature.index("(") + 1 : -1]
    return inner.split(",") if inner else []


def selector(signature):
    return keccak256(signature.encode())[:4]


def call(signature, *arguments):
    return selector(signature) + eth_abi.encode(types(signature), arguments)


def word_address(word):
    return word[-20:]


class Terms:
    """A claim: its key, the hash of that key's address, and the id that both sides compute."""

    def __init__(self, key, token, amount, expiry):
        self.key, self.token, self.amount, self.expiry = key, token, amount, expiry
        self.secret_hash = keccak256(address_of(key))
        self.id = ledger_id(self.secret_hash, token, amount, expiry)

    def deposit(self, **changes):
        values = self.values(changes)
        return call(DEPOSIT, *(values[name] for name in ("id", "token", "amount", "secret_hash", "expiry")))

    def carried_deposit(self, sender, valid_before, signature, **changes):
        values = self.values(changes)
        terms = (values[name] for name in ("id", "token", "amount", "secret_hash", "expiry"))
        return call(CARRIED_DEPOSIT, sender, *terms, valid_before, signature)

    def values(self, changes):
        names = ("id", "token", "amount", "secret_hash", "expiry")
        return {name: getattr(self, name) for name in names} | changes

    def proof(self, chain_id, vault, receiver, key=None):
        return sign(key or self.key, claim_digest(chain_id, vault, self.id, receiver))

    def claim(self, proof, receiver):
        return call(CLAIM, self.id, proof, receiver)

    def refund(self):
        return call(REFUND, self.id)


def ledger_id(secret_hash, token, amount, expiry):
    return hash_words(secret_hash, token, amount, expiry)


def token_digest(chain_id, token, kind, *values):
    """EIP-712, in the domain of USDC on Base."""
    separator = hash_words(*map(keccak256, (DOMAIN, b"USD Coin", b"2")), chain_id, token)
    return keccak256(b"\x19\x01" + separator + hash_words(keccak256(kind), *values))


def authorization_digest(chain_id, token, sender, vault, amount, valid_before, nonce):
    return token_digest(chain_id, token, RECEIVE, sender, vault, amount, 0, valid_before, nonce)


def authorization(key, chain_id, vault, terms, valid_before, sender=None):
    values = (sender or address_of(key), vault, terms.amount, valid_before, terms.id)
    return sign(key, authorization_digest(chain_id, terms.token, *values))


def other_form(signature):
    """The second valid form of a signature: the other s, and the other v."""
    s = reference.N - int.from_bytes(signature[32:64], "big")
    return signature[:32] + s.to_bytes(32, "big") + bytes([55 - signature[64]])
