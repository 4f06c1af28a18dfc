"""Tests of keys.js by the vectors of others, and at the ends of what it reads. They take some seconds."""

import base64
import json

import chromium
import links
import reference
from checks import check, compare
from reference import N, P, hexed

VECTORS = chromium.HERE.parents[1] / "Support/Vectors"
LIMIT = 12_000
VAULT = bytes([0x11] * 20)
CHAIN = 31337


# What the file is


def test_the_file_is_small_and_has_no_document(page):
    source = chromium.KEYS.read_text()
    size = len(source.encode())
    check(size < LIMIT, f"keys.js has {size} bytes, {LIMIT - 1} at most")
    for word in ("document", "window", "localStorage", "fetch", "import "):
        check(word not in source, f"keys.js has {word!r}: it has no DOM, and loads nothing")
    exports = [
        *("addressOf bytes checksummed claimKey digestOf formatAmount hashWords hex keccak256 ledgerId".split()),
        *("parseAddress parseAmount parseLink proof receiptSigner receiptType recover secretHash sign".split()),
    ]
    compare(page, "exports", [None], [exports], f"{size} bytes, which run without a document, and their exports")


# Vectors of others


def test_claims_of_the_vectors(page):
    vectors = json.loads((VECTORS / "vault.json").read_text())
    vault = {"chainId": vectors["vault"]["chainId"], "vault": vectors["vault"]["verifyingContract"]}
    token = vectors["token"]["verifyingContract"]
    cases = vectors["cases"]
    compare(
        page,
        "claim",
        (
            {"secret": "0x" + each["secret"], "amount": each["amountBaseUnits"], "token": token, **vault}
            | {name: each[name] for name in ("claimId", "receiver")}
            | {"expiry": str(each["expiry"])}
            for each in cases
        ),
        (
            {
                "key": str(int(each["claimKey"], 16)),
                "address": each["claimAddress"].lower(),
                **{name: each[name] for name in ("secretHash", "ledgerId", "proof")},
            }
            for each in cases
        ),
        "claims of vault.json",
    )
    people = [(each[name + "Key"], each[name]) for each in cases for name in ("sender", "receiver")]
    compare(page, "addressOf", (key for key, _ in people), (it.lower() for _, it in people), "addresses of keys")
    compare(
        page, "parseAddress", (it for _, it in people), ({"address": it.lower()} for _, it in people), "addresses read"
    )
    compare(page, "checksummed", (it.lower() for _, it in people), (it for _, it in people), "addresses written")
    signed = [(each["claimDigest"], each["proof"], each["claimAddress"]) for each in cases]
    signed += [(each["authorizationDigest"], each["authorization"], each["sender"]) for each in cases]
    compare(
        page,
        "recover",
        ({"digest": digest, "signature": signature} for digest, signature, _ in signed),
        (signer.lower() for _, _, signer in signed),
        "signers of vault.json",
    )


def test_hashes_of_published_messages(page):
    """ShortMsgKAT_256.txt of KeccakKAT-3 (Len 0), and letters of the lengths at which a block ends, by XKCP."""
    vectors = {
        b"": "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
        b"abc": "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
        b"a" * 135: "34367dc248bbd832f4e3e69dfaac2f92638bd0bbd18f2912ba4ef454919cf446",
        b"a" * 136: "a6c4d403279fe3e0af03729caada8374b5ca54d8065329a3ebcaeb4b60aa386e",
        b"a" * 137: "d869f639c7046b4929fc92a4d988a8b22c55fbadb802c0c66ebcd484f1915f39",
        b"a" * 272: "cf7fcd4f705ee749930d19ca84561a9bf62516bd90a471545fa2f49fdc7e63c8",
    }
    compare(page, "keccak256", map(hexed, vectors), ("0x" + hash for hash in vectors.values()), "published hashes")


