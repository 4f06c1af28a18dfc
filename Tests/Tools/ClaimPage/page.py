#!/usr/bin/env python3
"""page.py --bump FILE --vault FILE [--all --axe FILE --chain-python FILE --pictures FOLDER] [--sources] [--only WORD]
[--seed NUMBER]

Tests the claim page in a headless Chromium, with a real vault and real claims. Without --all it is one way from a link
to the receipt, one into a wallet, and the decisions of the page without I/O. With --sources the pages are those of this
checkout, in place of those in the vault's program."""

import argparse
import json
import random
import re
import sys
import tempfile
import time
import traceback
from contextlib import ExitStack
from pathlib import Path

import reference
import sources
from browser import Browser
from scenes import Stage
from world import World

TESTS = []
# What an offer brings along, where people can sign in.
LATER = ("/sign-in.js", "/panel.js", "/wallet.css", "/wallet.en.json", "/wallet.de.json")
HERE = Path(__file__).resolve().parent
TEXTS = sources.Pages(sources.read()).texts


def test(is_thorough):
    """A test, whose name is read as a sentence."""

    def register(body):
        TESTS.append((body.__name__.replace("_", " "), is_thorough, body))
        return body

    return register


quick, thorough = test(False), test(True)


def check(condition, text="it is not so"):
    if not condition:
        raise AssertionError(text)


def equal(found, expected):
    check(found == expected, f"{found!r} is not {expected!r}")


def seconds_left(text):
    """The countdown of the timer, in seconds."""
    hours, minutes, seconds = re.search(r"(\d\d):(\d\d):(\d\d)", text).groups()
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds)


def search(stage, secrets, where):
    """Searches for secrets in things that are named."""
    for name, data in where.items():
        data = data if isinstance(data, bytes) else str(data).encode()
        for secret in secrets:
            check(secret not in data, f"the secret is in {name}, as {secret!r}")


def check_requests(stage):
    """Checks that the browser has asked nobody but the vault since the last call."""
    requests = stage.browser.requests()
    own = tuple(f"{url}/" for url in (stage.world.url, f"http://vault.test:{stage.world.plain.port}"))
    check(all(url.startswith((*own, "about:", "data:")) for url in requests), requests)
    return requests


def everything(stage):
    """All that the page, the browser's requests and the vault have left behind."""
    browser, world = stage.browser, stage.world
    places = {
        "storage": browser.storage(),
        "messages": browser.js("return JSON.stringify([window.messages, window.heard])"),
        "the console": json.dumps(browser.logs()),
        "the vault's log": "".join(world.log),
    }
    for number, exchange in enumerate(world.front.exchanges):
        if exchange.is_browsers:
            places[f"request {number}, {exchange.method} {exchange.path}"] = exchange.text()
    for path in world.store.rglob("*"):
        if path.is_file():
            places[f"the vault's file {path.name}"] = path.read_bytes()
    return places


@quick
def a_link_becomes_money_at_a_pasted_address(stage):
    browser, world = stage.browser, stage.world
    link = stage.link()
    browser.requests()
    start = len(world.front.exchanges)
    browser.open(link)
    browser.reaches("offer")
    asked = [
        exchange.path
        for exchange in world.front.exchanges[start:]
        if not exchange.path.endswith(("/events", "icon.svg", *LATER))
    ]
    check(len(asked) <= 6, f"before the offer there are more than six requests: {asked}")
    equal(browser.text("h1"), "You've got 1.00 USDC")
    equal(browser.text("#sentence"), TEXTS["en"]["offer"])
    check(86_000 < seconds_left(browser.text("#timer")) <= 86_400, browser.text("#timer"))

    browser.enter(stage.bob.address)
    browser.tap()
    browser.reaches("paid")
    equal(browser.text("h1"), "You received 1.00 USDC")
    receipt = browser.text("#receipt")
    _, claim = world.call(
        f"/api/claims/{next(e.path for e in world.front.exchanges if e.path.endswith('/claim')).split('/')[3]}"
    )
    check(stage.bob.address in receipt and claim["txHash"] in receipt, receipt)
    equal(stage.bob.balance(), ["1.00"])

    messages = browser.messages()
    equal([message["status"] for message in messages], ["loading", "offer", "paying", "paid"])
    equal(messages[-1], {"v": 1, "status": "paid", "txHash": claim["txHash"], "address": stage.bob.address})
    equal(browser.driver.current_url, f"{world.url}/claim/{link.id}")
    check(len(check_requests(stage)) > 6)
    equal([line for line in browser.logs() if "icon" not in line], [])
    search(stage, list(link.secrets()), everything(stage))

    # It is paid once, and an app hears so once.
    browser.reload()
    browser.reaches("alreadyPaid")
    check(TEXTS["en"]["alreadyPaid"].endswith("Nothing was paid now."))
    check(browser.text("#sentence").endswith("Nothing was paid now."), browser.text("#sentence"))
    equal([message["status"] for message in browser.messages()], ["paying", "alreadyPaid"])


@quick
def the_pages_decisions_hold_for_answers_of_every_kind(stage):
    said = what_a_vault_says(stage)
    result = decide(stage, said)
    check("error" not in result, result.get("error"))
    equal(result["value"]["failures"], [])
    check(result["value"]["tried"] > 3000, result)


