"""Signing in on the claim page, and the wallet: ways into it, ways out, and hands that must not open it."""

import json
import re
import subprocess
from pathlib import Path

import front
import reference
import seal_tests
from browser import Browser
from page import TEXTS, check, check_requests, equal, everything, quick, search, thorough
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from world import until

ADDRESS = "newcomer@example.org"


class Hands:
    """What a person does in a browser, one tap after the other, which are counted."""

    def __init__(self, browser, mailbox):
        self.browser, self.mailbox, self.taps = browser, mailbox, 0

    def authenticator(self, prf=True, verifies=True):
        """Gives this tab a passkey's authenticator in place of others."""
        self.browser.cdp("WebAuthn.enable")
        options = {"protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal", "hasResidentKey": True}
        options |= {"hasUserVerification": verifies, "isUserVerified": verifies, "hasPrf": prf}
        options |= {"automaticPresenceSimulation": True}
        return self.browser.cdp("WebAuthn.addVirtualAuthenticator", options=options)["authenticatorId"]

    def reaches(self, *steps):
        now = "return document.getElementById('main')?.dataset.step ?? ''"
        try:
            return until(lambda: (step := self.browser.js(now)) in steps and step, f"step {' or '.join(steps)}", 30)
        except AssertionError as error:
            raise AssertionError(f"{error}: it is {self.browser.js(now)}: {self.browser.text()}") from None

    def tap(self, action):
        self.handle(f"[data-act='{action}']:not([aria-disabled='true'])", lambda element: element.click())
        self.taps += 1

    def handle(self, selector, deed):
        """Does something with an element as soon as it is shown. A step may take the place of another meanwhile."""

        def done():
            try:
                element = self.browser.find(selector)
                return element.is_displayed() and (deed(element) or True)
            except (NoSuchElementException, StaleElementReferenceException):
                return False

        try:
            until(done, selector, 30)
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.browser.text()}") from None

    def type(self, text):
        self.handle("#entry", lambda entry: self.browser.js("arguments[0].value = ''", entry))
        self.browser.find("#entry").send_keys(text)

    def ask_for_code(self, address=ADDRESS):
        """Asks for a code, and returns it."""
        self.reaches("mail", "mail.operator")
        self.mailbox.codes()
        self.type(address)
        self.tap("send")
        self.reaches("code")
        return self.mailbox.code()

    def sign_in(self, address=ADDRESS):
        self.tap("signIn")
        self.type_code(self.ask_for_code(address))

    def type_code(self, code):
        """The sixth digit is enough."""
        self.type(code)

    def forget(self, session=True):
        """Makes this browser one that was never here, or has its session alone. Its passkeys stay."""
        if session:
            self.browser.driver.delete_all_cookies()
        self.browser.evaluate(
            "localStorage.clear(); sessionStorage.clear();"
            "await new Promise((resolve) => { const it = indexedDB.deleteDatabase('bump');"
            "it.onsuccess = it.onerror = it.onblocked = resolve; });"
        )

    def exported(self):
        """The key of the open wallet, by its long recovery code."""
        self.tap("export")
        self.tap("show")
        self.reaches("export.code")
        text = self.browser.find(".secret").text
        self.tap("done")
        self.reaches("home")
        value = 0
        for letter in re.sub(r"[\s-]", "", text):
            value = value * 32 + seal_tests.LETTERS.index(letter)
        return text, (value >> 24).to_bytes(32, "big")


def hands(stage, **authenticator):
    """A tab with nothing of before, on the wallet's page."""
    stage.browser.open(f"{stage.world.url}/wallet")
    person = Hands(stage.browser, stage.world.mailbox)
    person.authenticator(**authenticator)
    person.forget()
    stage.browser.go(f"{stage.world.url}/wallet")
    return person


def made(stage, address, **authenticator):
    """Somebody whose wallet is made and open."""
    person = hands(stage, **authenticator)
    person.sign_in(address)
    person.tap("make")
    person.reaches("home")
    return person


def recovery_code(person):
    """Confirms the recovery code that is shown, and returns it."""
    person.reaches("recovery")
    code = person.browser.find(".secret").text
    person.tap("written")
    person.reaches("recovery.confirm")
    person.type(code.lower().replace("-", " "))
    person.tap("confirm")
    person.reaches("home")
    return code


