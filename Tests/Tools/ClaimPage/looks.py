"""Each screen: its looks at every width, in light and dark, with axe; and what it costs."""

import json
import statistics
import subprocess
from contextlib import ExitStack, contextmanager
from pathlib import Path

import front
from page import TEXTS, check, check_requests, equal, thorough
from scenes import SCENES
from sources import FILES
from world import until

# The names of the texts that the claim page has by itself.
OWN = json.loads((FILES / "en.json").read_text())
# A scene of the sender's refund needs a claim that has expired: those come last.
LATE = ("expired", "refunded", "sent-expired", "sent-refunding", "sent-asked", "sent-untrusted-asked", "sent-refunded")


def violations(stage):
    """What axe finds in the page, as it is now."""
    stage.browser.driver.execute_script(Path(stage.axe).read_text())
    found = stage.browser.driver.execute_async_script(
        "axe.run(document, {resultTypes: ['violations']}).then(arguments[0], (error) => arguments[0](String(error)))"
    )
    check(isinstance(found, dict), found)
    return [f"{rule['id']}: {rule['nodes'][0]['html']}" for rule in found["violations"]]


def sentence(name, state, page, language):
    """The text that a screen must show, up to a value in it."""
    texts = TEXTS[language]
    kind = {"offer-to": "offer.to", "offer-typed": "offer.typed"}.get(name, state)
    kinds = [f"{state}.asked", "asked", state] if name.endswith("asked") else [kind]
    if state == "untrusted":
        kinds = [kind for kind in kinds if kind != "asked"]
    names = [name for kind in kinds for name in (f"{page}.{kind}", kind)]
    # What a chain has other words for comes second.
    own = [name for name in names if name in OWN]
    return texts[next(name for name in [*own, *names] if name in texts)].split("{")[0]


def check_width(browser, name):
    """Checks that nothing is wider than the window."""
    for direction in ("ltr", "rtl"):
        browser.js("document.documentElement.dir = arguments[0]", direction)
        wide = browser.js("return document.documentElement.scrollWidth - innerWidth")
        check(wide <= 0, f"{name} is {wide} px too wide, {direction}")
    browser.js("document.documentElement.removeAttribute('dir')")


def check_german(stage, name, state, page):
    """Checks the screen in German, whose words are longer, and goes back to English."""
    browser = stage.browser
    browser.find("#language").click()
    check(browser.text("#sentence").startswith(sentence(name, state, page, "de")), browser.text("#sentence"))
    for width in (320, 375):
        browser.size(width)
        check_width(browser, f"{name} at {width} in German")
        for scheme in ("light", "dark"):
            browser.scheme(scheme)
            found = violations(stage) if stage.axe else []
            check(not found, f"{name} at {width} in {scheme} in German: {found}")
    browser.find("#language").click()


@thorough
def each_screen_is_accessible_and_fits_every_width(stage):
    browser = stage.browser
    folder = Path(stage.pictures) if stage.pictures else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    browser.logs()
    browser.requests()
    for name, state, page, play in sorted(SCENES, key=lambda scene: scene[0] in LATE):
        with play(stage):
            browser.reaches(state)
            check(browser.text("#sentence").startswith(sentence(name, state, page, "en")), browser.text("#sentence"))
            live = browser.js(
                "return [...document.querySelectorAll('[aria-live],[role=status],[role=alert],output')]"
                ".map((element) => element.id)"
            )
            equal(live, ["status"])
            buttons = browser.js(
                "return [...document.querySelectorAll('main button:not(.quiet)')].filter((e) => e.offsetParent).length"
            )
            check(buttons <= 1, f"{name} has {buttons} main actions")
            for width in (320, 375, 768, 1280, 1920):
                browser.size(width, 812 if width < 600 else 900)
                check_width(browser, f"{name} at {width}")
                for scheme in ("light", "dark"):
                    browser.scheme(scheme)
                    if width in (375, 1280) and folder:
                        browser.picture(folder / f"{name}-{width}-{scheme}.png")
                    if width in (375, 1280) and stage.axe:
                        found = violations(stage)
                        check(not found, f"{name} at {width} in {scheme}: {found}")
            check_german(stage, name, state, page)
            check_requests(stage)
            logs = [line for line in browser.logs() if "Failed to load" not in line and "Opener-Policy" not in line]
            equal(logs, [])


@thorough
def axe_finds_what_is_planted(stage):
    if not stage.axe:
        return
    stage.offer()
    equal(violations(stage), [])
    stage.browser.js("document.querySelector('label').remove(); document.querySelector('h1').style.color = '#ddd'")
    found = violations(stage)
    check(any(rule.startswith("label") for rule in found), found)
    check(any(rule.startswith("color-contrast") for rule in found), found)


@thorough
def nothing_moves_where_a_person_wants_no_motion(stage):
    hold = front.Hold()
    link = stage.link()
    with stage.front.rule("GET", "^/api/vault", hold):
        stage.browser.open(link)
        stage.browser.reaches("loading")
        moving = "return getComputedStyle(document.getElementById('main'), '::before').animationName"
        equal(stage.browser.js(moving), "turn")
        stage.browser.scheme("light", prefers_reduced_motion="reduce")
        equal(stage.browser.js(moving), "none")
        hold.release()