def what_a_vault_says(stage):
    """Answers of the vault for machine.js."""
    world = stage.world
    receipts = []
    for _ in range(2):
        stage.paid()
        pay = next(exchange for exchange in reversed(world.front.exchanges) if exchange.path.endswith("/claim"))
        receipts.append(world.call(pay.path, json.loads(pay.body))[1])
    vault = world.call("/api/vault")[1]
    return {
        "vault": vault,
        "claim": world.call(pay.path.removesuffix("/claim"))[1],
        "receipt": receipts[1],
        "other": receipts[0],
        "second": signed_elsewhere(receipts[1], vault["chainId"]),
        "contract": signed_on_a_chain(receipts[1], vault),
    }


def signed_elsewhere(receipt, chain):
    """What a second vault signs of the same claim: a receipt, and others with what a receipt of it cannot have."""
    key = 777
    address = reference.address_of(key)

    def sign(**changes):
        signed = receipt | changes
        plain = lambda name: bytes.fromhex(signed[name][2:])
        amount = reference.units(signed["amount"])
        fields = [plain("ledgerId"), 0, plain("token"), amount, plain("receiver"), plain("txHash"), signed["time"]]
        signature = reference.sign(key, reference.receipt_digest(chain, address, *fields))
        return signed | {"signature": reference.hexed(signature)}

    return {
        "address": reference.hexed(address),
        "receipt": sign(),
        "lies": {
            "a time that no date has": sign(time=9 * 10**12),
            "another amount": sign(amount="2.00"),
            "another token": sign(token="0x" + "11" * 20),
            "another claim": sign(ledgerId="0x" + "11" * 32),
        },
    }


def signed_on_a_chain(receipt, vault):
    """What a vault on a chain says of itself, and its receipts of the same claim."""
    key, contract, stranger = 778, bytes([0x55] * 20), "0x" + "66" * 20
    described = {name: value for name, value in vault.items() if name != "signIn"} | {
        "kind": "contract",
        "address": reference.hexed(contract),
        "receiptKey": reference.hexed(reference.address_of(key)),
        "codeHash": "0x" + "ab" * 32,
        "faucet": False,
    }

    def values(receipt):
        plain = lambda name: bytes.fromhex(receipt.get(name, "0x" + "00" * 20)[2:])
        units, refunded = reference.units(receipt["amount"]), receipt["status"] == "refunded"
        ends = [plain("receiver"), plain("txHash"), receipt["time"]]
        return [vault["chainId"], contract, plain("ledgerId"), refunded, plain("token"), units, *ends]

    def sign(level="confirmed", number=7, key=key, **changes):
        block = {"number": number, "hash": reference.hexed(reference.word(number))}
        whole = {name: value for name, value in (receipt | changes).items() if value is not None and name != "made"}
        digest = reference.chain_receipt_digest(
            *values(whole), number=number, block=reference.word(number), level=level
        )
        return whole | {"level": level, "block": block, "signature": reference.hexed(reference.sign(key, digest))}

    plain = reference.sign(key, reference.receipt_digest(*values(receipt)))
    return {
        "vault": described,
        "confirmed": sign(),
        "final": sign("finalized"),
        "moved": sign(number=8),
        "early": sign(number=6, time=receipt["time"] - 60),
        "another": sign(number=9, receiver=stranger),
        "theirsFinal": sign("finalized", 9, receiver=stranger),
        "refund": sign(status="refunded", receiver=None),
        "forged": sign(key=key + 1),
        "plain": receipt | {"signature": reference.hexed(plain)},
    }


def decide(stage, said):
    """Runs machine.js on the claim.js of the page that is open."""
    browser = stage.browser
    return browser.evaluate((HERE / "machine.js").read_text(), browser.module("claim.js"), stage.seed, said)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bump", required=True)
    parser.add_argument("--vault", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--axe")
    parser.add_argument("--chain-python")
    parser.add_argument("--pictures")
    parser.add_argument("--sources", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=random.randrange(2**31))
    options = parser.parse_args()
    # Tests are registered by the import of their file.
    sys.modules["page"] = sys.modules["__main__"]
    import signing_in  # noqa: F401

    if options.all:
        import faults  # noqa: F401
        import hostile  # noqa: F401
        import looks  # noqa: F401
        import on_chain  # noqa: F401
    chosen = [test for test in TESTS if (options.all or not test[1]) and options.only in test[0]]
    failed = []
    print(f"page.py: seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        world = World(folder, options.bump, options.vault)
        browser = None
        try:
            browser = Browser(world)
            stage = Stage(world, browser)
            stage.seed, stage.axe, stage.pictures = options.seed, options.axe, options.pictures
            stage.sources, stage.chain_python = options.sources, options.chain_python
            if options.sources:
                stack.enter_context(sources.served(world.front, sources.Pages(sources.read())))
            if options.all:
                # These expire while the other tests run.
                stage.expired = [stage.link("--expires", "60s") for _ in range(8)]
            for name, _, body in chosen:
                start = time.monotonic()
                try:
                    body(stage)
                    print(f"passed: {name} ({time.monotonic() - start:.1f} s)", flush=True)
                except Exception:
                    failed.append(name)
                    print(f"FAILED: {name}\n{traceback.format_exc()}", flush=True)
                finally:
                    # Whoever has a wallet is asked for no address: the next scene begins as a newcomer.
                    browser.forget()
                    browser.scheme("light")
                    browser.size(1280, 800)
        finally:
            if browser:
                browser.end()
            world.end()
    if failed or not chosen:
        raise SystemExit(f"page.py: {len(failed)} of {len(chosen)} failed, seed {options.seed}")


if __name__ == "__main__":
    main()
