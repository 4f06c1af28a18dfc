"""Tests of keys.js by random claims, keys, messages and links, compared with libsecp256k1 and with bump."""

import base64
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import tempfile

import chromium
import links
import reference
from checks import check, compare
from keys_tests import CHAIN, VAULT
from reference import N, P, hexed

# Wycheproof's file, as libsecp256k1 has it.
WYCHEPROOF = "1be8742064fec73d670339f0036dec56b21baa94cb2d8e0fbbb6fb480f733869"


def draw_key(source):
    edge = [1, 2, 3, N - 1, N - 2, N // 2, N // 2 + 1, 2**255, 2**128]
    return source.choice(edge) if source.random() < 0.05 else source.randrange(1, N)


def test_random_claims(page, source, count=1000):
    def draw():
        claim_id = "".join(
            source.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_", k=source.randint(1, 64))
        )
        case = {"secret": source.randbytes(16), "claimId": claim_id, "token": source.randbytes(20)}
        case |= {"amount": source.choice((1, 2**63 - 1, source.randrange(1, 2**63))), "expiry": source.randrange(2**63)}
        case |= {
            "receiver": source.randbytes(20),
            "chainId": source.choice((1, CHAIN, 0x62756D70, source.randrange(2**53))),
        }
        return case | {"vault": source.randbytes(20)}

    def answer(case):
        key = reference.claim_key(case["secret"], case["claimId"])
        address = reference.address_of(key)
        secret_hash = reference.keccak256(address)
        ledger_id = reference.hash_words(secret_hash, case["token"], case["amount"], case["expiry"])
        proof = reference.sign(key, reference.claim_digest(case["chainId"], case["vault"], ledger_id, case["receiver"]))
        values = {"address": address, "secretHash": secret_hash, "ledgerId": ledger_id, "proof": proof}
        return {"key": str(key)} | {name: hexed(value) for name, value in values.items()}

    def plain(case):
        case = {name: hexed(value) if isinstance(value, bytes) else value for name, value in case.items()}
        return case | {"amount": str(case["amount"]), "expiry": str(case["expiry"])}

    cases = [draw() for _ in range(count)]
    compare(page, "claim", map(plain, cases), map(answer, cases), "random claims")


def test_random_keys(page, source, count=1000):
    keys = [draw_key(source) for _ in range(count)]
    expected = (hexed(reference.address_of(key)) for key in keys)
    compare(page, "addressOf", map(str, keys), expected, "addresses of random keys")
    cases = [(key, source.randbytes(32), source.randbytes(20)) for key in keys]
    compare(
        page,
        "proof",
        (
            {
                "key": str(key),
                "chainId": CHAIN,
                "vault": hexed(VAULT),
                "ledgerId": hexed(ledger),
                "receiver": hexed(receiver),
            }
            for key, ledger, receiver in cases
        ),
        (
            hexed(reference.sign(key, reference.claim_digest(CHAIN, VAULT, ledger, receiver)))
            for key, ledger, receiver in cases
        ),
        "proofs by random keys",
    )


def test_random_signatures(page, source, count=1500):
    cases = []
    for _ in range(count):
        key, digest = draw_key(source), source.randbytes(32)
        signature = bytearray(reference.sign(key, digest))
        kind = source.randrange(6)
        if kind == 1:
            signature[64] = 55 - signature[64]
        elif kind == 2:
            signature[source.randrange(65)] ^= 1 << source.randrange(8)
        elif kind == 3:
            # The other s, with the other v.
            s = N - int.from_bytes(signature[32:64], "big")
            signature[32:] = reference.word(s) + bytes([55 - signature[64]])
        elif kind == 4:
            signature = bytearray(source.randbytes(64) + bytes([source.choice((27, 28))]))
            signature[32] &= 0x7F
        elif kind == 5:
            digest = source.randbytes(32)
        cases.append((digest, bytes(signature)))
    expected = [reference.recover(*case) for case in cases]
    refused = sum(address is None for address in expected)
    check(count // 20 < refused < count // 2, f"{refused} of {count} random signatures are refused")
    compare(
        page,
        "recover",
        ({"digest": hexed(digest), "signature": hexed(signature)} for digest, signature in cases),
        (address and hexed(address) for address in expected),
        f"random signatures, of which {refused} have no signer",
    )


def test_random_messages(page, source):
    messages = [source.randbytes(count) for count in [*range(300), *source.sample(range(300, 2000), 40)]]
    expected = (hexed(reference.keccak256(message)) for message in messages)
    compare(page, "keccak256", map(hexed, messages), expected, "hashes of random messages")


def test_random_amounts(page, source, count=2000):
    units = [source.randrange(1, 10 ** source.randint(1, 9)) * 10 ** source.randint(0, 9) for _ in range(count)]
    forms = list(map(reference.formatted, units))
    compare(
        page,
        "formatAmount",
        ({"amount": str(it), "decimals": 6} for it in units),
        forms,
        "random amounts in their form",
    )
    compare(
        page, "parseAmount", ({"text": form, "decimals": 6} for form in forms), map(str, units), "random amounts read"
    )


def test_random_addresses(page, source, count=300):
    addresses = [source.randbytes(20) for _ in range(count)]
    texts = list(map(reference.checksummed, addresses))
    compare(page, "checksummed", map(hexed, addresses), texts, "checksums of random addresses")
    compare(page, "parseAddress", texts, ({"address": hexed(address)} for address in addresses), "random addresses")

    def is_right(text):
        return reference.checksummed(bytes.fromhex(text[2:])) == text

    def place(text):
        """The only place where another digit makes it right; None if there is none, or there are more."""
        places = [
            at
            for at in range(2, 42)
            if any(is_right(text[:at] + digit + text[at + 1 :]) for digit in "0123456789abcdefABCDEF")
        ]
        return places[0] if len(places) == 1 else None

    mistaken, found = [], 0
    for text in texts[:40]:
        at = source.randrange(2, 42)
        wrong = text[:at] + source.choice("0123456789abcdefABCDEF".replace(text[at], "")) + text[at + 1 :]
        if not is_right(wrong) and wrong[2:] not in (wrong[2:].lower(), wrong[2:].upper()):
            mistaken.append(wrong)
            check(place(wrong) in (at, None), f"the mistake in {wrong} is at {at}, not at {place(wrong)}")
            found += place(wrong) == at
    check(found > len(mistaken) // 2, f"the place of {found} mistakes of {len(mistaken)} is found")
    compare(
        page,
        "parseAddress",
        mistaken,
        ({"error": "checksum", "at": place(text)} for text in mistaken),
        f"addresses with a random mistake, of which {found} have its place",
    )


def der(signature):
    """r and s of a signature in its one DER encoding, each of 32 bytes; None for any other."""
    match = re.fullmatch(rb"\x30(.)\x02(.)(.*)", signature, re.DOTALL)
    if not match or match[1][0] != len(signature) - 2 or match[1][0] > 127:
        return None
    r, rest = match[3][: match[2][0]], match[3][match[2][0] :]
    if len(rest) < 2 or rest[0] != 2 or rest[1] != len(rest) - 2:
        return None
    integers = [r, rest[2:]]
    for digits in integers:
        is_long = digits[:1] == b"\0" and digits[1:2] < b"\x80" and len(digits) > 1
        if not digits or digits[0] >= 0x80 or is_long or len(digits.lstrip(b"\0")) > 32:
            return None
    return b"".join(digits.lstrip(b"\0").rjust(32, b"\0") for digits in integers)


def test_cases_of_wycheproof(page, path):
    """A signature is a key's if one v leads to its address. Signatures that are not in DER do not apply."""
    source = path.read_bytes()
    check(hashlib.sha256(source).hexdigest() == WYCHEPROOF, f"{path} is another file of Wycheproof")
    cases, skipped = [], 0
    for group in json.loads(source)["testGroups"]:
        point = bytes.fromhex(group["publicKey"]["uncompressed"])[1:]
        address = hexed(reference.keccak256(point)[12:])
        for each in group["tests"]:
            compact = der(bytes.fromhex(each["sig"]))
            if compact is None:
                check(each["result"] == "invalid", f"case {each['tcId']} is valid, and does not apply")
                skipped += 1
                continue
            digest = hashlib.sha256(bytes.fromhex(each["msg"])).digest()
            cases.append((each, address, digest, compact))
    given = page.run(
        "recover",
        [
            {"digest": hexed(digest), "signature": hexed(it + bytes([v]))}
            for _, _, digest, it in cases
            for v in (27, 28)
        ],
    )
    unreachable = 0
    for (each, address, _, compact), signers in zip(cases, zip(given[::2], given[1::2])):
        is_valid = each["result"] == "valid"
        if is_valid and address not in signers:
            # The point's x is n or more, which v 27 and 28 do not say.
            check(int.from_bytes(compact[:32], "big") < P - N, f"case {each['tcId']} is refused: {each['comment']}")
            unreachable += 1
            continue
        check((address in signers) == is_valid, f"case {each['tcId']} is {each['result']}: {each['comment']}")
    check(unreachable <= 2, f"{unreachable} valid cases are refused")
    print(f"keys: cases of Wycheproof: {len(cases)} ({skipped} are not in DER, {unreachable} need another v)")


def test_links_by_the_program(page, source, binary, count=240):
    """Random links, whole and mutated, with what `bump receive --link` says of them."""
    drawn = [links.drawn(source) for _ in range(count // 4)]
    texts = drawn + [links.mutated(source.choice(drawn), source) for _ in range(count - len(drawn))]
    texts += [links.changed(change) for change in links.DEVIATIONS.values()]
    # The program takes away white space, which a terminal may have put into what was pasted.
    texts = [text for text in texts if not re.search(r"\s", text)]

    def ask(home, text):
        environment = {"HOME": home, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        command = [binary, "receive", f"--link={text}", "--yes", "--json", "--quiet", "--show-secret"]
        process = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=chromium.PATIENCE)
        results = [json.loads(line) for line in process.stdout.splitlines()]
        check(results, f"bump says nothing of {text!r}: {process.stderr}")
        return results[-1]

    with tempfile.TemporaryDirectory() as home, concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda text: ask(home, text), texts))
    given = page.run("parseLink", map(links.parts, texts))
    counts = {"garbled": 0, "key": 0, None: 0}
    for text, answer, result in zip(texts, given, answers):
        said = result.get("error", "")
        expected = "garbled" if "not a whole claim link" in said else "key" if "was made with a key" in said else None
        # The program does not tell a lost fragment apart.
        error = "garbled" if answer.get("error") == "fragment" else answer.get("error")
        check(error == expected, f"{text!r} is {answer}, and bump says {result}")
        if result["outcome"] == "received":
            secret = hexed(base64.b64decode(result["secret"]))
            said = {"id": result["claimId"], "secret": secret, "token": result["token"]}
            said["amount"] = str(reference.units(result["amount"]))
            check(said.items() <= answer.items(), f"{text!r} is read as {answer}, and by bump as {said}")
        counts[expected] += 1
    check(min(counts.values()) > count // 20, f"links of each kind: {counts}")
    print(f"keys: links as bump reads them: {len(texts)} ({counts[None]} whole, {counts['key']} with another MAC)")
