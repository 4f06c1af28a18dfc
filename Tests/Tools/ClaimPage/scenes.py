"""Each screen of the page, and how a browser comes to it. What the vault cannot be brought to say, the front says."""

import base64
import hashlib
import json
import time
from contextlib import contextmanager

import front
from world import until

API = r"^/api/claims/0x"
CLAIM, PAY, REFUND, EVENTS = API + r"\w+$", API + r"\w+/claim$", API + r"\w+/refund$", API + r"\w+/events$"
# Each has a letter of both cases in it.
STRANGER = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"


class Stage:
    """A world with a sender and a receiver, and the browser in which the scenes are played."""

    def __init__(self, world, browser):
        self.world, self.front, self.browser = world, world.front, browser
        self.alice, self.bob = world.person("alice", "1000.00"), world.person("bob")
        self.expired = []

    def link(self, *arguments):
        return self.alice.send("1.00", *arguments)

    def sent(self, link):
        return f"{self.world.url}/sent/{self.ledger_id(link)}"

    def ledger_id(self, link):
        return self.terms(link)["ledgerId"]

    def terms(self, link):
        """The terms of a claim as the vault has them: keys.js computes them."""
        self.browser.go(f"{self.world.url}/claim/{link.id}")
        token = self.token()
        return (
            self.browser.evaluate(
                """
          const [module, id, secret, token, amount, expiry] = given;
          const keys = await import(module);
          const key = await keys.claimKey(Uint8Array.from(secret), id);
          const terms = {secretHash: keys.secretHash(key), token: keys.bytes(token),
            amount: keys.parseAmount(amount, 6), expiry: BigInt(expiry)};
          return {secretHash: keys.hex(terms.secretHash), ledgerId: keys.hex(keys.ledgerId(terms))};""",
                self.browser.module("keys.js"),
                link.id,
                list(link.bytes_of(link.secret)),
                token,
                link.amount,
                link.expiry,
            )["value"]
            | {"token": token, "amount": link.amount, "expiry": int(link.expiry)}
        )

    def token(self):
        return self.world.call("/api/vault")[1]["tokens"][0]["address"]

    def draft(self, link):
        """Writes a claim down at the vault, without money."""
        _, challenge = self.world.call("/api/challenge")
        number = next(
            number
            for number in range(challenge["maxnumber"] + 1)
            if hashlib.sha256(f"{challenge['salt']}{number}".encode()).hexdigest() == challenge["challenge"]
        )
        solved = {name: challenge[name] for name in ("algorithm", "challenge", "salt", "signature")} | {
            "number": number
        }
        terms = self.terms(link)
        del terms["ledgerId"]
        body = terms | {"claimId": link.id, "altcha": base64.b64encode(json.dumps(solved).encode()).decode()}
        status, answer = self.world.call("/api/claims", body)
        assert status == 201, answer

    def offer(self, link=None):
        link = link or self.link()
        self.browser.open(link)
        self.browser.reaches("offer")
        return link

    def paid(self, link=None):
        link = self.offer(link)
        self.browser.enter(self.bob.address)
        self.browser.tap()
        self.browser.reaches("paid")
        return link

    def past(self):
        """A claim that has expired, and is not refunded. It takes a minute or two until there is one."""
        link = self.expired.pop()
        until(lambda: time.time() > int(link.expiry) + 1, "the claim expires", 180)
        return link

    def claimed_by(self, link, address):
        """Has the vault pay somebody else, in a browser that is not this one's tab."""
        self.browser.open(link)
        self.browser.reaches("offer")
        self.browser.enter(address)
        self.browser.tap()
        self.browser.reaches("paid", "taken")

    @contextmanager
    def staged(self, link):
        """Has the front say that a claim is locked of which the vault does not know."""
        body = self.terms(link) | {"status": "pending", "now": int(time.time())}
        with self.front.rule("GET", CLAIM, front.say(200, body)), self.front.rule("GET", EVENTS, front.lose):
            yield


SCENES = []


def scene(name, state=None, page="claim"):
    """A screen by its name; `state` is the page's name for it, if it is another."""

    def register(play):
        SCENES.append((name, state or name, page, contextmanager(play)))
        return play

    return register


