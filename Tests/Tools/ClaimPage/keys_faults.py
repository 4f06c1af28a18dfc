"""Faults that are planted in keys.js, in what checks a contract's receipts, and in what wraps and signs for a wallet, one
at a time: each breaks a protection of the money. A test must catch it."""

import pathlib
import tempfile

import chromium
import keys_tests
import seal_tests
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
        "parseAmount(amount, 6), paid, hash, time, ...more];",
        "parseAmount(amount, 6), paid, 0, time, ...more];",
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
        "https:\\/\\/.|http:\\/\\/(localhost",
        "https?:\\/\\/.|http:\\/\\/(localhost",
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

# The same, in the files of a vault on a chain, and of the wallet.
OTHER_FAULTS = {
    "chain.js": [
        (
            "An embedded vault's receipt passes for a contract's.",
            "domain, type, ...more);",
            "domain);",
            keys_tests.test_receipts_of_a_contract,
        ),
        (
            "Nobody has signed whether a block is final.",
            "encode(level))]",
            'encode("confirmed"))]',
            keys_tests.test_receipts_of_a_contract,
        ),
        (
            "A block is as final as the vault likes to call it.",
            ' || !["confirmed", "finalized"].includes(level)',
            "",
            keys_tests.test_receipts_of_a_contract,
        ),
        (
            "A contract signs receipts itself.",
            " && contract !== key",
            "",
            keys_tests.test_what_a_vault_says_of_itself_is_of_a_contract_or_not,
        ),
    ],
    "seal.js": [
        (
            "A wrapped key opens for any account.",
            "join(bytes(account), bytes(address))",
            "bytes(address)",
            seal_tests.test_a_wrapped_key_is_the_one_that_another_implementation_makes,
        ),
        (
            "A wrapped key of another address is taken.",
            "key && hex(addressOf(key)) === address.toLowerCase() ? key : null",
            "key",
            seal_tests.test_a_wrapped_key_opens_for_its_account_and_address_alone,
        ),
        (
            "A script can read the key of a device.",
            'generateKey({ name: "AES-GCM", length: 256 }, false,',
            'generateKey({ name: "AES-GCM", length: 256 }, true,',
            seal_tests.test_the_key_of_a_device_wraps_and_cannot_be_read,
        ),
        (
            "A number that is no key is drawn.",
            "return key && key < order ? key : null;",
            "return key;",
            seal_tests.test_a_key_is_drawn_again_where_it_is_none,
        ),
        (
            "A mistyped recovery code is read.",
            "=== (value & ((1n << BigInt(sizes[count])) - 1n)) ? data : null",
            "!== -1n ? data : null",
            seal_tests.test_a_recovery_code_with_a_mistake_is_refused,
        ),
    ],
    "statements.js": [
        (
            "A deposit is signed for a public chain.",
            'if (!isEmbedded(chainId)) throw new Error("the chain is not a vault\'s own");',
            "",
            seal_tests.test_a_deposit_is_signed_for_a_vaults_own_chain_alone,
        ),
        (
            "Parts of a change can be shifted.",
            "[word(part.length), part]",
            "[part]",
            seal_tests.test_signed_changes_are_those_that_the_server_checks,
        ),
        (
            "All claims of a wallet have one secret.",
            '"bump/1 wallet claim", claimId, 16)',
            '"bump/1 wallet claim", "", 16)',
            seal_tests.test_a_claims_secret_and_link_follow_from_the_wallets_key,
        ),
    ],
}


def finds(page, test):
    """Whether a test fails."""
    try:
        test(page)
    except SystemExit:
        return True
    return False


def test_planted_faults(page):
    faults = {"keys.js": FAULTS} | OTHER_FAULTS
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        for name, each in faults.items():
            source = (chromium.FILES / name).read_text()
            file = pathlib.Path(folder) / name
            chromium.Files.scripts[f"/{name}"] = file
            for breaks, old, new, test in each:
                check(source.count(old) == 1, f"its text is {source.count(old)} times in {name}: {breaks}")
                file.write_text(source.replace(old, new))
                page.open()
                if not finds(page, test):
                    missed.append(breaks)
            chromium.Files.scripts[f"/{name}"] = chromium.FILES / name
    page.open()
    check(not missed, f"no test catches: {missed}")
    print(f"keys: planted faults that are caught: {sum(map(len, faults.values()))}")
