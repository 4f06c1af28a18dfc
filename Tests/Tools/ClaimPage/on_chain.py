"""The page of a claim whose money a contract holds: a real vault on the test node's chain, which can reorganize."""

import json
import re
import subprocess
import tempfile
import urllib.request
from contextlib import ExitStack, contextmanager
from pathlib import Path

import front
import reference
import sources
from browser import Browser
from looks import check_german
from page import TEXTS, check, equal, everything, search, thorough
from scenes import CLAIM, EVENTS, PAY, REFUND, STRANGER, Stage, forge
from world import World, until

TOOLS = Path(__file__).resolve().parents[1]
EN = TEXTS["en"]
# Who carries a claim without the vault.
CARRIER = 0xCA221E2
# By how many blocks the final one is behind.
FINALIZED = 4


class ChainWorld(World):
    """A vault on a chain of its own. There is a block for each transaction, or only when a test says so."""

    def __init__(self, folder, bump, vault, python):
        self.python = python
        super().__init__(folder, bump, vault)

    def options(self):
        keys = {name: self.folder / f"{name}.key" for name in ("relayer", "receipt")}
        relayer, _ = [self.vault("chain", "key", keys[name]).strip() for name in keys]
        carrier = reference.hexed(reference.address_of(CARRIER))
        arguments = ["--token", "--fund", relayer, "--fund", carrier, "--safe", "2", "--finalized", str(FINALIZED)]
        self.node = subprocess.Popen(
            [self.python, TOOLS / "Chain/node.py", *arguments], stdout=subprocess.PIPE, text=True
        )
        self.made = json.loads(self.node.stdout.readline())
        chain, token = self.folder / "chain.json", self.made["token"]
        deploy = ["deploy", "--node", self.made["url"], "--key", keys["relayer"], "--chain-id", "31337"]
        self.vault(*deploy, "--token", token, "--write", chain, "--yes")
        self.store.mkdir()
        return [
            "--chain",
            chain,
            "--relayer-key",
            keys["relayer"],
            "--receipt-key",
            keys["receipt"],
            "--store",
            self.store / "chain.sqlite",
        ]

    def vault(self, *arguments):
        """Runs bump-vault to its end, and returns what it prints."""
        return subprocess.run(
            [self.vault_program, *arguments], check=True, capture_output=True, text=True, timeout=120
        ).stdout

    def rpc(self, method, *parameters):
        """Calls the node."""
        call = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).encode()
        request = urllib.request.Request(self.made["url"], call, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as response:
            answer = json.load(response)
        check("error" not in answer, f"{method}: {answer}")
        return answer["result"]

    def fund(self, address, amount):
        self.rpc("test_issuer", "mint(address,uint256)", address, str(reference.units(amount)))

    def pause(self):
        """Has blocks come only by `mine`."""
        self.rpc("test_mining", "manual")

    def waiting(self):
        """The transactions that wait for a block."""
        return self.rpc("test_state")["pending"]

    def mine(self, count=1):
        """Appends blocks. The first one has what waits: there must be something."""
        until(self.waiting, "the vault sends a transaction")
        self.rpc("test_mine", count)

    def finalize(self):
        """Makes the newest block final."""
        self.rpc("test_mine", FINALIZED)

    def carried(self, link, ledger_id, receiver):
        """A transaction of somebody else's that pays a claim to another receiver: its sender knows the secret, too."""
        described = self.call("/api/vault")[1]
        plain = lambda text: bytes.fromhex(text[2:])
        key = reference.claim_key(link.bytes_of(link.secret), link.id)
        digest = reference.claim_digest(
            described["chainId"], plain(described["address"]), plain(ledger_id), plain(receiver)
        )
        given = {
            "key": f"0x{CARRIER:064x}",
            "chainId": described["chainId"],
            "contract": described["address"],
            "ledgerId": ledger_id,
            "proof": reference.hexed(reference.sign(key, digest)),
            "receiver": receiver,
        }
        return subprocess.run(
            [self.python, Path(__file__).with_name("carry.py")],
            input=json.dumps(given),
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()

    def end(self):
        super().end()
        self.node.terminate()
        self.node.wait(20)


@contextmanager
def chain(stage):
    """A stage on a chain, with the same programs and pages."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        world = ChainWorld(folder, stage.world.bump_program, stage.world.vault_program, stage.chain_python)
        stack.callback(world.end)
        browser = Browser(world)
        stack.callback(browser.end)
        if stage.sources:
            stack.enter_context(sources.served(world.front, sources.Pages(sources.read())))
        there = Stage(world, browser)
        there.axe = stage.axe
        yield there


def submitted(stage, link=None):
    """Opens a link and asks for the money. No block has the payment yet."""
    link = link or stage.link()
    stage.world.pause()
    stage.offer(link)
    stage.browser.enter(stage.bob.address)
    stage.browser.tap()
    stage.browser.reaches("submitted")
    return link


def included(stage, link=None):
    """The same, and a block has it that is not final."""
    link = submitted(stage, link)
    stage.world.mine()
    stage.browser.reaches("included")
    return link


def shows_level(browser, level):
    check(EN[level] in browser.text("#receipt"), browser.text("#receipt"))


@thorough
def a_claim_on_a_chain_is_sent_then_in_a_block_and_paid_once_that_is_final(stage):
    with chain(stage) as stage:
        browser, world = stage.browser, stage.world
        link = submitted(stage)
        equal(browser.text("h1"), "You've got 1.00 USDC")
        equal(browser.text("#sentence"), EN["submitted"])
        check(not browser.shown("#receipt") and not browser.shown("#act"))
        check_german(stage, "submitted", "submitted", "claim")
        equal(stage.bob.balance(), [])

        # A reload sends the same request.
        browser.reload()
        browser.reaches("submitted")
        pays = [each for each in stage.front.exchanges if each.is_browsers and each.path.endswith("/claim")]
        equal(len({each.body for each in pays}), 1)
        equal(len(world.waiting()), 1)

        world.mine()
        browser.reaches("included")
        equal(browser.text("h1"), "You received 1.00 USDC")
        equal(browser.text("#sentence"), EN["included"])
        check(stage.bob.address in browser.text("#receipt"), browser.text("#receipt"))
        shows_level(browser, "confirmed")
        check_german(stage, "included", "included", "claim")
        check("#" in browser.driver.current_url, "the link is gone before the payment is final")
        equal(stage.bob.balance(), ["1.00"])

        world.finalize()
        browser.reaches("paid")
        equal(browser.text("#sentence"), EN["paid"])
        shows_level(browser, "finalized")
        check("#" not in browser.driver.current_url, browser.driver.current_url)
        messages = browser.messages()
        equal([message["status"] for message in messages], ["paying", "submitted", "included", "paid"])
        equal({message.get("address") for message in messages[2:]}, {stage.bob.address})
        equal([line for line in browser.logs() if "Failed to load" not in line], [])
        search(stage, list(link.secrets()), everything(stage))
        browser.reload()
        browser.reaches("alreadyPaid")


@thorough
def a_reorganization_takes_a_payment_back_and_it_is_sent_again(stage):
    with chain(stage) as stage:
        browser, world = stage.browser, stage.world
        included(stage)
        world.rpc("test_reorganize", 1, [], 2, False)
        browser.reaches("submitted")
        equal(browser.text("#sentence"), EN["submitted.undone"])
        check(not browser.shown("#receipt"), "it shows the receipt of a block that is gone")
        equal(stage.bob.balance(), [])
        world.mine()
        browser.reaches("included")
        equal(stage.bob.balance(), ["1.00"])
        world.finalize()
        browser.reaches("paid")
        equal(browser.messages()[-1]["address"], stage.bob.address)


@thorough
def after_a_reorganization_another_holder_wins_and_the_page_says_so(stage):
    with chain(stage) as stage:
        browser, world = stage.browser, stage.world
        link = stage.link()
        ledger_id = stage.ledger_id(link)
        included(stage, link)
        world.rpc("test_reorganize", 1, [[world.carried(link, ledger_id, STRANGER)]], 2, False)
        until(lambda: browser.text("h1") == EN["taken.head"], "another has it")
        browser.reaches("included")
        check(STRANGER in browser.text("#receipt"), browser.text("#receipt"))
        shows_level(browser, "confirmed")
        check("paid" not in {message["status"] for message in browser.messages()}, "an app was told that it is paid")
        world.finalize()
        browser.reaches("taken")
        check(STRANGER in browser.text("#receipt"), browser.text("#receipt"))
        shows_level(browser, "finalized")
        equal(stage.bob.balance(), [])


@thorough
def a_receipt_that_the_receipt_key_has_not_signed_is_refused_on_a_chain(stage):
    with chain(stage) as stage:
        browser, world = stage.browser, stage.world
        put = lambda **values: lambda receipt: receipt.update(values)
        for what, change in {
            "a forged signature": forge,
            "a level that nobody signed": put(level="finalized"),
            "another block": lambda receipt: receipt["block"].update(number=1),
            "no block": lambda receipt: [receipt.pop(name) for name in ("level", "block")],
            "another receiver": put(receiver=STRANGER),
        }.items():
            world.rpc("test_mining", "automatic")
            submitted(stage)
            change_both = front.edit(lambda body: change(body.get("receipt", body)))
            with stage.front.rule("POST", PAY, change_both), stage.front.rule("POST", REFUND, change_both):
                world.mine()
                try:
                    browser.reaches("untrusted")
                except AssertionError as error:
                    raise AssertionError(f"{what}: {error}") from None
                equal(browser.text("#sentence"), EN["claim.untrusted.asked"])
                check(not browser.shown("#receipt"), f"{what}: it shows a receipt")
            browser.tap()
            browser.reaches("included")


@thorough
def a_deposit_that_is_not_in_a_block_is_waited_for_and_may_be_taken_back(stage):
    with chain(stage) as stage:
        browser, world = stage.browser, stage.world
        link = stage.link()
        browser.open(link)
        browser.reaches("offer")
        world.pause()
        world.rpc("test_reorganize", 1, [], 2, False)
        browser.reaches("waiting")
        world.mine()
        browser.reaches("offer")


@thorough
def a_vault_that_does_not_reach_its_chain_is_asked_again(stage):
    with chain(stage) as stage:
        browser, world = stage.browser, stage.world
        stage.offer()
        world.pause()
        browser.enter(stage.bob.address)
        kinds = ("chain-unreachable", "busy", "sponsoring-exhausted")
        said = [kinds[0]]
        refuse = lambda *exchange: front.problem(503, said[0], {"Retry-After": "1"})(*exchange)
        with stage.front.rule("POST", PAY, refuse):
            browser.tap()
            for kind in kinds:
                said[0] = kind
                until(lambda: browser.text("#sentence") == EN[kind], f"it says {kind}")
                equal(browser.state(), "limited")
        browser.reaches("submitted")
        equal(browser.text("#sentence"), EN["submitted"])


@thorough
def the_senders_page_follows_a_chain_there_and_back(stage):
    with chain(stage) as stage:
        browser, world = stage.browser, stage.world
        link = stage.link()
        page = stage.sent(link)
        included(stage, link)
        browser.open(page)
        browser.reaches("included")
        equal(browser.text("h1"), "Claimed 1.00 USDC")
        shows_level(browser, "confirmed")
        world.rpc("test_reorganize", 1, [], 2, False)
        browser.reaches("offer")
        equal(browser.text("#sentence"), EN["sent.offer.undone"])
        # The page asks no more: only the events can tell it.
        with stage.front.rule("GET", CLAIM, front.Hold()):
            world.mine()
            browser.reaches("included")
        world.finalize()
        browser.reaches("taken")
        shows_level(browser, "finalized")


@thorough
def a_refund_on_a_chain_is_sent_then_in_a_block_and_back_once_that_is_final(stage):
    with chain(stage) as stage:
        browser, world = stage.browser, stage.world
        link = stage.link("--expires", "60s")
        before = float(stage.alice.balance()[0])
        page = stage.sent(link)
        world.pause()
        world.rpc("test_time", None, 120)
        world.rpc("test_mine")
        browser.open(page)
        browser.reaches("expired")
        browser.tap()
        browser.reaches("submitted")
        equal(browser.text("#sentence"), EN["sent.submitted"])
        check_german(stage, "sent-submitted", "submitted", "sent")
        world.mine()
        browser.reaches("included")
        equal(browser.text("h1"), "You got back 1.00 USDC")
        shows_level(browser, "confirmed")
        world.rpc("test_reorganize", 1, [], 2, False)
        browser.reaches("submitted")
        equal(browser.text("#sentence"), EN["sent.submitted.undone"])
        world.mine()
        browser.reaches("included")
        world.finalize()
        browser.reaches("refunded")
        equal(float(stage.alice.balance()[0]), before + 1)


@thorough
def a_chain_is_spoken_of_in_german_to_who_asks_for_it(stage):
    with chain(stage) as stage:
        browser = Browser(stage.world, language="de")
        try:
            link = stage.link()
            stage.world.pause()
            browser.open(link)
            browser.reaches("offer")
            browser.enter(stage.bob.address)
            browser.tap()
            browser.reaches("submitted")
            equal(browser.text("#sentence"), TEXTS["de"]["submitted"])
            equal(browser.text("h1"), "Du bekommst 1.00 USDC")
            browser.find("#language").click()
            equal(browser.text("#sentence"), EN["submitted"])
        finally:
            browser.end()


@thorough
def a_page_whose_script_or_texts_for_a_chain_do_not_come_asks_again(stage):
    with chain(stage) as stage:
        browser, world = stage.browser, stage.world
        for file in (r"/chain\.js", r"/chain\.en\.json"):
            browser.open("about:blank")
            browser.cdp("Network.enable")
            browser.cdp("Network.clearBrowserCache")
            link = stage.link()
            with stage.front.rule("GET", file, front.lose):
                browser.open(link)
                browser.reaches("offline")
            browser.reaches("offer")
        world.pause()
        browser.enter(stage.bob.address)
        browser.tap()
        browser.reaches("submitted")
        equal(browser.text("#sentence"), EN["submitted"])


@thorough
def an_app_is_told_of_each_payment_that_a_block_has_before_one_is_final(stage):
    with chain(stage) as stage:
        browser, world = stage.browser, stage.world
        link = stage.link()
        ledger_id = stage.ledger_id(link)
        hold = front.Hold()
        held = lambda exchange, pass_on: hold(exchange, pass_on) if exchange.is_browsers else pass_on()
        with stage.front.rule("GET", EVENTS, front.lose):
            included(stage, link)
            first = browser.messages()
            # The page hears nothing of what is between the two blocks.
            with stage.front.rule("GET", CLAIM, held):
                world.rpc("test_reorganize", 1, [[world.carried(link, ledger_id, STRANGER)]], 2, False)
                paid = lambda: world.call(f"/api/claims/{ledger_id}")[1].get("receiver", "").lower()
                until(lambda: paid() == STRANGER.lower(), "another has it")
                hold.release()
                until(lambda: browser.text("h1") == EN["taken.head"], "the page says so")
            told = browser.messages()
        equal([(each["status"], each["address"]) for each in first[-1:]], [("included", stage.bob.address)])
        equal([(each["status"], each["address"]) for each in told[len(first) :]], [("included", STRANGER)])
        check(told[-1]["txHash"] != first[-1]["txHash"], "it is told of one transaction twice")


@thorough
def a_vault_that_falls_silent_before_a_payment_is_final_is_said_to(stage):
    with chain(stage) as stage:
        browser = stage.browser
        included(stage)
        beginning, end = EN["included.silent"].split("{now}")
        with stage.front.rule("GET", "^/api/claims/", front.lose):
            browser.js("dispatchEvent(new Event('online'))")
            until(lambda: browser.text("#sentence").startswith(beginning), "it says so")
            sentence = browser.text("#sentence")
            check(re.search(r" \d{4}, \d+:\d\d", sentence) and sentence.endswith(end), sentence)
            until(lambda: browser.shown("#timer"), "it says when it asks again")
            equal(browser.state(), "included")
            shows_level(browser, "confirmed")
            browser.find("#language").click()
            check(browser.text("#sentence").startswith(TEXTS["de"]["included.silent"].split("{now}")[0]))
            browser.find("#language").click()
        until(lambda: browser.text("#sentence") == EN["included"], "the vault is back")
        equal([message["status"] for message in browser.messages()][-1], "included")