@thorough
def without_scripts_the_page_says_what_to_do(stage):
    browser = stage.browser
    link = stage.link()
    page = stage.sent(link)
    browser.open("about:blank")
    browser.cdp("Emulation.setScriptExecutionDisabled", value=True)
    try:
        for url, command in ((link, "bump receive --link -"), (page, "bump history")):
            browser.driver.get(str(url))
            shown = browser.text("body")
            check(TEXTS["en"]["noscript.head"] in shown and command in shown, shown)
            check(TEXTS["en"]["loading"] not in shown, shown)
    finally:
        browser.cdp("Emulation.setScriptExecutionDisabled", value=False)


@thorough
def the_code_of_a_send_leads_to_the_money(stage):
    picture = stage.world.folder / "code.svg"
    link = stage.alice.send("1.00", "--qr-file", str(picture))
    stage.browser.open("about:blank")
    stage.browser.driver.get(picture.as_uri())
    stage.browser.picture(stage.world.folder / "code.png")
    read = subprocess.run(
        ["zbarimg", "--quiet", "--raw", stage.world.folder / "code.png"], capture_output=True, text=True
    )
    equal(read.stdout.strip(), str(link))
    before = stage.bob.balance() or ["0.00"]
    stage.paid(link)
    equal(float(stage.bob.balance()[0]), float(before[0]) + 1)


@thorough
def the_files_are_small(stage):
    own = "claim.html claim.js keys.js page.css icon.svg en.json de.json".split()
    total = sum((FILES / name).stat().st_size for name in own)
    check(total < 60_000, f"{total} bytes")


# Notes when the page has an offer.
WATCH = """
new MutationObserver(() => {
  if (document.getElementById('main')?.dataset.state === 'offer') window.done ??= performance.now();
}).observe(document, {subtree: true, childList: true, attributes: true, attributeFilter: ['data-state']});
"""


def like(stage, path, kind, text):
    """Answers with a text after what the answer at another path takes: so both ways are equally long."""

    def action(exchange, pass_on):
        exchange.path = path
        others = (other for method, pattern, other in stage.front.rules if method == "GET" and pattern.search(path))
        other = next(others, None)
        if other:
            other(exchange, pass_on)
        else:
            pass_on()
        return 200, {"Content-Type": kind, "Cache-Control": "public, max-age=31536000, immutable"}, text.encode()

    return action


@contextmanager
def bare(stage, link):
    """Serves two pages of the same size that do nothing: one makes the same requests of the vault, the other none."""
    size = {path.name: path.stat().st_size for path in FILES.iterdir()}
    assets = stage.browser.module("")
    assets = assets[assets.index("/page/") :]
    filler = lambda count: "/*" + "x" * (count - 4) + "*/"
    ask = f"""await (await fetch("/api/vault")).json();
      await (await fetch("/api/claims/{stage.ledger_id(link)}")).json();"""
    texts = size["en.json"] + size["de.json"]
    html = (
        '<!doctype html><link rel="stylesheet" href="page.css"><link rel="modulepreload" href="keys.js">'
        '<script type="module" src="claim.js"></script><script type="application/json">"'
        + "x" * (size["claim.html"] + texts)
        + '"</script>'
    )
    with ExitStack() as stack:
        for name, script in (("bare", ask), ("inert", "")):
            script = 'import "./keys.js"; ' + script + " window.done = performance.now();"
            for file, path, kind, text in (
                ("", f"/claim/{link.id}", "text/html", html),
                ("page.css", f"{assets}page.css", "text/css", (FILES / "page.css").read_text()),
                ("claim.js", f"{assets}claim.js", "text/javascript", script + filler(size["claim.js"] - len(script))),
                ("keys.js", f"{assets}keys.js", "text/javascript", filler(size["keys.js"])),
            ):
                rule = stage.front.rule("GET", f"^/{name}/{file}$", like(stage, path, kind, text))
                stack.enter_context(rule)
        yield


@thorough
def a_first_offer_takes_little_longer_than_a_bare_page_that_asks_the_same(stage):
    browser = stage.browser
    link = stage.offer()
    browser.plant(WATCH)
    browser.cdp("Network.enable")
    values = {str(link): [], f"{stage.world.url}/bare/": [], f"{stage.world.url}/inert/": []}
    with bare(stage, link):
        for _ in range(20):
            for url, found in values.items():
                # As on a phone that comes for the first time.
                browser.cdp("Network.clearBrowserCache")
                browser.go(url)
                found.append(until(lambda: browser.js("return window.done"), "it is done"))
    offer, asking, inert = (statistics.median(found) for found in values.values())
    print(f"  an offer takes {offer:.1f} ms, a bare page that makes the same requests {asking:.1f} ms, and one that")
    print(f"  makes none {inert:.1f} ms: {offer / asking:.2f} and {offer / inert:.2f} times as long")
    # With --sources the front makes the page, which takes its own time.
    check(stage.sources or offer / asking <= 1.5, "an offer takes more than half as long again")
