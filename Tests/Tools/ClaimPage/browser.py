"""A Chromium of Debian's, with nothing of its own on the network."""

import base64
import json
import re

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from world import until

# What an app puts into the page before the page's own script runs.
APP = """
window.messages = [];
window.webkit = {messageHandlers: {bump: {postMessage: (message) => messages.push(JSON.stringify(message))}}};
"""
# What the page's own events say, for other openers.
LISTENER = "window.heard = []; addEventListener('bump', (event) => heard.push(JSON.stringify(event.detail)));"
# After these nothing follows.
FINAL = ("paid", "alreadyPaid", "taken", "refunded", "insecure", "fragment", "garbled", "key")


class Browser:
    """A browser with a profile of its own: a person's."""

    def __init__(self, world, language="en", receiver=None, script=None):
        self.world = world
        options = webdriver.ChromeOptions()
        for argument in (
            "--headless=new",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--hide-scrollbars",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            f"--ignore-certificate-errors-spki-list={world.spki()}",
            f"--accept-lang={language}",
            f"--lang={language}",
            "--host-resolver-rules=MAP vault.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
        ):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"intl.accept_languages": language})
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        self.driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(30)
        self.script = LISTENER + APP + (script or "")
        if receiver:
            self.script += f"window.bump = {{receiver: {json.dumps(receiver)}}};"
        self.plant(self.script)

    def end(self):
        self.driver.quit()

    def forget(self):
        """Makes it one that was never at the vault: without session, wallet and kept receipts."""
        self.cdp("Network.clearBrowserCookies")
        self.cdp("Storage.clearDataForOrigin", origin=self.world.url, storageTypes="all")

    def plant(self, script):
        """Has a script run in each new document, before the page's own."""
        return self.cdp("Page.addScriptToEvaluateOnNewDocument", source=script)

    def cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def open(self, link):
        """Opens a link in a tab that has nothing of before."""
        self.driver.switch_to.new_window("tab")
        tab, others = self.driver.current_window_handle, self.driver.window_handles
        for other in others:
            if other != tab:
                self.driver.switch_to.window(other)
                self.driver.close()
        self.driver.switch_to.window(tab)
        self.plant(self.script)
        if width := self.width:
            self.size(*width)
        self.driver.get(str(link))

    def go(self, link):
        """Opens a link in this tab."""
        self.driver.get("about:blank")
        self.driver.get(str(link))

    def reload(self):
        self.driver.refresh()

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def state(self):
        return self.js("return document.getElementById('main')?.dataset.state")

    def reaches(self, *states):
        """Waits for one of these states. Fails as soon as another one is there after which nothing follows."""
        try:
            now = until(lambda: (now := self.state()) in (*states, *FINAL) and now, f"state {' or '.join(states)}")
            if now not in states:
                raise AssertionError(f"not {' or '.join(states)}")
            return now
        except AssertionError as error:
            raise AssertionError(f"{error}: it is {self.state()}: {self.text()}") from None

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector="main"):
        return re.sub(r"\s+", " ", self.find(selector).text)

    def shown(self, selector):
        try:
            return any(element.is_displayed() for element in self.driver.find_elements(By.CSS_SELECTOR, selector))
        except StaleElementReferenceException:
            # The page has drawn another in its place meanwhile.
            return False

    def enter(self, address):
        field = self.find("#address")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(address)

    def tap(self):
        self.find("#act").click()

    def messages(self):
        return [json.loads(message) for message in self.js("return window.messages ?? []")]

    def module(self, name):
        """The address of a script of the page."""
        return (
            self.js(
                "return [...document.querySelectorAll('script[src], link[href]')].map((e) => e.src || e.href)"
                ".find((e) => e.endsWith('/claim.js'))"
            ).rsplit("/", 1)[0]
            + "/"
            + name
        )

    def evaluate(self, body, *arguments):
        """Runs the body of an async function of the page, and returns its value."""
        return self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; const given = [...arguments].slice(0, -1);"
            f"(async () => {{ {body} }})().then((value) => done({{value}}), (error) => done({{error: String(error)}}))",
            *arguments,
        )

    def logs(self):
        """All that the page wrote to the console, also refusals of its policy."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """The URL of each request of the browser since the last call."""
        messages = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]

    def storage(self):
        """All that the page has left in this browser, as text."""
        return self.evaluate("""
          const databases = await indexedDB.databases();
          return JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, databases,
            await caches.keys(), history.state, window.name]);""")["value"]

    width = None

    def size(self, width, height=812):
        self.width = (width, height)
        self.cdp(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def scheme(self, name, **more):
        features = [{"name": "prefers-color-scheme", "value": name}]
        features += [{"name": name.replace("_", "-"), "value": value} for name, value in more.items()]
        self.cdp("Emulation.setEmulatedMedia", features=features)

    def picture(self, path):
        data = self.cdp("Page.captureScreenshot", captureBeyondViewport=False)["data"]
        path.write_bytes(base64.b64decode(data))
