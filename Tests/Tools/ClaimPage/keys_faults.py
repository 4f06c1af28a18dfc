"""Faults that are planted in keys.js, one at a time: each breaks a protection of the money. A test must catch it."""

import pathlib
import tempfile

import chromium
import keys_tests
from checks import check

# What goes wrong, the text that is replaced, and the test that catches it.
FAULTS = [
    (
        "A signature has two forms.",
        " || 2n * s > n || odd & ~1",
        " || odd & ~1",
        keys_tests.test_signatures_at_the_ends_of_their_form,
    ),
    (
        "A refund is a payment.",
        'status !== (isRefund ? "refunded" : "claimed") || ',
        "",
        keys_tests.test_receipts,
    ),
    ("A time need not be a number.", " || !Number.isSafeInteger(time)", "", keys_tests.test_receipts),
    (
        "A receipt does not name its transaction.",
        "parseAmount(amount, 6), paid, hash, time];",
        "parseAmount(amount, 6), paid, 0, time];",
        keys_tests.test_receipts,
    ),
    ("A signature is good on each chain.", "chainId, vault);", "1, vault);", keys_tests.test_receipts),
    (
        "A proof is good for any receiver.",
        "address receiver)\", ledgerId, receiver));",
        "address receiver)\", ledgerId, 0));",
        keys_tests.test_claims_of_the_vectors,
    ),
    (
        "A link that was altered is whole.",
        'if (hex(mac) != hex(base64url(m))) return { error: "key" };',
        "",
        keys_tests.test_links,
    ),
    ("An amount has two forms.", " || formatAmount(amount, 6) != a", "", keys_tests.test_links),
    (
        "Anybody on the way may change the page of a link.",
        "https://.|http://(localhost",
        "https?://.|http://(localhost",
        keys_tests.test_links,
    ),
    (
        "A mistyped address is read.",
        "|| hasChecksum(text) ? bytes(text) : null",
        "|| true ? bytes(text) : null",
        keys_tests.test_a_mistake_in_an_address_has_its_place,
    ),
    (
        "An amount that no claim has is read.",
        "return amount && amount < 2n ** 63n ? amount : null;",
        "return amount || null;",
        keys_tests.test_amounts_have_one_form,
    ),
]


def finds(page, test):
    """Whether a test fails."""
    try:
        test(page)
    except SystemExit:
        return True
    return False


def test_planted_faults(page):
    source = chromium.KEYS.read_text()
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "keys.js"
        chromium.Files.scripts["/keys.js"] = file
        for breaks, old, new, test in FAULTS:
            check(source.count(old) == 1, f"its text is {source.count(old)} times in keys.js: {breaks}")
            file.write_text(source.replace(old, new))
            page.open()
            if not finds(page, test):
                missed.append(breaks)
        chromium.Files.scripts["/keys.js"] = chromium.KEYS
    page.open()
    check(not missed, f"no test catches: {missed}")
    print(f"keys: planted faults that are caught: {len(FAULTS)}")