def money(stage, person, amount="1.00"):
    """Has the faucet fill the open wallet."""
    address = person.browser.find("#own").text
    stage.world.call("/api/faucet", {"address": address, "amount": amount})
    stage.browser.js("document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))")
    until(lambda: amount in stage.browser.text("#head"), f"{amount} is shown")
    return address


def secrets_of(key):
    yield key
    yield from (key.hex().encode(), key.hex().upper().encode())
    yield from (reference.base64url(key).encode(), str(int.from_bytes(key, "big")).encode())


@quick
def a_newcomer_takes_the_money_with_three_taps_an_address_and_a_code(stage):
    browser, world = stage.browser, stage.world
    link = stage.offer()
    person = Hands(browser, world.mailbox)
    person.authenticator()
    since = len(world.front.exchanges)
    person.sign_in()
    person.tap("claim")
    browser.reaches("paid")
    equal(person.taps, 3)
    address = browser.messages()[-1]["address"]
    equal(browser.messages()[-1]["status"], "paid")

    # One tap from then on. No word of the vault's names the receiver.
    browser.go(stage.link())
    until(lambda: browser.shown("#to"), "the wallet is named")
    check(address in browser.text("#to"), browser.text("#to"))
    browser.tap()
    browser.reaches("paid")

    browser.go(f"{world.url}/wallet")
    person.tap("signIn")
    person.tap("passkey")
    person.reaches("home")
    equal(browser.text("#head"), "You have 2.00 USDC")
    equal(browser.find("#own").text, address)
    code, key = person.exported()
    equal(reference.checksummed(reference.address_of(int.from_bytes(key, "big"))), address)
    secrets = [*secrets_of(key), code.encode(), code.replace("-", "").encode()]
    search(stage, secrets, everything(stage))
    # The address is in the one request, and the vault keeps neither it nor the code.
    places = {
        name: data
        for name, data in everything(stage).items()
        if not name.startswith(("request", "storage", "messages"))
    }
    search(stage, [ADDRESS.encode(), b"newcomer"], places)
    asked = [exchange for exchange in world.front.exchanges[since:] if exchange.is_browsers]
    equal({exchange.path for exchange in asked if b"newcomer" in exchange.body}, {"/api/sign-in"})
    check_requests(stage)


@thorough
def a_return_with_a_passkey_takes_two_taps_and_no_mail(stage):
    browser = stage.browser
    person = made(stage, "returning@example.org")
    address = browser.find("#own").text
    # Synced to a browser that was never here.
    person.forget()
    browser.go(stage.link())
    browser.reaches("offer")
    stage.world.mailbox.codes()
    person.taps = 0
    person.tap("openPasskey")
    until(lambda: browser.shown("#to"), "the wallet is named")
    browser.tap()
    browser.reaches("paid")
    equal(person.taps + 1, 2)
    equal(browser.messages()[-1]["address"], address)
    equal(stage.world.mailbox.codes(), [])


@thorough
def without_prf_a_key_of_the_browsers_opens_and_a_recovery_code_is_confirmed(stage):
    for options in ({"prf": False}, {"verifies": False}):
        browser = stage.browser
        person = hands(stage, **options)
        name = f"plain{len(options)}{options.get('prf', True)}@example.org"
        person.sign_in(name)
        if person.reaches("make", "make.plain") == "make":
            person.tap("make")
            person.reaches("passkey.none")
            person.tap("noPasskey")
        else:
            person.tap("make")
        # What was not confirmed is no code, and nothing is paid to a wallet without one.
        person.reaches("recovery")
        equal(browser.js("return localStorage.getItem('bump:wallet')"), None)
        person.tap("written")
        person.type("0000-0000-0000-0000-0000-0000-0000")
        person.tap("confirm")
        until(lambda: browser.shown("#mistake"), "it is not the code")
        person.tap("look")
        code = recovery_code(person)
        address = browser.find("#own").text
        browser.reload()
        person.tap("signIn")
        person.reaches("home")
        equal(browser.find("#own").text, address)
        # The device is lost: the code and the mailbox open the wallet elsewhere, and neither does alone.
        person.forget()
        browser.go(f"{stage.world.url}/wallet")
        person.sign_in(name)
        person.reaches("locked")
        person.tap("haveCode")
        person.type(code[:-1] + ("0" if code[-1] != "0" else "1"))
        person.tap("open")
        until(lambda: browser.text("#mistake") == TEXTS["en"]["mistake.recovery"], "a mistyped code")
        person.type(seal_tests.code(bytes(range(16))))
        person.tap("open")
        until(lambda: browser.text("#mistake") == TEXTS["en"]["mistake.otherCode"], "another code")
        person.type(code)
        person.tap("open")
        if person.reaches("newDevice", "home") == "newDevice":
            person.tap("noPasskey")
        person.reaches("home")
        equal(browser.find("#own").text, address)