EIP55 = (
    "0x52908400098527886E0F7030069857D2E4169EE7 0x8617E340B3D01FA5F11F306F4090FD50E238070D "
    "0xde709f2102306220921060314715629080e2fb77 0x27b1fdb04752bbc536007a920d24acb045561c26 "
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359 "
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb"
).split()


# Texts


def test_bytes_are_read_as_whole_pairs_of_digits(page):
    texts = ("0x", "0x00", "0xff", "0xFf", "0x0123456789abcdefABCDEF", "0x" + "a5" * 200)
    compare(page, "bytes", texts, (text.lower() for text in texts), "bytes read")
    compare(page, "hex", texts, (text.lower() for text in texts), "bytes written")
    others = ("", "0", "0X00", "00", "0x0", "0x000", "0xg0", " 0x00", "0x00 ", "0x00\n", "0x\n00", "0x0\uff10", "0x-1")
    compare(page, "bytes", others, (None for _ in others), "what is no bytes")


def test_an_address_is_read_with_its_checksum_or_in_one_case(page):
    forms = [form for text in EIP55 for form in (text, "0x" + text[2:].lower(), "0x" + text[2:].upper())]
    compare(page, "parseAddress", forms, ({"address": form.lower()} for form in forms), "addresses of EIP-55")
    compare(page, "checksummed", (text.lower() for text in EIP55), EIP55, "checksums of EIP-55")


def test_a_mistake_in_an_address_has_its_place(page):
    address = EIP55[4]
    wrong = [
        (address[:at] + address[at].swapcase() + address[at + 1 :], at) for at in (2, 4, 7, 41) if address[at].isalpha()
    ]
    wrong += [(address[:at] + digit + address[at + 1 :], at) for at, digit in ((2, "6"), (20, "0"), (41, "e"))]
    wrong += [(address[:10] + address[11] + address[10] + address[12:], None), (EIP55[5][:22] + EIP55[6][22:], None)]
    # Another character mends it at more than one place.
    wrong.append(("0x62b3f4d58D82cA6386D2C96E760e819b85c924C3", None))
    compare(
        page,
        "parseAddress",
        (text for text, _ in wrong),
        ({"error": "checksum", "at": at} for _, at in wrong),
        "addresses with a mistake",
    )
    digits = address[2:]
    others = {
        "": 0,
        "0": 1,
        "x": 0,
        "0x": 2,
        digits: 0,
        "0X" + digits: 1,
        " " + address: 0,
        address + "\n": 42,
        address + "0": 42,
        address[:-1]: 41,
        address[:20] + "g" + address[21:]: 20,
        address[:20] + " " + address[20:]: 20,
        address[:-1] + "\u212a": 41,
        address[:-1] + "\ud83d\ude97": 41,
        "ab" * 21: 0,
    }
    others[f"https://example.com/{address}"] = 0
    expected = ({"error": "form", "at": at} for at in others.values())
    compare(page, "parseAddress", others, expected, "what is no address")


