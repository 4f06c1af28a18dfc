"""Each screen: its looks at every width, in light and dark, with axe; and what it costs."""

import statistics
import subprocess
from pathlib import Path

import front
from page import FILES, TEXTS, check, equal, thorough
from scenes import SCENES
from world import until

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


def sentence(name, state, page):
    """The text that a screen must show."""
    texts = TEXTS["en"]
    kind = {"offer-to": "offer.to"}.get(name, state)
    if name.endswith("asked"):
        kind = "untrusted.asked" if "untrusted" in name else "asked"
    return texts.get("sent." + kind, texts[kind] if kind in texts else None) if page == "sent" else texts[kind]


@thorough
def each_screen_is_accessible_and_fits_every_width(stage):
    browser = stage.browser
    folder = Path(stage.pictures) if stage.pictures else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    browser.logs()
    for name, state, page, play in sorted(SCENES, key=lambda scene: scene[0] in LATE):
        with play(stage):
            browser.reaches(state)
            equal(browser.text("#sentence"), sentence(name, state, page))
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
                for direction in ("ltr", "rtl"):
                    browser.js("document.documentElement.dir = arguments[0]", direction)
                    wide = browser.js("return document.documentElement.scrollWidth - innerWidth")
                    check(wide <= 0, f"{name} is {wide} px too wide at {width}, {direction}")
                browser.js("document.documentElement.removeAttribute('dir')")
                for scheme in ("light", "dark"):
                    browser.scheme(scheme)
                    if width in (375, 1280) and folder:
                        browser.picture(folder / f"{name}-{width}-{scheme}.png")
                    if width in (375, 1280) and stage.axe:
                        found = violations(stage)
                        check(not found, f"{name} at {width} in {scheme}: {found}")
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
    stage.paid(link)


@thorough
def the_files_are_small(stage):
    total = sum(path.stat().st_size for path in FILES.iterdir())
    check(total < 60_000, f"{total} bytes")


# Notes when the page has an offer.
WATCH = """
new MutationObserver(() => {
  if (document.getElementById('main')?.dataset.state === 'offer') window.done ??= performance.now();
}).observe(document, {subtree: true, childList: true, attributes: true, attributeFilter: ['data-state']});
"""


def bare(stage, link):
    """Serves a page of the same size that makes the same requests, and does nothing with the answers."""
    pages, size = stage.front.pages, {path.name: path.stat().st_size for path in FILES.iterdir()}
    filler = lambda count: "/*" + "x" * (count - 4) + "*/"
    script = f"""import "./keys.js"; await (await fetch("/api/vault")).json();
      await (await fetch("/api/claims/{stage.ledger_id(link)}")).json(); window.done = performance.now();"""
    texts = size["en.json"] + size["de.json"]
    pages["/bare/"] = "text/html", (
        '<!doctype html><link rel="stylesheet" href="page.css"><link rel="modulepreload" href="keys.js">'
        '<script type="module" src="claim.js"></script><script type="application/json">"'
        + "x" * (size["claim.html"] + texts)
        + '"</script>'
    )
    pages["/bare/page.css"] = "text/css", (FILES / "page.css").read_text()
    pages["/bare/claim.js"] = "text/javascript", script + filler(size["claim.js"] - len(script))
    pages["/bare/keys.js"] = "text/javascript", filler(size["keys.js"])


@thorough
def an_offer_takes_little_longer_than_a_bare_page(stage):
    browser = stage.browser
    link = stage.link()
    bare(stage, link)
    browser.open(link)
    browser.plant(WATCH)
    times = {}
    for _ in range(20):
        for url in (link, stage.world.url + "/bare/"):
            browser.go(url)
            times.setdefault(url, []).append(until(lambda: browser.js("return window.done"), "it is done"))
    offer, inert = (statistics.median(values) for values in times.values())
    print(f"  an offer takes {offer:.1f} ms, a bare page {inert:.1f} ms: {offer / inert:.2f} times as long")
    check(offer / inert <= 1.5, "an offer takes more than half as long again")