@thorough
def a_sixth_device_takes_the_place_of_one_that_the_owner_chooses(stage):
    browser, url = stage.browser, f"{stage.world.url}/wallet"
    person = made(stage, "devices@example.org")
    person.tap("recoveryCode")
    code = recovery_code(person)
    address = browser.find("#own").text
    for count in range(2, 7):
        # An address gets five codes an hour.
        person.forget(session=count < 6)
        browser.go(url)
        if count < 6:
            person.sign_in("devices@example.org")
        else:
            person.tap("signIn")
        person.reaches("locked")
        person.tap("haveCode")
        person.type(code)
        person.tap("open")
        person.reaches("newDevice")
        person.tap("noPasskey")
        if count == 6:
            person.reaches("tooMany")
            buttons = browser.driver.find_elements("css selector", ".choices button")
            equal(len(buttons), 5)
            buttons[1].click()
        person.reaches("home")
        equal(browser.find("#own").text, address)
    person.tap("devices")
    person.reaches("devices")
    equal(len(browser.driver.find_elements("css selector", ".devices li")), 5)


@thorough
def a_device_that_is_removed_opens_nothing_any_more(stage):
    browser = stage.browser
    person = made(stage, "removed@example.org")
    person.tap("recoveryCode")
    recovery_code(person)
    person.tap("devices")
    person.reaches("devices")
    browser.find(".devices button").click()
    person.reaches("remove.here")
    person.tap("remove")
    person.reaches("ways")
    person.tap("openPasskey")
    person.reaches("passkey.missing")
    person.tap("back")
    person.sign_in("removed@example.org")
    person.reaches("locked")
    person.tap("passkey")
    person.reaches("locked")
    equal(browser.js("return localStorage.getItem('bump:wallet')"), None)


@thorough
def signing_out_everywhere_ends_each_session_and_no_key_is_lost(stage):
    browser = stage.browser
    person = made(stage, "everywhere@example.org")
    address = browser.find("#own").text
    other = Browser(stage.world)
    try:
        other.driver.get(f"{stage.world.url}/wallet")
        second = Hands(other, stage.world.mailbox)
        second.sign_in("everywhere@example.org")
        # A stolen mailbox comes as far as this, and no further.
        second.reaches("locked")
        check("recovery code" in other.text(), other.text())
        stored = other.storage()
        check(address.lower() not in stored.lower(), stored)
        person.tap("signOut")
        person.tap("signOutEverywhere")
        person.reaches("ways")
        other.reload()
        second.tap("signIn")
        second.reaches("mail", "mail.operator")
    finally:
        other.end()
    person.tap("openPasskey")
    person.reaches("home")
    equal(browser.find("#own").text, address)


@thorough
def a_code_is_good_in_the_browser_that_asked_for_it_alone(stage):
    first = hands(stage)
    other = Browser(stage.world)
    try:
        other.driver.get(f"{stage.world.url}/wallet")
        second = Hands(other, stage.world.mailbox)
        first.tap("signIn")
        code = first.ask_for_code("flows@example.org")
        second.tap("signIn")
        # Two flows for one address: each has its own code.
        own = second.ask_for_code("flows@example.org")
        if code != own:
            second.type_code(code)
            until(lambda: other.shown("#mistake"), "the other's code is wrong here")
        first.type_code(code)
        first.reaches("make")
        second.type_code(own)
        second.reaches("make", "make.plain")
        # Where nobody asked there is no flow.
        other.js("sessionStorage.setItem('bump:code', JSON.stringify({at: Date.now()}))")
        other.driver.delete_all_cookies()
        other.reload()
        second.reaches("code")
        second.type_code("123456")
        second.reaches("code.over")
    finally:
        other.end()