def test_amounts_have_one_form(page):
    forms = {1: "0.000001", 10: "0.00001", 100: "0.0001", 10000: "0.01", 10**5: "0.10", 10**6: "1.00", 1500000: "1.50"}
    forms |= {1234567: "1.234567", 1230000: "1.23", 10**12: "1000000.00", 2**63 - 1: "9223372036854.775807"}
    compare(
        page,
        "formatAmount",
        ({"amount": str(units), "decimals": 6} for units in forms),
        forms.values(),
        "amounts in their form",
    )
    read = {text: units for units, text in forms.items()}
    read |= {"1": 10**6, "1.5": 1500000, "0.1": 10**5, "1.000000": 10**6, "0.000010": 10}
    compare(
        page,
        "parseAmount",
        ({"text": text, "decimals": 6} for text in read),
        map(str, read.values()),
        "amounts as people write them",
    )
    others = [
        *(
            "",
            ".",
            "1.",
            ".5",
            "0",
            "0.0",
            "0.00",
            "00.5",
            "01",
            "-1",
            "+1",
            "1e3",
            "1,5",
            "1 ",
            " 1",
            "1\n",
            "0x1",
            "1.0000000",
        ),
        *(
            "0.0000001",
            "9223372036854.775808",
            "9223372036855",
            "9" * 19,
            "9" * 20,
            "1.0.0",
            "\uff11",
            "1.\uff11",
            "NaN",
        ),
        *(1, 1.5, True, None, [], ["1"], {}),
    ]
    cases = ({"text": text, "decimals": 6} for text in others)
    compare(page, "parseAmount", cases, (None for _ in others), "what is no amount")
    decimals = [
        ("7", 0, "7", 7),
        ("0.7", 1, "0.7", 7),
        ("0.07", 2, "0.07", 7),
        ("1", 18, "1.00", 10**18),
        ("1.0", 0, None, None),
    ]
    compare(
        page,
        "parseAmount",
        ({"text": text, "decimals": count} for text, count, _, _ in decimals),
        (units and str(units) for _, _, _, units in decimals),
        "amounts of other decimals",
    )
    decimals = decimals[:-1]
    compare(
        page,
        "formatAmount",
        ({"amount": str(units), "decimals": count} for _, count, _, units in decimals),
        (form for _, _, form, _ in decimals),
        "amounts of other decimals in their form",
    )


# Links


def compare_links(page, expected, what):
    given = page.run("parseLink", [links.parts(link) for link, _ in expected])
    for (link, error), answer in zip(expected, given):
        check("threw" not in answer, f"{what}: {link!r} throws {answer}")
        check(answer.get("error") == error, f"{what}: {link!r} is {answer}, not {error or 'whole'}")
        check(error is None or list(answer) == ["error"], f"{what}: {link!r} gives more than an error: {answer}")
        if error is None:
            check(answer == terms(link), f"{what}: {link!r} is read as {answer}, not {terms(link)}")
    print(f"keys: {what}: {len(expected)}")


def terms(link):
    """What a whole link says, by a reader that checks nothing."""
    path, _, rest = link.partition("#")
    values = dict(part.split("=", 1) for part in rest.split("&"))
    return {
        "version": 1,
        "id": path.rpartition("/")[2],
        "secret": hexed(base64.urlsafe_b64decode(values["s"] + "==")),
        "token": values["t"],
        "amount": str(reference.units(values["a"])),
        "expiry": values["x"],
    }


def test_links(page):
    sessions = json.loads((VECTORS / "sessions.json").read_text())
    made = [(each["link"], "key" if each["mode"] == "key" else None) for each in sessions if "link" in each]
    check({error for _, error in made} == {None, "key"}, "sessions.json has links of both kinds")
    compare_links(page, made, "links of sessions.json")
    compare_links(page, list(links.expectations()), "links, whole and not")


def test_a_link_with_any_one_character_changed(page):
    expected = []
    for at, character in enumerate(links.LINK):
        other = "B" if character != "B" else "C"
        expected.append(links.LINK[:at] + other + links.LINK[at + 1 :])
        expected.append(links.LINK[:at] + links.LINK[at + 1 :])
        expected.append(links.LINK[:at] + character + links.LINK[at:])
    expected = [link for link in expected if link != links.LINK]
    given = page.run("parseLink", map(links.parts, expected))
    for link, answer in zip(expected, given):
        check(
            answer in ({"error": "garbled"}, {"error": "key"}, {"error": "fragment"}), f"{link!r} is read as {answer}"
        )
    print(f"keys: links with one character changed: {len(expected)}")


def test_nothing_throws(page):
    for reader, answers in page.run("oddities", [None])[0].items():
        check(
            answers and all(answer is None for answer in answers), f"{reader} gives {answers} for what it cannot read"
        )
        print(f"keys: {reader} of what is no text: {len(answers)}")