@scene("loading")
def loading(stage):
    link, hold = stage.link(), front.Hold()
    with stage.front.rule("GET", "^/api/vault", hold):
        stage.browser.open(link)
        yield
        hold.release()


@scene("insecure")
def insecure(stage):
    stage.browser.open(str(stage.link()).replace(stage.world.url, f"http://vault.test:{stage.world.plain.port}"))
    yield


@scene("fragment")
def fragment(stage):
    stage.browser.open(str(stage.link()).split("#")[0])
    yield


@scene("garbled")
def garbled(stage):
    stage.browser.open(str(stage.link())[:-3])
    yield


@scene("key")
def key(stage):
    link = str(stage.link())
    stage.browser.open(link[:-2] + ("AA" if link[-2:] != "AA" else "BA"))
    yield


@scene("unknown")
def unknown(stage):
    stage.browser.open(stage.link().sealed(id="nobodyMadeThis"))
    yield


@scene("waiting")
def waiting(stage):
    link = stage.link().sealed(id=f"notYetLocked{time.time_ns()}")
    stage.draft(link)
    stage.browser.open(link)
    yield


@scene("offer")
def offer(stage):
    stage.offer()
    yield


@scene("offer-to", "offer")
def offer_to(stage):
    stage.offer()
    stage.browser.js("dispatchEvent(new CustomEvent('bump:receiver', {detail: arguments[0]}))", stage.bob.address)
    yield


@scene("offer-mistyped", "offer")
def offer_mistyped(stage):
    stage.offer()
    address = stage.bob.address
    at = next(at for at in range(12, 42) if address[at].isdigit())
    stage.browser.enter(address[:at] + str((int(address[at]) + 1) % 10) + address[at + 1 :])
    stage.browser.tap()
    yield


@scene("offer-not-hex", "offer")
def offer_not_hex(stage):
    stage.offer()
    stage.browser.enter(stage.bob.address[:20] + "O" + stage.bob.address[21:])
    stage.browser.tap()
    yield


@scene("offer-typed", "offer")
def offer_typed(stage):
    stage.offer()
    stage.browser.enter(stage.bob.address.lower())
    stage.browser.tap()
    yield


@scene("offer-huge", "offer")
def offer_huge(stage):
    link = stage.link().sealed(id="huge", amount="9223372036854.775807")
    with stage.staged(link):
        stage.browser.open(link)
        yield


@scene("paying")
def paying(stage):
    stage.offer()
    hold = front.Hold()
    with stage.front.rule("POST", PAY, hold):
        stage.browser.enter(stage.bob.address)
        stage.browser.tap()
        yield
        hold.release()
        stage.browser.reaches("paid")


@scene("paid")
def paid(stage):
    stage.paid()
    yield


@scene("paid-kept", "paid")
def paid_kept(stage):
    stage.paid()
    stage.browser.find("#keeper").click()
    stage.browser.find("summary").click()
    yield
    stage.browser.find("#forget").click()


@scene("already-paid", "alreadyPaid")
def already_paid(stage):
    stage.paid()
    stage.browser.reload()
    yield


@scene("taken")
def taken(stage):
    link = stage.link()
    stage.claimed_by(link, STRANGER)
    stage.browser.open(link)
    yield


@scene("expired")
def expired(stage):
    stage.browser.open(stage.past())
    yield


@scene("refunded")
def refunded(stage):
    link = stage.past()
    stage.world.call(f"/api/claims/{stage.ledger_id(link)}/refund", {})
    stage.browser.open(link)
    yield


@scene("offline")
def offline(stage):
    link = stage.link()
    with stage.front.rule("GET", "^/api/", front.lose):
        stage.browser.open(link)
        yield


@scene("offline-asked", "offline")
def offline_asked(stage):
    stage.offer()
    with stage.front.rule("POST", PAY, front.lose_answer):
        stage.browser.enter(stage.bob.address)
        stage.browser.tap()
        yield


@scene("limited")
def limited(stage):
    link = stage.link()
    with stage.front.rule("GET", CLAIM, front.problem(429, "too-many-requests", {"Retry-After": "42"})):
        stage.browser.open(link)
        yield