@thorough
def a_vault_that_swaps_what_it_keeps_is_not_believed(stage):
    browser, url = stage.browser, f"{stage.world.url}/wallet"
    made(stage, "other@example.org")
    foreign = stage.world.front.exchanges
    foreign = json.loads(next(e for e in reversed(foreign) if e.path == "/api/wallet/devices").body)
    person = made(stage, "victim@example.org")
    address = browser.find("#own").text
    attacker = "0x" + "a1" * 20

    def wrong_blob(account):
        for device in account.get("devices", []):
            device["wrapped"] = foreign["wrapped"]

    lies = {
        "another account's key": wrong_blob,
        "another account": lambda account: account.update(account="0x" + "ab" * 32),
        "another address": lambda account: account.update(wallet=attacker),
        "no wallet": lambda account: account.update(devices=[], wallet=None) or account.pop("wallet"),
    }
    for name, lie in lies.items():
        with stage.front.rule("GET", "^/api/session$", front.edit(lie)):
            link, since = stage.link(), len(stage.front.exchanges)
            browser.go(link)
            browser.reaches("offer")
            asked = lambda: [it for it in stage.front.exchanges[since:] if it.path == "/api/session" and it.status]
            until(asked, "the page asks who is signed in")
            if name != "another account's key":
                # What the page does with the answer is done before another one comes.
                browser.evaluate("await fetch('/healthz')")
                check(attacker not in browser.text().lower(), f"{name}: {browser.text()}")
                check(not browser.shown("#to"), f"{name} is paid: {browser.text()}")
            browser.go(url)
            person.tap("signIn")
            if name in ("another address", "no wallet"):
                person.reaches("changed")
                check(address in browser.text(), browser.text())
            else:
                person.reaches("locked")
                person.tap("passkey")
                person.reaches("strange")
            person.tap("back")
            person.reaches("ways")
    # What is found by a passkey without a session.
    with stage.front.rule("POST", "^/api/wallet/find$", front.edit(lambda found: found.update(wallet=attacker))):
        browser.go(url)
        person.tap("openPasskey")
        person.reaches("strange")
    browser.go(url)
    person.tap("openPasskey")
    person.reaches("home")
    equal(browser.find("#own").text, address)


@thorough
def each_answer_that_is_lost_on_the_way_to_a_wallet_is_asked_for_again(stage):
    browser, world = stage.browser, stage.world
    # Chromium itself sends a request again where a connection ends that was used before, so each of them is lost.
    for number, loss in enumerate((front.lose, front.lose_answer)):
        person = hands(stage)
        person.tap("signIn")
        person.reaches("mail", "mail.operator")
        since, came = len(world.front.exchanges), world.mailbox.codes()[:0]
        with stage.front.rule("POST", "^/api/sign-in$", loss):
            person.type(f"lost{number}@example.org")
            person.tap("send")
            person.reaches("silent")
        sent = [exchange for exchange in world.front.exchanges[since:] if exchange.path == "/api/sign-in"]
        if loss is front.lose_answer:
            # At most five codes an hour are sent.
            count = min(5, len(sent))
            until(lambda: came.extend(world.mailbox.codes()) or len(came) >= count, "the codes of lost answers come")
        person.tap("again")
        person.reaches("code")
        person.type_code(world.mailbox.code())
        person.reaches("make")
        with stage.front.rule("POST", "^/api/wallet/devices$", loss):
            person.tap("make")
            person.reaches("silent")
        person.tap("again")
        person.reaches("home")
        person.tap("devices")
        person.reaches("devices")
        equal(len(browser.driver.find_elements("css selector", ".devices li")), 1)


@thorough
def a_code_whose_answer_is_lost_and_a_page_that_is_lost_cost_nothing(stage):
    browser = stage.browser
    # The code was right, and the answer lost: the browser is not signed in, and the code is used.
    person = hands(stage)
    person.tap("signIn")
    code = person.ask_for_code("lostcode@example.org")
    with stage.front.rule("POST", "^/api/sign-in/code$", front.lose_answer):
        person.type_code(code)
        person.reaches("silent")
    person.tap("again")
    person.reaches("code.over")
    person.tap("anew")
    # The phone drops the page while its owner reads the mail.
    code = person.ask_for_code("lostcode@example.org")
    browser.reload()
    person.reaches("code")
    person.type_code(code)
    person.reaches("make")
    # The page is gone after the passkey was made, and before the vault heard of it.
    with stage.front.rule("POST", "^/api/wallet/devices$", front.lose):
        person.tap("make")
        person.reaches("silent")
        browser.reload()
    person.tap("signIn")
    person.tap("make")
    person.reaches("home")


