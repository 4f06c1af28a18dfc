"""Links, whole and not, with what keys.js must say of them."""

import reference

BASE = "https://irl.app/claim"
# The link of the vectors in mode open.
LINK = f"{BASE}/bumpVectorClaim0000001#s=7BdsstEA8zBj4r1e4B9dcg&a=1.00&t=USDC&x=1795300000&m=pRl0JreFBhnzudPF71_QEg"
SECRET = bytes.fromhex("ec176cb2d100f33063e2bd5ee01f5d72")
KEY = bytes(range(32))

# What is changed in that link, so that it is no encoding of a link: those of ClaimLinkTests.
DEVIATIONS = {
    "a space before": ("https", " https"),
    "a line end": ("QEg", "QEg\n"),
    "trailing bytes": ("QEg", "QEg&"),
    "an extra part": ("QEg", "QEg&y=1"),
    "another scheme": ("https", "http"),
    "no id": ("bumpVectorClaim0000001", ""),
    "a query": ("#", "?"),
    "two hashes": ("#", "##"),
    "another order": ("&a=1.00&t=USDC", "&t=USDC&a=1.00"),
    "a part twice": ("&a=1.00", "&a=1.00&a=1.00"),
    "no amount": ("&a=1.00", ""),
    "an empty amount": ("1.00", ""),
    "an amount of 1": ("1.00", "1"),
    "an amount of 1.0": ("1.00", "1.0"),
    "an amount of 1.000": ("1.00", "1.000"),
    "an amount of 01.00": ("1.00", "01.00"),
    "an amount of zero": ("1.00", "0.00"),
    "an exponent": ("1.00", "1e0"),
    "a negative amount": ("1.00", "-1.00"),
    "an amount past 63 bits": ("1.00", "9223372036854.775808"),
    "an amount with seven decimals": ("1.00", "1.0000001"),
    "an amount of twenty digits": ("1.00", "1" * 20 + ".00"),
    "two points": ("1.00", "1.0.0"),
    "a token in small letters": ("USDC", "usdc"),
    "an empty token": ("USDC", ""),
    "a token of thirteen letters": ("USDC", "ABCDEFGHIJKLM"),
    "an expiry with a leading zero": ("x=1", "x=01"),
    "an empty expiry": ("1795300000", ""),
    "a negative expiry": ("x=1", "x=-1"),
    "an expiry past 63 bits": ("1795300000", "9223372036854775808"),
    "an expiry of twenty digits": ("1795300000", "1" * 20),
    "a padded secret": ("dcg&", "dcg==&"),
    "a secret of 15 bytes": ("9dcg", "9d"),
    "a secret of 17 bytes": ("9dcg", "9dcgAA"),
    "a secret with bits that say nothing": ("9dcg", "9dch"),
    "a secret with a kelvin sign": ("7Bds", "7Bd\u212a"),
    "no mac": ("&m=pRl0JreFBhnzudPF71_QEg", ""),
    "an empty mac": ("pRl0JreFBhnzudPF71_QEg", ""),
    "a mac of 15 bytes": ("71_QEg", "71_Q"),
    "a mac of 17 bytes": ("71_QEg", "71_QEgAA"),
    "a mac with bits that say nothing": ("QEg", "QEh"),
    "a mac of standard base64": ("71_QEg", "71/QEg"),
    "a percent escape": ("USDC", "US%44C"),
    "an id that is an option": ("claim/bump", "claim/-bump"),
    "an id of 65 characters": ("bumpVectorClaim0000001", "a" * 65),
    "an id with a dot": ("claim/bump", "claim/bu.mp"),
    "a mark on the slash": ("claim/", "claim/\u0301"),
    "a mark on the hash": ("#", "#\u0301"),
    "a base without a host": (BASE, "https:/"),
    "a slash at the end of the base": ("claim/", "claim//"),
    "a quote in the base": ("claim/", "cl'aim/"),
    "a backslash in the base": ("claim/", "cl\\aim/"),
    "a space in the base": ("claim/", "cl aim/"),
    "an accent in the base": ("claim/", "cl\u00e9im/"),
    "a base of 513 bytes": (BASE, "https://" + "a" * 505),
    "a scheme in capitals": ("https", "HTTPS"),
    "a host that only begins with this machine's name": ("https://irl.app", "http://localhost.example"),
    "a host that only begins with this machine's address": ("https://irl.app", "http://127.0.0.1.example"),
    "a name of numbers alone": ("https://irl.app", "http://127.0.0.256"),
    "a port that is none": ("https://irl.app", "http://localhost:80a"),
    "a port of six digits": ("https://irl.app", "http://localhost:123456"),
}

