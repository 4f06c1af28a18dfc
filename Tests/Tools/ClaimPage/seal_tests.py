"""Tests of what wraps a wallet's key, and of what the wallet signs, by a second implementation: pycryptodome's AES,
hashlib's SHA-256 and libsecp256k1."""

import base64
import hashlib
import random

import reference
from checks import check, compare
from Crypto.Cipher import AES
from reference import N, hexed

CHAIN = 31337
VAULT = bytes([0x11] * 20)
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Draw:
    """Draws of one seed: each test has the same cases in each run."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def bytes(self, count):
        return self.random.randbytes(count)

    def key(self):
        return self.random.randrange(1, N)


def key_bytes(key):
    return key.to_bytes(32, "big")


def sealed(key, secret, account, nonce):
    """A key wrapped under a secret, as Docs/web-wallet.md has it."""
    wrapping = reference.hkdf(secret, b"bump/1 wallet key", b"", 32)
    cipher = AES.new(wrapping, AES.MODE_GCM, nonce=nonce)
    cipher.update(account + reference.address_of(key))
    text, tag = cipher.encrypt_and_digest(key_bytes(key))
    return nonce + text + tag


def code(data):
    """A recovery code, as Docs/web-wallet.md has it."""
    bits = {16: 12, 32: 24}[len(data)]
    digest = hashlib.sha256(b"bump/1 recovery code" + data).digest()[:4]
    value = int.from_bytes(data, "big") << bits | int.from_bytes(digest, "big") >> (32 - bits)
    count = (8 * len(data) + bits) // 5
    text = "".join(LETTERS[value >> 5 * (count - 1 - at) & 31] for at in range(count))
    return "-".join(text[at : at + 4] for at in range(0, count, 4))


# Wrapping


def test_a_wrapped_key_is_the_one_that_another_implementation_makes(page):
    draw = Draw(1)
    cases = []
    for _ in range(10):
        key, account, nonce = draw.key(), draw.bytes(32), draw.bytes(12)
        secret = draw.bytes(draw.random.choice((16, 32)))
        cases.append((key, secret, account, nonce))
    compare(
        page,
        "wrap",
        ({"key": str(k), "secret": hexed(s), "account": hexed(a), "nonce": hexed(n)} for k, s, a, n in cases),
        (hexed(sealed(*case)) for case in cases),
        "wrapped keys",
    )
    compare(
        page,
        "unwrap",
        (unwrapping(sealed(k, s, a, n), s, a, reference.address_of(k)) for k, s, a, n in cases),
        (str(k) for k, *_ in cases),
        "unwrapped keys",
    )


def unwrapping(wrapped, secret, account, address):
    return {"wrapped": hexed(wrapped), "secret": hexed(secret), "account": hexed(account), "address": hexed(address)}


def test_a_wrapped_key_opens_for_its_account_and_address_alone(page):
    draw = Draw(2)
    key, other, secret, account, nonce = draw.key(), draw.key(), draw.bytes(32), draw.bytes(32), draw.bytes(12)
    address, strange = reference.address_of(key), reference.address_of(other)
    whole = sealed(key, secret, account, nonce)
    # Bytes that are right in all but the address: a blob of another wallet under the same secret and account.
    swapped = sealed(other, secret, account, nonce)
    cases = [
        unwrapping(whole, secret, draw.bytes(32), address),
        unwrapping(whole, secret, account, strange),
        unwrapping(swapped, secret, account, address),
        unwrapping(whole, draw.bytes(32), account, address),
        unwrapping(whole[:-1], secret, account, address),
        unwrapping(whole + b"\0", secret, account, address),
        unwrapping(b"", secret, account, address),
    ]
    cases += [
        unwrapping(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :], secret, account, address) for at in range(60)
    ]
    # Sealed for this address, but the key of another one, and what is no key.
    for content in (key_bytes(other), bytes(32), N.to_bytes(32, "big")):
        cipher = AES.new(reference.hkdf(secret, b"bump/1 wallet key", b"", 32), AES.MODE_GCM, nonce=nonce)
        cipher.update(account + address)
        text, tag = cipher.encrypt_and_digest(content)
        cases.append(unwrapping(nonce + text + tag, secret, account, address))
    compare(page, "unwrap", cases, (None for _ in cases), "what opens nothing")


def test_the_key_of_a_device_wraps_and_cannot_be_read(page):
    compare(page, "deviceKey", ["7"], [["7", "InvalidAccessError", None]], "a device's own key")


def test_a_key_is_drawn_again_where_it_is_none(page):
    draws = [bytes(32), N.to_bytes(32, "big"), bytes([255] * 32), key_bytes(N - 1)]
    compare(page, "drawKey", [[hexed(each) for each in draws]], [str(N - 1)], "drawn keys")


# Recovery codes


def test_recovery_codes_are_written_and_read(page):
    draw = Draw(3)
    data = [draw.bytes(count) for count in (16, 32) for _ in range(10)] + [bytes(16), bytes([255] * 32)]
    compare(page, "writeCode", map(hexed, data), map(code, data), "recovery codes written")
    forms = [lambda text: text, str.lower, lambda text: text.replace("-", " "), lambda text: text.replace("-", "")]
    forms += [lambda text: text.replace("0", "o").replace("1", "l"), lambda text: f" {text.replace('1', 'I')}\t"]
    compare(
        page,
        "readCode",
        (form(code(each)) for each in data for form in forms),
        (hexed(each) for each in data for _ in forms),
        "recovery codes read",
    )


def test_a_recovery_code_with_a_mistake_is_refused(page):
    right = code(bytes(range(16)))
    places = [at for at, letter in enumerate(right) if letter != "-"]
    wrong = [right[:at] + ("7" if right[at] != "7" else "8") + right[at + 1 :] for at in places]
    wrong += ["", "-", right[:-1], right + "0", right.replace(right[0], "U", 1), right + right, "é" * 28]
    compare(page, "readCode", wrong, (None for _ in wrong), "recovery codes with a mistake")


# What the wallet signs


def change_hash(kind, *parts):
    number = {"add": 1, "use": 2, "remove": 3, "recovery": 4}[kind]
    return reference.keccak256(
        reference.word(number) + b"".join(reference.word(len(part)) + part for part in parts)
    )


def test_signed_changes_are_those_that_the_server_checks(page):
    draw = Draw(4)
    changes = [
        ("add", draw.bytes(16), "Chrome, Linux".encode(), draw.bytes(60)),
        ("add", draw.bytes(1023), "Gerät ✓".encode(), draw.bytes(60)),
        ("use", draw.bytes(32)),
        ("remove", draw.bytes(32)),
        ("recovery", draw.bytes(60)),
        ("recovery", b""),
    ]
    kind = b"Wallet(bytes32 account,bytes32 change,uint256 validBefore)"
    cases, expected = [], []
    for change in changes:
        key, account, time = draw.key(), draw.bytes(32), draw.random.randrange(2**33)
        cases.append({"key": str(key), "account": hexed(account), "time": time, "kind": change[0]})
        cases[-1] |= {"parts": [hexed(part) for part in change[1:]], "chainId": CHAIN, "vault": hexed(VAULT)}
        digest = reference.digest(CHAIN, VAULT, kind, account, change_hash(*change), time)
        expected.append(hexed(reference.sign(key, digest)))
    compare(page, "signChange", cases, expected, "signed changes")


def test_the_header_that_reads_an_account(page):
    key = Draw(5).key()
    kind = b"Account(address account,uint256 validBefore)"
    digest = reference.digest(CHAIN, VAULT, kind, reference.address_of(key), 1795300000)
    compare(
        page,
        "authorization",
        [{"key": str(key), "time": 1795300000, "chainId": CHAIN, "vault": hexed(VAULT)}],
        [f"Bump 1795300000.{hexed(reference.sign(key, digest))}"],
        "headers",
    )


def deposit_digest(chain, token, sender, vault, amount, before, ledger_id):
    """EIP-3009, in the domain of a token."""
    texts = b"EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)", b"USD Coin", b"2"
    separator = reference.hash_words(*map(reference.keccak256, texts), chain, token)
    kind = b"ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,"
    kind = reference.keccak256(kind + b"uint256 validBefore,bytes32 nonce)")
    message = reference.hash_words(kind, sender, vault, amount, 0, before, ledger_id)
    return reference.keccak256(b"\x19\x01" + separator + message)


def test_a_deposit_is_signed_for_a_vaults_own_chain_alone(page):
    draw = Draw(6)
    key, token, ledger_id = draw.key(), draw.bytes(20), draw.bytes(32)
    case = {"key": str(key), "token": hexed(token), "amount": "1500000", "ledgerId": hexed(ledger_id)}
    case |= {"time": 1795300000, "vault": hexed(VAULT)}
    own = (31337, 0x62756D70, 0x62756DFF)
    # Ethereum, Base, and the neighbours of those that embedded vaults have.
    public = (1, 8453, 31336, 0x62756D6F, 0x62756E00, 1666600000)
    sender = reference.address_of(key)
    expected = [deposit_digest(each, token, sender, VAULT, 1500000, 1795300000, ledger_id) for each in own]
    compare(
        page,
        "signDeposit",
        (case | {"chainId": each} for each in own + public),
        [hexed(reference.sign(key, digest)) for digest in expected]
        + [{"threw": "Error: the chain is not a vault's own"}] * len(public),
        "signed deposits",
    )


# Claims that the wallet makes


def test_a_claims_secret_and_link_follow_from_the_wallets_key(page):
    draw = Draw(7)
    cases, expected = [], []
    for number in range(5):
        key, claim_id, token = draw.key(), f"walletClaim{number}", draw.bytes(20)
        amount, expiry = draw.random.randrange(1, 2**40), draw.random.randrange(2**31)
        secret = reference.hkdf(key_bytes(key), b"bump/1 wallet claim", claim_id.encode(), 16)
        hash = reference.keccak256(reference.address_of(reference.claim_key(secret, claim_id)))
        ledger_id = reference.hash_words(hash, token, amount, expiry)
        cases.append({"key": str(key), "id": claim_id, "contract": hexed(token), "amount": str(amount)})
        cases[-1]["expiry"] = expiry
        base, terms = "https://vault.example/claim", (reference.formatted(amount), "USDC", expiry)
        link = reference.link(base, claim_id, secret, *terms)
        expected.append({"secretHash": hexed(hash), "ledgerId": hexed(ledger_id), "link": link})
    compare(page, "makeClaim", cases, expected, "claims of a wallet")


def test_ids_of_claims_are_ids(page):
    draws = [bytes([0xF8]) + bytes(15), bytes([0xFF] * 16)]
    compare(page, "drawId", [[hexed(each) for each in draws]], ["_" * 21 + "w"], "an id that would begin with a hyphen")


def test_a_challenge_is_solved(page):
    for number in (0, 511, 512, 1500):
        digest = hashlib.sha256(f"salt&{number}".encode()).hexdigest()
        challenge = {"salt": "salt&", "challenge": digest, "maxnumber": 2000}
        cases = [challenge, challenge | {"maxnumber": number - 1}]
        compare(page, "solve", cases, [number, None], f"a challenge, {number}")


def test_base64url_has_one_form(page):
    data = [bytes(range(count)) for count in range(5)] + [bytes([255] * 60)]
    texts = [base64.urlsafe_b64encode(each).decode().rstrip("=") for each in data]
    compare(page, "base64url", map(hexed, data), texts, "base64url written")
    compare(page, "readBase64url", texts, map(hexed, data), "base64url read")
    wrong = ["A", "AA==", "A+/A", "AAA A", "é"]
    compare(page, "readBase64url", wrong, (None for _ in wrong), "what is no base64url")


# QR codes, which a scene in the browser has zbarimg read


def test_the_files_of_the_wallet_have_no_document(page):
    for name in ("seal.js", "statements.js", "qr.js"):
        source = (page.folder / name).read_text()
        for word in ("document", "window", "localStorage", "fetch("):
            check(word not in source, f"{name} has {word!r}")
    print("keys: the files that wrap and sign run without a document")