@thorough
def a_vault_that_is_killed_at_each_step_goes_on_where_it_was(stage):
    person = hands(stage)

    def survives(deed, *steps):
        """Does something while there is no vault, and once more when it is back."""
        stage.world.kill()
        try:
            deed()
            person.reaches("silent", "send.unknown")
        finally:
            stage.world.start()
        person.tap("again")
        person.reaches(*steps)

    person.tap("signIn")
    person.reaches("mail", "mail.operator")
    person.type("killed@example.org")
    survives(lambda: person.tap("send"), "code")
    code = stage.world.mailbox.code()
    survives(lambda: person.type_code(code), "make")
    survives(lambda: person.tap("make"), "home")
    money(stage, person)
    person.tap("recoveryCode")
    person.reaches("recovery")
    recovery = stage.browser.find(".secret").text
    person.tap("written")
    person.reaches("recovery.confirm")
    person.type(recovery)
    survives(lambda: person.tap("confirm"), "home")
    person.tap("sendOn")
    person.reaches("send")
    survives(lambda: person.tap("lock"), "send.link")


@thorough
def a_browser_whose_clock_is_a_day_ahead_has_its_wallet(stage):
    browser = stage.browser
    person = hands(stage)
    planted = browser.plant("const now = Date.now; Date.now = () => now() + 86400000;")
    try:
        browser.go(f"{stage.world.url}/wallet")
        person.sign_in("clock@example.org")
        person.tap("make")
        person.reaches("home")
        money(stage, person)
        person.tap("sendOn")
        person.tap("lock")
        person.reaches("send.link")
    finally:
        browser.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=planted["identifier"])


@thorough
def what_is_in_the_wallet_is_sent_on_by_a_link_and_its_code(stage):
    browser = stage.browser
    person = made(stage, "sender@example.org")
    address = money(stage, person, "3.00")
    person.tap("sendOn")
    for text, mistake in (("x", "amount"), ("0", "amount"), ("3.01", "tooMuch")):
        person.type(text)
        person.tap("lock")
        until(lambda: browser.text("#mistake") == TEXTS["en"]["mistake." + mistake], mistake)
    person.type("1.25")
    # The answer is lost after the vault has locked it.
    with stage.front.rule("POST", "/deposit$", front.lose_answer):
        person.tap("lock")
        person.reaches("send.unknown")
    person.tap("again")
    person.reaches("send.link")
    link = browser.find("#link").text
    # The whole code is in sight.
    browser.size(1280, 1600)
    svg = browser.find(".link svg").screenshot_as_png
    (stage.world.folder / "wallet-code.png").write_bytes(svg)
    read = subprocess.run(
        ["zbarimg", "--quiet", "--raw", stage.world.folder / "wallet-code.png"], capture_output=True, text=True
    )
    equal(read.stdout.strip(), link)
    watch = browser.find(".link a").get_attribute("href")
    # The link's secret is in no storage and no request.
    secret = re.search("#s=([^&]*)", link)[1]
    search(stage, [secret.encode()], everything(stage))
    person.tap("done")
    person.reaches("home")
    equal(browser.text("#head"), "You have 1.75 USDC")
    browser.find("#sent summary").click()
    browser.find("#links button").click()
    person.reaches("send.link")
    equal(browser.find("#link").text, link)
    before = float((stage.bob.balance() or ["0.00"])[0])
    stage.bob.bump("claim", link, "--yes", "--vault", stage.world.url)
    equal(float(stage.bob.balance()[0]), before + 1.25)
    browser.go(watch)
    browser.reaches("taken")
    # And all that is left moves to bump on Linux.
    browser.go(f"{stage.world.url}/wallet")
    person.tap("signIn")
    person.tap("passkey")
    person.reaches("home")
    code, _ = person.exported()
    mover = stage.world.folder / "mover.key"
    said = stage.bob.bump("wallet", "import", "--wallet", str(mover), "--json", typed=code + "\n")
    equal(json.loads(said)["address"], address)
    equal(stage.bob.bump("wallet", "export", "--recovery-code", "--yes", "--wallet", str(mover)).strip(), code)