def test_a_page_reads_the_link_by_its_own_address(page):
    base = f"http://localhost:{page.port}/claim"
    link = reference.link(base, "own", links.SECRET, "1.00", "USDC", 1)
    path = link.removeprefix(f"http://localhost:{page.port}")
    other = reference.link("https://irl.app/claim", "own", links.SECRET, "1.00", "USDC", 1)
    cases = [
        (path, "localhost", "whole"),
        (path.partition("#")[0], "localhost", "fragment"),
        (path + "&", "localhost", "garbled"),
        # The link of another vault, or of none, at this one.
        ("/claim/own#" + other.partition("#")[2], "localhost", "key"),
        (path, "127.0.0.1", "key"),
        # Without TLS and from elsewhere.
        (path, chromium.ELSEWHERE, "insecure"),
    ]
    for path, host, expected in cases:
        page.open(path, host)
        given = page.call("window.ownLink()")
        check(given == expected, f"{path} of {host} is {given}, not {expected}")
    page.open()
    print(f"keys: links by the page's own address: {len(cases)}")


# Receipts and signatures

RECEIPT_KEY = 0xC0FFEE
RECEIPT = {"ledgerId": hexed(bytes(range(32))), "token": hexed(bytes([0x22] * 20)), "amount": "1.50"}
RECEIPT |= {"txHash": hexed(bytes(range(32, 64))), "time": 1795300000}


def signed_receipt(**fields):
    """A receipt as the vault's JSON has it, with the signature of the vault's key."""
    receipt = RECEIPT | fields
    ledger_id, token, transaction = (bytes.fromhex(receipt[name][2:]) for name in ("ledgerId", "token", "txHash"))
    units = reference.units(receipt["amount"])
    receiver = bytes.fromhex(receipt.get("receiver", "0x" + "00" * 20)[2:])
    digest = reference.receipt_digest(
        CHAIN, VAULT, ledger_id, receipt["status"] == "refunded", token, units, receiver, transaction, receipt["time"]
    )
    return receipt | {"signature": hexed(reference.sign(RECEIPT_KEY, digest))}


def test_receipts(page):
    vault = {"chainId": CHAIN, "vault": hexed(VAULT)}
    signer = hexed(reference.address_of(RECEIPT_KEY))
    claimed = signed_receipt(status="claimed", receiver=hexed(bytes([0x33] * 20)))
    refunded = signed_receipt(status="refunded")
    whole = [
        claimed,
        refunded,
        signed_receipt(status="claimed", receiver=EIP55[4]),
        signed_receipt(status="refunded", time=0),
    ]
    whole += [signed_receipt(status="refunded", amount=amount) for amount in ("0.000001", "9223372036854.775807")]
    # A newer vault may say more. Digits are of either case.
    whole += [claimed | {"made": "now"}, claimed | {"signature": "0x" + claimed["signature"][2:].upper()}]
    compare(page, "receiptSigner", ({"receipt": it, **vault} for it in whole), (signer for _ in whole), "receipts")

    other = hexed(bytes([0x44] * 20))
    changes = {"ledgerId": RECEIPT["txHash"], "token": other, "amount": "1.51", "receiver": other, "time": 1795300001}
    changes |= {"txHash": RECEIPT["ledgerId"], "signature": refunded["signature"]}
    forged = [{"receipt": claimed | {name: value}, **vault} for name, value in changes.items()]
    forged += [
        {"receipt": claimed, **vault, "chainId": CHAIN + 1},
        {"receipt": claimed, **vault, "vault": other},
        {"receipt": refunded | {"status": "claimed", "receiver": hexed(bytes(20))}, **vault},
    ]
    given = page.run("receiptSigner", forged)
    for case, answer in zip(forged, given):
        check(answer is None or (len(answer) == 42 and answer != signer), f"{case} is signed by {answer}")
    print(f"keys: forged receipts: {len(forged)}")

    wrong = {
        "ledgerId": [None, 1, "", "0x", RECEIPT["ledgerId"] + "00", RECEIPT["ledgerId"][:-2], RECEIPT["ledgerId"][2:]],
        "status": [None, "", "pending", "none", "CLAIMED", "refunded", True],
        "token": [None, "", other[:-2], "0x" + other[2:].replace("4", "g"), EIP55[4].replace("A", "a"), 5],
        "amount": [None, 1.5, 1, "0", "0.00", "-1", "1e0", "1.5000000", "9223372036854.775808", " 1.50"],
        "receiver": [None, "", other[:-2], EIP55[4].replace("A", "a"), {}],
        "txHash": [None, 1, "", "0x", RECEIPT["txHash"] + "00", RECEIPT["txHash"][:-2]],
        "time": [None, "1795300000", -1, 1.5, 1e300, 2**53, True, []],
        "signature": [
            None,
            "",
            "0x",
            claimed["signature"][:-2],
            claimed["signature"] + "00",
            claimed["signature"][2:],
            5,
        ],
    }
    receipts = [claimed | {name: value} for name, values in wrong.items() for value in values]
    receipts += [{key: value for key, value in claimed.items() if key != name} for name in wrong]
    receipts += [refunded | {"receiver": hexed(bytes(20))}, refunded | {"receiver": None}, None, [], {}, "receipt", 7]
    cases = [{"receipt": receipt, **vault} for receipt in receipts]
    compare(page, "receiptSigner", cases, (None for _ in cases), "what is no receipt")