@scene("limited-asked", "limited")
def limited_asked(stage):
    stage.offer()
    with stage.front.rule("POST", PAY, front.problem(429, "too-many-requests", {"Retry-After": "42"})):
        stage.browser.enter(stage.bob.address)
        stage.browser.tap()
        yield


@scene("untrusted")
def untrusted(stage):
    link = stage.link()
    with stage.front.rule("GET", CLAIM, front.edit(lambda claim: claim.update(amount="2.00"))):
        stage.browser.open(link)
        yield


def forge(receipt):
    """Changes a digit of a signature."""
    signature = receipt["signature"]
    receipt["signature"] = signature[:10] + ("1" if signature[10] != "1" else "2") + signature[11:]


@scene("untrusted-asked", "untrusted")
def untrusted_asked(stage):
    stage.offer()
    with stage.front.rule("POST", PAY, front.edit(forge)):
        stage.browser.enter(stage.bob.address)
        stage.browser.tap()
        yield


# The sender's page


@scene("sent-loading", "loading", "sent")
def sent_loading(stage):
    page, hold = stage.sent(stage.link()), front.Hold()
    with stage.front.rule("GET", "^/api/vault", hold):
        stage.browser.open(page)
        yield
        hold.release()


@scene("sent-garbled", "garbled", "sent")
def sent_garbled(stage):
    stage.browser.open(stage.sent(stage.link()).replace("/sent/0x", "/sent/0y"))
    yield


@scene("sent-unknown", "unknown", "sent")
def sent_unknown(stage):
    stage.browser.open(f"{stage.world.url}/sent/0x{'ab' * 32}")
    yield


@scene("sent-offer", "offer", "sent")
def sent_offer(stage):
    stage.browser.open(stage.sent(stage.link()))
    yield


@scene("sent-taken", "taken", "sent")
def sent_taken(stage):
    link = stage.link()
    stage.claimed_by(link, stage.bob.address)
    stage.browser.open(stage.sent(link))
    yield


@scene("sent-expired", "expired", "sent")
def sent_expired(stage):
    link = stage.past()
    stage.expired.append(link)
    stage.browser.open(stage.sent(link))
    yield


@scene("sent-refunding", "refunding", "sent")
def sent_refunding(stage):
    stage.browser.open(stage.sent(stage.past()))
    stage.browser.reaches("expired")
    hold = front.Hold()
    with stage.front.rule("POST", REFUND, hold):
        stage.browser.tap()
        yield
        hold.release()


@scene("sent-asked", "offline", "sent")
def sent_asked(stage):
    link = stage.past()
    stage.expired.append(link)
    stage.browser.open(stage.sent(link))
    stage.browser.reaches("expired")
    with stage.front.rule("POST", REFUND, front.lose):
        stage.browser.tap()
        yield


@scene("sent-untrusted-asked", "untrusted", "sent")
def sent_untrusted_asked(stage):
    link = stage.past()
    stage.expired.append(link)
    stage.browser.open(stage.sent(link))
    stage.browser.reaches("expired")
    with stage.front.rule("POST", REFUND, front.say(200, {"status": "refunded"})):
        stage.browser.tap()
        yield


@scene("sent-refunded", "refunded", "sent")
def sent_refunded(stage):
    stage.browser.open(stage.sent(stage.past()))
    stage.browser.reaches("expired")
    stage.browser.tap()
    yield


@scene("sent-offline", "offline", "sent")
def sent_offline(stage):
    page = stage.sent(stage.link())
    with stage.front.rule("GET", "^/api/", front.lose):
        stage.browser.open(page)
        yield


@scene("sent-limited", "limited", "sent")
def sent_limited(stage):
    page = stage.sent(stage.link())
    with stage.front.rule("GET", CLAIM, front.problem(429, "too-many-requests", {"Retry-After": "42"})):
        stage.browser.open(page)
        yield


@scene("sent-untrusted", "untrusted", "sent")
def sent_untrusted(stage):
    page = stage.sent(stage.link())
    with stage.front.rule("GET", CLAIM, front.edit(lambda claim: claim.update(amount="2.00"))):
        stage.browser.open(page)
        yield