@thorough
def a_wallet_of_bump_is_brought_along_by_its_recovery_code(stage):
    browser = stage.browser
    person = hands(stage)
    code = stage.alice.bump("wallet", "export", "--recovery-code", "--yes").strip()
    person.sign_in("alice@example.org")
    person.reaches("make")
    person.tap("haveCode")
    person.type(code[:-1])
    person.tap("open")
    until(lambda: browser.shown("#mistake"), "it is no code")
    person.type(code)
    person.tap("open")
    person.reaches("home")
    equal(browser.find("#own").text, stage.alice.address)


@thorough
def texts_of_signing_in_that_do_not_come_are_loaded_with_the_next_offer(stage):
    browser = stage.browser
    browser.cdp("Network.enable")
    browser.cdp("Network.clearBrowserCache")
    link, since = stage.link(), len(stage.front.exchanges)
    with stage.front.rule("GET", r"/wallet\.en\.json", front.lose):
        stage.offer(link)
        lost = lambda: [each for each in stage.front.exchanges[since:] if each.path.endswith("/wallet.en.json")]
        until(lost, "they are asked for")
        with stage.front.rule("GET", "^/api/claims/", front.lose):
            browser.js("dispatchEvent(new Event('online'))")
            browser.reaches("offline")
        check(not browser.shown("#door"), "there are ways into a wallet without a text")
    browser.reaches("offer")
    until(lambda: browser.shown("#door"), "the ways into a wallet are there")


@thorough
def where_nobody_can_sign_in_nothing_of_it_is_shown_or_loaded(stage):
    browser, world = stage.browser, stage.world
    with stage.front.rule("GET", "^/api/vault", front.edit(lambda vault: vault.pop("signIn"))):
        since = len(world.front.exchanges)
        stage.offer()
        check(not browser.shown("#door"), browser.text())
        loaded = [exchange.path for exchange in world.front.exchanges[since:]]
        check(not any("sign-in" in path or "wallet" in path for path in loaded), loaded)
        browser.go(f"{world.url}/wallet")
        browser.reaches("off")


@thorough
def each_step_is_accessible_and_fits_every_width(stage):
    from looks import check_width, violations

    browser = stage.browser
    person = hands(stage)
    folder = Path(stage.pictures) if stage.pictures else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)

    def look(name):
        person.reaches(name)
        live = "return [...document.querySelectorAll('[aria-live],[role=status],[role=alert],output')].map((e) => e.id)"
        equal(browser.js(live), ["status"])
        main = "return [...document.querySelectorAll('main button:not(.quiet)')].filter((e) => e.offsetParent).length"
        check(browser.js(main) <= 1, f"{name} has more than one main action")
        for language in ("en", "de"):
            expected = TEXTS[language][name].split("{")[0]
            check(browser.text("#said").startswith(re.sub(r"\s+", " ", expected).strip()), browser.text("#said"))
            for width in (320, 375, 1280, 1920):
                browser.size(width, 812 if width < 600 else 900)
                check_width(browser, f"{name} at {width} in {language}")
                for scheme in ("light", "dark"):
                    browser.scheme(scheme)
                    if folder and language == "en" and width in (375, 1280):
                        browser.picture(folder / f"wallet-{name}-{width}-{scheme}.png")
                    if stage.axe and width in (375, 1280):
                        found = violations(stage)
                        check(not found, f"{name} at {width} in {scheme}, {language}: {found}")
            browser.find("#language").click()

    look("ways")
    person.tap("signIn")
    look("mail.operator")
    code = person.ask_for_code("looks@example.org")
    look("code")
    person.type_code(code)
    look("make")
    person.tap("make")
    look("home")
    money(stage, person)
    for action in ("devices", "export", "signOut", "recoveryCode"):
        name = "recovery" if action == "recoveryCode" else action
        person.tap(action)
        look(name)
        if name == "recovery":
            person.tap("written")
            look("recovery.confirm")
            person.tap("look")
            person.reaches("recovery")
        person.tap("back")
        person.reaches("home")
    person.tap("sendOn")
    look("send")
    person.tap("lock")
    look("send.link")