def test_receipts_of_a_contract(page):
    vectors = json.loads((VECTORS / "chainreceipt.json").read_text())["cases"]
    receipts = []
    for each in vectors:
        receipt = {"ledgerId": each["claimId"], "txHash": each["transaction"]}
        receipt |= {name: each[name] for name in ("token", "time", "level", "signature")}
        receipt |= {"status": "refunded" if each["refunded"] else "claimed"}
        receipt |= {} if each["refunded"] else {"receiver": each["receiver"]}
        receipt |= {"amount": reference.formatted(int(each["amount"]))}
        receipt |= {"block": {"number": each["blockNumber"], "hash": each["blockHash"]}}
        receipts.append({"receipt": receipt, "chainId": str(each["chainId"]), "vault": each["contract"]})
    # JavaScript's numbers do not have each block's number that JSON may have.
    signers = [each["receiptKey"].lower() if each["blockNumber"] < 2**53 else None for each in vectors]
    check(len({*signers} - {None}) > 1, "receipts of several keys")
    compare(page, "chainReceiptSigner", receipts, signers, "receipts of chainreceipt.json")
    compare(
        page,
        "chainReceiptSigner",
        (it | {"receipt": it["receipt"] | {"made": "before"}} for it in receipts),
        signers,
        "receipts of a contract with more in them",
    )

    # Neither kind of receipt passes for the other.
    case, signer = receipts[0], signers[0]
    plain = case | {"receipt": case["receipt"] | {"signature": vectors[0]["plainSignature"]}}
    compare(page, "receiptSigner", [plain], [signer], "receipts of an embedded vault with the same members")
    whole = case["receipt"]
    changes = {"level": "finalized", "ledgerId": whole["txHash"], "txHash": whole["ledgerId"], "amount": "1.01"}
    changes |= {"receiver": hexed(bytes([0x44] * 20)), "time": whole["time"] + 1, "token": hexed(bytes([0x44] * 20))}
    changes |= {"block": whole["block"] | {"number": 1235}}
    forged = [plain, case | {"chainId": "31338"}, case | {"vault": hexed(bytes([0x12] * 20))}]
    forged += [case | {"receipt": whole | {name: value}} for name, value in changes.items()]
    forged += [case | {"receipt": whole | {"block": whole["block"] | {"hash": whole["txHash"]}}}]
    for operation, cases in (("chainReceiptSigner", forged), ("receiptSigner", receipts[:2])):
        for answer in page.run(operation, cases):
            check(answer is None or (len(answer) == 42 and answer != signer), f"{operation}: it is signed by {answer}")
    print(f"keys: forged receipts of a contract: {len(forged)}")

    number, block = whole["block"]["number"], whole["block"]["hash"]
    wrong = {"level": [None, "", "latest", "safe", "Finalized", 1, ["finalized"]]}
    wrong["block"] = [None, [], {}, number, {"number": number}, {"hash": block}]
    wrong["block"] += [{"number": it, "hash": block} for it in (-1, 1.5, str(number), None, 2**53, True, [number])]
    wrong["block"] += [{"number": number, "hash": it} for it in (None, "", block[:-2], block + "00", block[2:], 5)]
    cases = [case | {"receipt": whole | {name: value}} for name, values in wrong.items() for value in values]
    cases += [case | {"receipt": {key: it for key, it in whole.items() if key != name}} for name in ("level", "block")]
    cases += [case | {"receipt": it} for it in (None, [], {}, "receipt", 7)]
    compare(page, "chainReceiptSigner", cases, (None for _ in cases), "what is no receipt of a contract")


