"""Links that are altered, a vault that lies or is lost, and two people with one link."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import front
from browser import Browser
from page import TEXTS, check, equal, everything, search, seconds_left, thorough
from scenes import CLAIM, EVENTS, PAY, STRANGER, forge
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from world import until

# A clock that is a day ahead, and can jump; and no timer for what is not due within a second. So where the page asks,
# something has woken it.
CLOCK = """
const [now, later] = [Date.now, setTimeout];
window.jump = 86400000;
Date.now = () => now() + window.jump;
window.setTimeout = (action, wait = 0, ...more) => (wait > 1000 ? 0 : later(action, wait, ...more));
"""


# A clock that can jump, without the timers and the rest of the machine.
LEAP = """
const [now, passed] = [Date.now, performance.now.bind(performance)];
window.jump = 0;
Date.now = () => now() + window.jump;
performance.now = () => passed() + window.jump;
"""


def asks(stage, since):
    """The questions about a claim that the browser has sent."""
    return [each for each in stage.front.exchanges[since:] if each.is_browsers and re.search(CLAIM, each.path)]


def pays(stage, since):
    """The requests for money that the browser has sent."""
    return [
        exchange
        for exchange in stage.front.exchanges[since:]
        if exchange.is_browsers and exchange.method == "POST" and exchange.path.endswith("/claim")
    ]


@thorough
def a_link_altered_in_any_part_asks_for_no_money(stage):
    link = stage.link()
    since = len(stage.front.exchanges)
    altered = {
        "id": link.text.replace(f"/{link.id}", f"/{link.id}x"),
        "secret": link.text.replace("#s=", "#s=A"),
        "a letter of the secret": link.text.replace(
            f"s={link.secret[0]}", "s=" + ("B" if link.secret[0] != "B" else "C")
        ),
        "amount": link.text.replace("a=1.00", "a=9.00"),
        "amount's form": link.text.replace("a=1.00", "a=1.0"),
        "token": link.text.replace("t=USDC", "t=USDT"),
        "a token with markup": link.text.replace("t=USDC", "t=<b>"),
        "expiry": link.text.replace(f"x={link.expiry}", f"x={int(link.expiry) + 60}"),
        "no mac": link.text.split("&m=")[0],
        "mac": link.text[:-2] + ("AA" if link.text[-2:] != "AA" else "BA"),
        "order": link.text.replace("&a=1.00&t=USDC", "&t=USDC&a=1.00"),
        "more": link.text + "&y=1",
        "no fragment": link.text.split("#")[0],
        "another vault's": link.text[: -len(link.mac)] + link.sealed(base="https://other.example/claim").mac,
    }
    for part, text in altered.items():
        stage.browser.open(text)
        state = until(lambda: (now := stage.browser.state()) not in (None, "loading") and now, part)
        check(state in ("garbled", "key", "fragment"), f"{part}: {state}")
    equal(pays(stage, since), [])


def lies(stage):
    """What a lying vault answers, by the request that it answers."""
    stage.paid()
    pay = pays(stage, 0)[-1]
    _, receipt = stage.world.call(pay.path, json.loads(pay.body))
    _, claim = stage.world.call(pay.path.removesuffix("/claim"))
    put = lambda **values: front.edit(lambda body: body.update(values))
    drop = lambda name: front.edit(lambda body: body.pop(name))
    token = lambda **values: front.edit(lambda body: body["tokens"][0].update(values))
    yield "GET", "^/api/vault", {
        "another receipt key": put(receiptKey=STRANGER),
        "no address": drop("address"),
        "no tokens": drop("tokens"),
        "a token of 18 decimals": token(decimals=18),
        "a token with markup": token(symbol="<img src=x onerror=alert(1)>"),
        "a token from the right": token(symbol="\u202eCDSU"),
        "a token that is no text": token(symbol={"toString": 1}),
        "two tokens of one name": front.edit(lambda body: body["tokens"].append(body["tokens"][0])),
        "markup": front.say(200, b"<!doctype html><script>alert(1)</script>"),
        "a list": front.say(200, []),
        "null": front.say(200, b"null"),
        "a refusal": front.problem(403, "insecure"),
        "nothing": front.say(204, b""),
        "another chain": put(chainId=-1),
    }
    yield "GET", CLAIM, {
        "another amount": put(amount="2.00"),
        "a float": put(amount=1.0),
        "another token": put(token=STRANGER),
        "a later expiry": put(expiry=9999999960),
        "another hash": put(secretHash="0x" + "11" * 32),
        "another id": put(ledgerId="0x" + "11" * 32),
        "a status of its own": put(status="paid"),
        "no time": drop("now"),
        "a time that is text": put(now="<b>"),
        "another claim": front.say(200, claim),
        "markup": front.say(200, b"<p>"),
        "locked no more": put(status="claimed"),
        "paid back": put(status="refunded"),
        "a refusal": front.problem(403, "wrong-secret"),
        "a deep body": front.say(200, b"[" * 10_000 + b"]" * 10_000),
    }
    yield "POST", PAY, {
        "a forged signature": front.edit(forge),
        "another amount": put(amount="2.00"),
        "another receiver": put(receiver=STRANGER),
        "another transaction": put(txHash="0x" + "11" * 32),
        "another time": front.edit(lambda body: body.update(time=body["time"] + 1)),
        "a refund": put(status="refunded"),
        "no signature": drop("signature"),
        "another claim's receipt": front.say(200, receipt),
        "nothing": front.say(200, {}),
        "markup": front.say(200, b"<p>"),
        "a refusal with another claim's receipt": front.problem(409, "already-claimed", receipt=receipt),
        "a refusal without one": front.problem(409, "already-claimed"),
        "that the secret is wrong": front.problem(403, "wrong-secret"),
        "that it knows nothing": front.problem(404, "unknown-claim"),
        "a list": front.say(200, []),
    }


@thorough
def a_vault_that_lies_is_not_believed(stage):
    browser = stage.browser
    for method, path, answers in lies(stage):
        for what, action in answers.items():
            link = stage.link()
            with stage.front.rule(method, path, action):
                if path == PAY:
                    stage.offer(link)
                    browser.enter(stage.bob.address)
                    browser.tap()
                else:
                    browser.open(link)
                try:
                    browser.reaches("untrusted")
                except AssertionError as error:
                    raise AssertionError(f"{what}: {error}") from None
                equal(browser.text("#sentence"), TEXTS["en"]["claim.untrusted.asked" if path == PAY else "untrusted"])
                check(not browser.shown("#receipt"), f"{what}: it shows a receipt")
            equal([line for line in browser.logs() if "Failed to load" not in line], [])
            # Once the vault speaks the truth, so does the page.
            browser.tap()
            browser.reaches("paid" if path == PAY else "offer")


@thorough
def events_that_lie_are_not_believed(stage):
    link = stage.link()
    terms = stage.terms(link)
    for what, body in {
        "claimed": terms | {"status": "claimed", "now": int(time.time())},
        "another claim": terms | {"amount": "2.00", "status": "pending", "now": 1},
        "no JSON": "<p>",
    }.items():
        text = body if isinstance(body, str) else json.dumps(body)
        stream = lambda exchange, pass_on: (
            200,
            {"Content-Type": "text/event-stream"},
            f"event: claimed\ndata: {text}\n\n".encode(),
        )
        with stage.front.rule("GET", EVENTS, stream):
            stage.browser.open(link)
            stage.browser.reaches("untrusted")
            check(not stage.browser.shown("#receipt"), what)


@thorough
def the_senders_page_believes_no_lie_either(stage):
    browser = stage.browser
    page = stage.sent(stage.link())
    put = lambda **values: front.edit(lambda body: body.update(values))
    for what, action in {
        "another amount": put(amount="2.00"),
        "claimed": put(status="claimed"),
        "refunded": put(status="refunded"),
        "another expiry": put(expiry=60),
        "another hash": put(secretHash="0x" + "11" * 32),
        "an unknown token": put(token=STRANGER),
    }.items():
        with stage.front.rule("GET", CLAIM, action):
            browser.open(page)
            browser.reaches("untrusted")
            check(not browser.shown("#receipt"), what)
    with stage.front.rule(
        "GET", "^/api/vault", front.edit(lambda body: body["tokens"][0].update(symbol="<b>USDC</b>"))
    ):
        browser.open(page)
        browser.reaches("untrusted")
    check(not browser.shown("b"), "the token's markup is in the page")


@thorough
def a_lost_answer_is_asked_for_with_the_very_same_proof(stage):
    browser = stage.browser
    since = len(stage.front.exchanges)
    stage.offer()
    with stage.front.rule("POST", PAY, front.lose_answer):
        browser.enter(stage.bob.address)
        browser.tap()
        browser.reaches("offline")
        equal(browser.text("#sentence"), TEXTS["en"]["asked"])
        until(lambda: len(pays(stage, since)) > 2, "it asks again by itself")
    browser.reaches("paid")
    check(len({exchange.body for exchange in pays(stage, since)}) == 1, "the requests differ")


@thorough
def a_limit_says_when_it_ends_and_no_tap_goes_round_it(stage):
    browser = Browser(stage.world, script=LEAP)
    try:
        since = len(stage.front.exchanges)
        limit = front.problem(429, "too-many-requests", {"Retry-After": "3600"})
        with stage.front.rule("GET", CLAIM, limit):
            browser.open(stage.link())
            browser.reaches("limited")
            equal(browser.text("#act"), TEXTS["en"]["again"])
            held = lambda: browser.find("#act").get_attribute("aria-disabled")
            until(lambda: browser.shown("#timer") and held() == "true", "it says when it asks")
            check(3500 < int(re.search(r"\d+", browser.text("#timer"))[0]) <= 3600, browser.text("#timer"))
            browser.tap()
            browser.js("dispatchEvent(new Event('online'))")
            browser.js("window.jump += 3600000")
            until(lambda: held() == "false", "the limit has ended")
            equal(len(asks(stage, since)), 1)
            browser.tap()
            until(lambda: len(asks(stage, since)) == 2, "it asks")
            # The time counts from the answer.
            browser.reaches("limited")
        browser.js("window.jump += 3600000")
        until(lambda: held() == "false", "the limit has ended")
        browser.tap()
        browser.reaches("offer")
        equal(len(asks(stage, since)), 3)
    finally:
        browser.end()


@thorough
def the_request_is_recorded_before_it_is_sent_and_survives_a_reload(stage):
    browser = stage.browser
    link = stage.offer()
    since = len(stage.front.exchanges)
    hold = front.Hold()
    with stage.front.rule("POST", PAY, hold):
        browser.enter(stage.bob.address)
        browser.tap()
        until(hold.came.is_set, "the request comes")
        sent = json.loads(pays(stage, since)[0].body)
        check(sent["proof"] in browser.storage(), "it is not recorded")
        search(stage, list(link.secrets()), {"storage": browser.storage()})
        browser.reload()
        browser.reaches("paying")
        hold.release()
    browser.reaches("paid")
    check({exchange.body for exchange in pays(stage, since)} == {pays(stage, since)[0].body}, "the requests differ")
    search(stage, list(link.secrets()), everything(stage))


@thorough
def an_old_payment_is_not_a_new_one(stage):
    # Two browsers of one receiver: as two tills of one shop, or one that is shown a link twice.
    erin = stage.world.person("erin")
    browsers = [Browser(stage.world, receiver=erin.address) for _ in range(2)]
    told = lambda browser: browser.messages()[-1]["status"]
    try:
        link = stage.link()
        for browser in browsers:
            browser.open(link)
            browser.reaches("offer")
        since = len(stage.front.exchanges)
        hold = front.Hold()
        with stage.front.rule("POST", PAY, hold), stage.front.rule("GET", EVENTS, front.lose):
            for browser in browsers:
                browser.tap()
            until(lambda: len(pays(stage, since)) == 2, "both ask")
            hold.release()
            states = [browser.reaches("paid", "alreadyPaid") for browser in browsers]
        equal(sorted(states), ["alreadyPaid", "paid"])
        equal([told(browser) for browser in browsers], states)
        equal(erin.balance(), ["1.00"])
        check(len({browser.messages()[-1]["txHash"] for browser in browsers}) == 1, "there are two payments")
        # Whoever opens the link again, in the tab that was paid too, reads that it is an old payment.
        for browser in browsers:
            for again in (browser.reload, lambda: browser.go(link), lambda: browser.open(link)):
                again()
                browser.reaches("alreadyPaid")
                equal(told(browser), "alreadyPaid")
                check(browser.text("#sentence").endswith("Nothing was paid now."), browser.text("#sentence"))
                check("You received" not in browser.text(), browser.text())
        equal(erin.balance(), ["1.00"])
    finally:
        for browser in browsers:
            browser.end()


@thorough
def a_lost_request_that_another_browser_overtook_is_an_old_payment(stage):
    # This browser's request never came, and the other browser was paid before this one had asked, by the vault's clock.
    browser = stage.browser
    link = stage.link()
    other = Browser(stage.world, receiver=stage.bob.address)
    later = front.edit(lambda body: body.update(now=body["now"] + 3600))
    try:
        with stage.front.rule("GET", CLAIM, later), stage.front.rule("GET", EVENTS, front.lose):
            stage.offer(link)
            browser.js("""window.passed = fetch;
              window.fetch = (path, ...more) => path.endsWith("/claim") ? Promise.reject() : passed(path, ...more);""")
            browser.enter(stage.bob.address)
            browser.tap()
            browser.reaches("offline")
            other.open(link)
            other.reaches("offer")
            other.tap()
            other.reaches("paid")
            browser.js("window.fetch = window.passed")
            browser.reaches("alreadyPaid")
    finally:
        other.end()


@thorough
def a_gateways_refusal_leaves_a_payment_open(stage):
    browser = stage.browser
    stage.offer()
    refusal = json.dumps({"type": "/problems/bad-receiver"}).encode()
    gateway = lambda exchange, pass_on: (pass_on(), (422, {"Content-Type": "application/json"}, refusal))[1]
    with stage.front.rule("POST", PAY, gateway):
        browser.enter(stage.bob.address)
        browser.tap()
        browser.reaches("untrusted")
        equal(browser.text("#sentence"), TEXTS["en"]["claim.untrusted.asked"])
    browser.tap()
    browser.reaches("paid")


@thorough
def a_refused_receiver_is_named_once(stage):
    browser = stage.browser
    stage.offer()
    with stage.front.rule("POST", PAY, front.problem(422, "bad-receiver")):
        browser.enter(stage.bob.address)
        browser.tap()
        until(lambda: browser.shown("#problem"), "the refusal is shown")
    equal(browser.text("#problem"), TEXTS["en"]["problem.receiver"])
    equal(browser.js("return document.activeElement.id"), "address")
    check(stage.bob.address.lower() not in browser.storage().lower(), "the refused request is recorded still")
    browser.enter(STRANGER)
    check(not browser.shown("#problem"))
    browser.js("document.activeElement.blur()")
    with stage.front.rule("GET", "^/api/claims/", front.lose):
        browser.js("dispatchEvent(new Event('online'))")
        browser.reaches("offline")
    browser.reaches("offer")
    check(not browser.shown("#problem"), "the mistake is there again")
    equal(browser.js("return document.activeElement.tagName"), "BODY")


@thorough
def an_address_without_a_checksum_is_shown_with_it_and_asked_about(stage):
    browser = stage.browser
    since = len(stage.front.exchanges)
    for typed in (stage.bob.address.lower(), "0x" + stage.bob.address[2:].upper()):
        stage.offer()
        browser.enter(typed)
        browser.tap()
        # The second click of a double one is no answer.
        browser.js("document.getElementById('act').dispatchEvent(new MouseEvent('click', arguments[0]))", {
            "detail": 2, "bubbles": True, "cancelable": True,
        })
        check(stage.bob.address in browser.text("#to"), browser.text("#to"))
        equal(browser.text("#sentence"), TEXTS["en"]["offer.typed"])
        equal((browser.state(), pays(stage, since)), ("offer", []))
    # One that is wrong is not paid: it can be typed again.
    browser.find("#other").click()
    check(browser.shown("#address") and not browser.shown("#to"))
    browser.tap()
    equal(browser.text("#sentence"), TEXTS["en"]["offer.typed"])
    browser.tap()
    browser.reaches("paid")
    check(stage.bob.address in browser.text("#receipt"))


@thorough
def a_record_of_another_form_is_no_record(stage):
    browser = stage.browser
    link = stage.link()
    whole = {"terms": {"amount": "1", "secretHash": "0x" + "11" * 32, "expiry": 1, "symbol": "USDC"}}
    for record in (
        "",
        "{",
        "7",
        "null",
        "[]",
        "{}",
        '{"terms": {}}',
        '{"terms": {"amount": "x"}, "asked": {}}',
        json.dumps(whole),
        json.dumps(whole | {"asked": {"receiver": "0x", "now": 1}}),
    ):
        browser.go(f"{stage.world.url}/claim/{link.id}")
        browser.js("sessionStorage.setItem('bump:asked:' + arguments[0], arguments[1])", link.id, record)
        browser.reload()
        browser.reaches("fragment")
        browser.go(link)
        browser.reaches("offer")


@thorough
def without_storage_the_money_is_claimed_all_the_same(stage):
    browser = Browser(
        stage.world,
        script="""
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, {get() { throw new DOMException("blocked", "SecurityError"); }});""",
    )
    try:
        browser.open(stage.link())
        browser.reaches("offer")
        browser.enter(stage.bob.address)
        browser.tap()
        browser.reaches("paid")
    finally:
        browser.end()


@thorough
def of_two_people_with_one_link_one_is_paid_and_the_other_reads_so(stage):
    link = stage.link()
    people = [stage.world.person(name) for name in ("carol", "dave")]
    browsers = [Browser(stage.world, receiver=person.address) for person in people]
    try:
        for browser in browsers:
            browser.open(link)
            browser.reaches("offer")
        hold = front.Hold()
        since = len(stage.front.exchanges)
        with stage.front.rule("POST", PAY, hold):
            for browser in browsers:
                browser.tap()
            until(lambda: len(pays(stage, since)) == 2, "both ask")
            hold.release()
        states = [browser.reaches("paid", "taken") for browser in browsers]
        equal(sorted(states), ["paid", "taken"])
        winner = people[states.index("paid")]
        check(
            winner.address in browsers[states.index("taken")].text("#receipt"), "the other one is not told who it was"
        )
        equal([person.balance() for person in people if person is winner], [["1.00"]])
        equal([person.balance() for person in people if person is not winner], [[]])
    finally:
        for browser in browsers:
            browser.end()


@thorough
def a_payment_elsewhere_is_shown_where_events_never_come(stage):
    browser, hold = stage.browser, front.Hold()
    with stage.front.rule("GET", EVENTS, hold):
        link = stage.offer()
        other = Browser(stage.world, receiver=STRANGER)
        try:
            other.open(link)
            other.reaches("offer")
            other.tap()
            other.reaches("paid")
        finally:
            other.end()
        browser.reaches("taken")
        hold.release()


@thorough
def a_second_tab_and_the_way_back_show_the_same(stage):
    browser = stage.browser
    link = stage.offer()
    first = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    browser.driver.get(str(link))
    browser.reaches("offer")
    browser.enter(stage.bob.address)
    browser.tap()
    browser.reaches("paid")
    browser.driver.get("about:blank")
    browser.driver.back()
    browser.reaches("alreadyPaid")
    browser.reload()
    browser.reaches("alreadyPaid")
    check("#" not in browser.driver.current_url, browser.driver.current_url)
    browser.driver.switch_to.window(first)
    # This tab has not asked, so it does not know whose address it is.
    browser.reaches("taken")
    browser.reload()
    browser.reaches("taken")


@thorough
def another_link_in_the_same_tab_is_another_claim(stage):
    browser = stage.browser
    link = stage.offer()
    other = stage.link().sealed(id=link.id, secret=stage.link().secret)
    browser.js("location.hash = arguments[0]", str(other).split("#")[1])
    browser.reaches("unknown")


@thorough
def a_phone_that_slept_asks_at_once(stage):
    browser = Browser(stage.world, script=CLOCK)
    try:
        link = stage.link()
        with stage.front.rule("GET", EVENTS, front.lose):
            browser.open(link)
            browser.reaches("offer")
            # What is left is by the vault's clock.
            until(lambda: browser.shown("#timer"), "the time is shown")
            check(
                abs(seconds_left(browser.text("#timer")) - (int(link.expiry) - time.time())) < 600,
                browser.text("#timer"),
            )
            since = len(stage.front.exchanges)
            browser.js("window.jump += 3600000")
            until(lambda: asks(stage, since), "it asks after its clock has jumped")
            since = len(stage.front.exchanges)
            # What is under way is not asked twice: the event may come too early.
            online = lambda: browser.js("dispatchEvent(new Event('online'))")
            until(lambda: online() or asks(stage, since), "it asks when the network is back")
        stage.claimed_by(link, STRANGER)
        browser.js("document.dispatchEvent(new Event('visibilitychange'))")
        browser.reaches("taken")
    finally:
        browser.end()


@thorough
def what_is_not_locked_yet_becomes_an_offer_by_itself(stage):
    # The answers that hide the claim are the vault's own for what it does not know.
    browser = stage.browser
    link = stage.link()
    draft = stage.terms(link) | {"claimId": link.id, "status": "none", "now": int(time.time())}
    with stage.front.rule("GET", CLAIM, front.problem(404, "unknown-claim")), stage.front.rule(
        "GET", f"/api/claims/{link.id}$", front.say(200, draft)
    ):
        browser.open(link)
        browser.reaches("waiting")
    browser.reaches("offer")


@thorough
def the_page_is_in_no_frame(stage):
    link = stage.link()
    place = f"http://127.0.0.1:{stage.world.plain.port}"
    stage.world.plain.pages["/framer"] = (
        "text/html",
        f'<!doctype html><iframe src="{str(link).replace("&", "&amp;")}"></iframe>',
    )
    stage.browser.logs()
    stage.browser.open(place + "/framer")
    until(lambda: any("frame-ancestors" in line for line in stage.browser.logs()), "the policy speaks")
    stage.browser.driver.switch_to.frame(0)
    try:
        check(stage.browser.state() is None, "it is shown in a frame")
    finally:
        stage.browser.driver.switch_to.default_content()


@thorough
def what_a_vault_serves_can_be_compared_with_its_sources(stage):
    program = [sys.executable, str(Path(__file__).with_name("compare.py")), stage.world.url]
    compare = lambda: subprocess.run(
        program, env=os.environ | {"SSL_CERT_FILE": str(stage.world.certificate)}, capture_output=True, text=True
    )
    done = compare()
    check(done.returncode == 0 and "DIFFERENT" not in done.stdout, done.stdout + done.stderr)

    def more(exchange, pass_on):
        status, headers, body = pass_on()
        return status, headers, body.replace(b"</body>", b'<script src="/page/evil.js"></script></body>')

    for path in (r"^/claim/", r"^/page/\w+/keys.js$"):
        change = more if "claim" in path else front.say(200, b"export {};")
        with stage.front.rule("GET", path, change):
            done = compare()
            check(done.returncode == 1 and "DIFFERENT" in done.stdout, done.stdout + done.stderr)


@thorough
def nothing_makes_markup_of_text(stage):
    stage.offer()
    error = stage.browser.js(
        "try { document.body.insertAdjacentHTML('beforeend', '<b id=planted>'); } catch (error) { return error.name; }"
    )
    equal(error, "TypeError")
    check(not stage.browser.shown("#planted"))


@thorough
def an_app_names_the_receiver_and_one_tap_is_enough(stage):
    erin = stage.world.person("erin")
    browser = Browser(stage.world, receiver=erin.address)
    try:
        link = stage.link()
        browser.open(link)
        browser.reaches("offer")
        check(erin.address in browser.text("#to") and not browser.shown("#address"))
        browser.tap()
        browser.reaches("paid")
        equal(erin.balance(), ["1.00"])
        messages = browser.messages()
        equal([set(message) <= {"v", "status", "txHash", "address"} for message in messages], [True] * len(messages))
        equal(messages[-1]["address"], erin.address)
        equal(browser.js("return heard.map((text) => JSON.parse(text))"), messages)
        search(stage, list(link.secrets()), {"messages": json.dumps(messages)})
    finally:
        browser.end()


@thorough
def a_receiver_who_is_none_is_ignored(stage):
    browser = Browser(stage.world, receiver=STRANGER.replace("B", "b"))
    try:
        browser.open(stage.link())
        browser.reaches("offer")
        check(browser.shown("#address"), "a wrong checksum is taken")
        for detail in (None, 7, "0x", {"toString": "0x"}, STRANGER + "0", "<b>"):
            browser.js("dispatchEvent(new CustomEvent('bump:receiver', {detail: arguments[0]}))", detail)
            check(browser.shown("#address"), f"{detail} is taken")
        browser.js("dispatchEvent(new CustomEvent('bump:receiver', {detail: arguments[0]}))", STRANGER)
        check(STRANGER in browser.text("#to"))
        browser.find("#other").click()
        check(browser.shown("#address"))
    finally:
        browser.end()


@thorough
def an_address_is_refused_at_the_place_of_its_mistake(stage):
    browser = stage.browser
    stage.offer()
    since = len(stage.front.exchanges)
    vault = stage.world.call("/api/vault")[1]
    good = stage.bob.address
    texts = TEXTS["en"]
    for typed, problem, mark in [
        ("", texts["problem.empty"], None),
        (good[:41], texts["problem.length"].format(count=41), None),
        (good + "0", texts["problem.length"].format(count=43), None),
        ("bob", texts["problem.form"].format(place=1), "b"),
        (good[:20] + "g" + good[21:], texts["problem.form"].format(place=21), "g"),
        ("0x" + "0" * 40, texts["problem.receiver"], None),
        (vault["address"], texts["problem.receiver"], None),
        (vault["tokens"][0]["address"], texts["problem.receiver"], None),
        ("<img src=x>", texts["problem.form"].format(place=1), "<"),
    ]:
        browser.find("#address").clear()
        if typed:
            browser.enter(typed)
        browser.tap()
        check(browser.text("#problem").startswith(problem), f"{typed}: {browser.text('#problem')}")
        marked = browser.js("return document.querySelector('#problem mark')?.textContent ?? null")
        equal(marked, mark)
        equal(browser.js("return document.activeElement.id"), "address")
        equal(browser.find("#address").get_attribute("aria-invalid"), "true")
    equal(pays(stage, since), [])
    browser.enter(f"  {good} ")
    browser.tap()
    browser.reaches("paid")


@thorough
def receipts_are_kept_only_where_the_person_says_so(stage):
    browser = stage.browser
    browser.open(stage.world.url + "/claim/x")
    browser.js("localStorage.clear()")
    link = stage.paid()
    equal(browser.js("return localStorage.length"), 0)
    check(not browser.shown("#kept"))
    browser.find("#keeper").click()
    equal(browser.js("return JSON.parse(localStorage.getItem('bump:receipts')).length"), 1)
    search(stage, list(link.secrets()), {"storage": browser.storage()})
    # In a tab that has not asked, the kept receipt says whose address it is. It is an old payment.
    browser.open(link)
    browser.reaches("alreadyPaid")
    check(browser.find("#keeper").is_selected())
    browser.find("#keeper").click()
    equal(browser.js("return localStorage.getItem('bump:receipts')"), "[]")
    browser.find("#keeper").click()
    browser.js("""const kept = JSON.parse(localStorage.getItem('bump:receipts'))[0];
      localStorage.setItem('bump:receipts', JSON.stringify([null, {ledgerId: '<b>'}, ...Array(19).fill(0).map((_, i) =>
        ({...kept, ledgerId: '0x' + String(i).padStart(64, '0')}))]));""")
    stage.paid()
    browser.find("#keeper").click()
    equal(browser.js("return JSON.parse(localStorage.getItem('bump:receipts')).length"), 20)
    browser.find("summary").click()
    browser.find("#forget").click()
    equal(browser.js("return localStorage.getItem('bump:receipts')"), "[]")
    check(not browser.shown("#kept") and not browser.find("#keeper").is_selected())


@thorough
def the_receipt_that_is_copied_is_the_vaults(stage):
    browser = stage.browser
    stage.paid()
    # A browser without a window has no clipboard to read.
    browser.js("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    browser.tap()
    until(lambda: browser.text("#act") == TEXTS["en"]["copied"], "it is copied")
    copied = json.loads(browser.js("return window.copied"))
    pay = pays(stage, 0)[-1]
    _, receipt = stage.world.call(pay.path, json.loads(pay.body))
    equal(
        {name: copied[name] for name in receipt if name != "made"},
        {name: receipt[name] for name in receipt if name != "made"},
    )


@thorough
def a_refund_goes_back_to_the_sender(stage):
    browser = stage.browser
    link = stage.past()
    before, others = stage.alice.balance()[0], stage.bob.balance()
    browser.open(link)
    browser.reaches("expired")
    browser.open(stage.sent(link))
    browser.reaches("expired")
    browser.tap()
    browser.reaches("refunded")
    equal(float(stage.alice.balance()[0]), float(before) + 1)
    browser.open(link)
    browser.reaches("refunded")
    equal(stage.bob.balance(), others)


@thorough
def the_senders_page_counts_down_and_shows_at_once_that_it_is_claimed(stage):
    browser = stage.browser
    link = stage.link()
    browser.open(stage.sent(link))
    browser.reaches("offer")
    # One question is due within seconds, and then half a minute later: what comes before that has come by itself.
    left = until(lambda: browser.shown("#timer") and seconds_left(browser.text("#timer")), "the time is shown")
    check(abs(left - (int(link.expiry) - time.time())) < 10, browser.text("#timer"))
    until(lambda: seconds_left(browser.text("#timer")) < left, "the time gets less")
    other = Browser(stage.world, receiver=STRANGER)
    try:
        other.open(link)
        other.reaches("offer")
        # The page asks no more: only the event can tell it.
        with stage.front.rule("GET", CLAIM, front.Hold()):
            other.tap()
            other.reaches("paid")
            browser.reaches("taken")
    finally:
        other.end()
    check(STRANGER in browser.text("#receipt"))


@thorough
def a_claim_that_expires_before_the_eyes_says_so(stage):
    # The vault's clock is what counts: here the front sets it.
    browser = stage.browser
    link = stage.link()
    clock = [int(link.expiry) - 2]
    with stage.front.rule("GET", CLAIM, front.edit(lambda body: body.update(now=clock[0]))), stage.front.rule(
        "GET", EVENTS, front.lose
    ):
        browser.open(link)
        browser.reaches("offer")
        clock[0] += 2
        browser.reaches("expired")
        # A vault may find that its clock was wrong.
        clock[0] -= 3600
        browser.reaches("offer")


@thorough
def a_keyboard_is_enough(stage):
    browser = stage.browser
    browser.js("window.focus()")
    stage.offer()

    def press(*keys):
        ActionChains(browser.driver).send_keys(*keys).perform()

    press(Keys.TAB)
    equal(browser.js("return document.activeElement.id"), "language")
    press(Keys.ENTER)
    equal(browser.text("h1"), "Du bekommst 1.00 USDC")
    equal(browser.js("return document.documentElement.lang"), "de")
    press(Keys.ENTER)
    press(Keys.TAB)
    equal(browser.js("return document.activeElement.id"), "address")
    check(browser.js("return getComputedStyle(document.activeElement).outlineStyle") != "none", "the focus is not seen")
    press(stage.bob.address, Keys.ENTER)
    browser.reaches("paid")
    check(browser.js("return document.activeElement.id") in ("act", "main"), "the focus is lost")


@thorough
def german_is_spoken_to_who_asks_for_it(stage):
    browser = Browser(stage.world, language="de-CH,de;q=0.9,en;q=0.5")
    try:
        browser.open(stage.link())
        browser.reaches("offer")
        equal(browser.text("h1"), "Du bekommst 1.00 USDC")
        equal(browser.text("#sentence"), TEXTS["de"]["offer"])
        browser.find("#language").click()
        equal(browser.text("#sentence"), TEXTS["en"]["offer"])
        browser.reload()
        browser.reaches("offer")
        equal(browser.text("#sentence"), TEXTS["en"]["offer"])
    finally:
        browser.end()


@thorough
def both_languages_say_the_same_things(stage):
    equal(sorted(TEXTS["en"]), sorted(TEXTS["de"]))
    for name in TEXTS["en"]:
        values = [sorted(re.findall(r"\{\w+\}", TEXTS[language][name])) for language in ("en", "de")]
        equal(values[0], values[1])