# What reads well, but has another MAC: those of LinkMACTests.
CHANGES = {
    "another id": ("Claim0000001", "Claim0000002"),
    "another amount": ("a=1.00", "a=9.00"),
    "another token": ("USDC", "USDT"),
    "a later expiry": ("x=1795300000", "x=1895300000"),
    "another base": ("irl.app", "irl.apq"),
    "an id that becomes part of the base": ("bumpV", "bumpV/"),
    "another secret": ("s=7Bds", "s=8Bds"),
    "another mac": ("m=pRl0", "m=qRl0"),
    "a mac of zeros": ("pRl0JreFBhnzudPF71_QEg", "A" * 22),
}

# Bases and terms that are allowed, at their ends.
WHOLE = [
    reference.link(base, claim_id, SECRET, amount, token, expiry)
    for base, claim_id, amount, token, expiry in (
        ("https://a", "a", "0.000001", "A", 0),
        ("https://[2001:db8::1]:8443/x?y=z&w", "_", "9223372036854.775807", "ABCDEFGHIJ12", 2**63 - 1),
        ("https://" + "a" * 504, "Z" * 64, "10.00", "USDC", 1),
        ("https://irl.app//claim", "a-", "0.10", "USDC", 1),
        ("http://localhost:8080/claim", "a", "0.123456", "USDC", 1),
        ("http://127.0.0.1:8080/claim", "a", "1.10", "USDC", 1),
        ("http://[::1]/claim", "a", "1.101", "USDC", 1),
        ("http://127.1.2.3", "a", "1.00", "USDC", 1),
    )
]


def parts(link):
    """A link as a browser has its parts, but with each character as it is."""
    path, mark, rest = link.partition("#")
    scheme, _, host = path.partition("://")
    origin = f"{scheme}://{host.partition('/')[0]}"
    if not path.startswith(origin):
        origin = ""
    return {"origin": origin, "pathname": path[len(origin) :], "hash": mark + rest}


def changed(change, link=LINK):
    assert link.count(change[0]) >= 1, change
    return link.replace(change[0], change[1], 1)


def expectations():
    """Links with the error for each; None for one that is whole."""
    yield LINK, None
    for link in WHOLE:
        yield link, None
    for change in DEVIATIONS.values():
        yield changed(change), "garbled"
    for change in CHANGES.values():
        yield changed(change), "key"
    yield reference.link(BASE, "a", SECRET, "1.00", "USDC", 1, key=KEY), "key"
    # Cut anywhere. What precedes the # may be a base and an id still, if it has a path and does not end with a slash.
    for end in range(len(LINK)):
        left = LINK[:end]
        has_id = "#" not in left[:-1] and left.count("/") > 2 and not left.endswith("/")
        yield left, "fragment" if has_id else "garbled"


def mutated(link, random):
    """A link with a few characters changed, left out, doubled or exchanged; often still well-formed."""
    text = list(link)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        at = random.randrange(len(text))
        kind = random.randrange(5)
        if kind == 0:
            text[at] = random.choice("ABCxyz0189-_.&=#/%:~'é")
        elif kind == 1:
            del text[at]
        elif kind == 2:
            text.insert(at, text[at])
        elif kind == 3 and at:
            text[at - 1], text[at] = text[at], text[at - 1]
        else:
            # Of the same class as before, so that the form is kept.
            classes = ("0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
            text[at] = random.choice(next((each for each in classes if text[at] in each), text[at]))
    return "".join(text)


def drawn(random):
    """A random link that is whole."""
    base = random.choice((BASE, "https://vault.example/claim", "https://a", "https://127.0.0.1:8443/claim"))
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
    claim_id = random.choice(letters) + "".join(random.choices(letters + "-", k=random.randrange(64)))
    token = "".join(random.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", k=random.randint(1, 12)))
    amount = random.choice((random.randint(1, 10**9), random.randint(1, 2**63 - 1), 10 ** random.randint(0, 18)))
    expiry = random.choice((random.randint(0, 2**33), random.randint(0, 2**63 - 1)))
    return reference.link(base, claim_id, random.randbytes(16), reference.formatted(amount), token, expiry)