def test_what_a_vault_says_of_itself_is_of_a_contract_or_not(page):
    contract = {"kind": "contract", "address": hexed(VAULT), "receiptKey": EIP55[4], "faucet": False}
    contract["codeHash"] = "0x" + "ab" * 32
    wrong = {
        "kind": [None, "", "embedded", "Contract", ["contract"]],
        "address": [None, "", "0x" + "00" * 20, EIP55[4], EIP55[4].lower(), hexed(VAULT)[:-2]],
        "receiptKey": [None, "", "0x" + "00" * 20, hexed(VAULT), EIP55[4][:-2]],
        "codeHash": [None, "", "0x", hexed(VAULT), "0x" + "ab" * 33],
        "faucet": [True, None, 0, "false"],
    }
    cases = [contract | {name: value} for name, values in wrong.items() for value in values]
    cases += [{key: it for key, it in contract.items() if key != name} for name in wrong]
    expected = [True] + [False] * len(cases)
    compare(page, "isContract", [contract, *cases], expected, "descriptions of a contract")


def edges():
    """Digests and signatures at the ends of what r, s, v and a digest may be, some of which no key can have made."""
    for r in (0, 1, 2, 3, 5, N // 2, N - 1, N, N + 1, P - N - 1, P - N, P - 1, P, 2**256 - 1):
        for s in (0, 1, 2, N // 2, N // 2 + 1, N - 1, N, N + 1, 2**256 - 1):
            for v in (27, 28):
                yield 1, r, s, v
    for v in (0, 1, 2, 3, 26, 29, 30, 31, 54, 55, 155, 255):
        yield 1, 1, 1, v
    for digest in (0, 1, N - 1, N, N + 1, 2**256 - 1):
        for v in (27, 28):
            yield digest, 1, 1, v
    # The key would be infinity: R = k G, and s k = digest.
    for k in (1, 2, 3, 4):
        point = reference.coincurve.PrivateKey.from_int(k).public_key.format()
        r = int.from_bytes(point[1:], "big") % N
        for s in (1, 2, N // 2):
            yield s * k % N, r, s, 25 + point[0]
            yield s * k % N, r, s, 54 - (25 + point[0]) + 1


def test_signatures_at_the_ends_of_their_form(page):
    cases = [(reference.word(z), reference.word(r) + reference.word(s) + bytes([v])) for z, r, s, v in edges()]
    cases += [(cases[1][0], signature) for signature in (b"", bytes(64), bytes([1] * 64), bytes([1] * 66))]
    cases += [(digest, bytes([1] * 64 + [27])) for digest in (b"", bytes(31), bytes(33))]
    expected = [reference.recover(*case) for case in cases]
    check(sum(it is None for it in expected) > 100 < sum(it is not None for it in expected) + 90, "edges of both kinds")
    compare(
        page,
        "recover",
        ({"digest": hexed(digest), "signature": hexed(signature)} for digest, signature in cases),
        (address and hexed(address) for address in expected),
        "signatures at the ends of their form",
    )
