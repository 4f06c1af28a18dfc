"""A headless Chromium of Debian's, and a server on this machine for what it loads."""

import contextlib
import http.server
import json
import pathlib
import threading

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

HERE = pathlib.Path(__file__).resolve().parent
FILES = HERE.parents[2] / "Sources/Vault/BumpVaultHTTP/Page/Files"
KEYS = FILES / "keys.js"
# A name that is not this machine's: there a page without TLS has no WebCrypto.
ELSEWHERE = "elsewhere.test"
# Nothing here takes so long; this keeps a defect from hanging.
PATIENCE = 600


class Files(http.server.BaseHTTPRequestHandler):
    """Answers with the page of the tests at every address but those of the scripts."""

    scripts = {f"/{name}.js": FILES / f"{name}.js" for name in ("keys", "seal", "statements", "chain", "claim")}
    scripts["/keys_worker.js"] = HERE / "keys_worker.js"

    def do_GET(self):
        script = self.scripts.get(self.path)
        body = (script or HERE / "keys_page.html").read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if script else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        # Chromium may have left the page meanwhile.
        with contextlib.suppress(ConnectionError):
            self.wfile.write(body)

    def log_message(self, *_):
        pass


class Page:
    """The page of the tests, with keys.js."""

    folder = FILES

    def __init__(self, driver, port):
        self.driver, self.port = driver, port

    def open(self, path="/", host="localhost"):
        # Chromium keeps a page whose address changes only after the #.
        self.driver.get("about:blank")
        self.driver.get(f"http://{host}:{self.port}{path}")

    def call(self, expression, *arguments):
        """What a promise of the page becomes."""
        script = f"const done = arguments[arguments.length - 1]; ({expression}).then(done, (e) => done('!' + e))"
        answer = self.driver.execute_async_script(script, *arguments)
        if answer.startswith("!"):
            raise SystemExit(f"chromium: {answer[1:]}")
        return answer

    def run(self, operation, cases):
        """What an operation of keys_worker.js gives for each case."""
        return json.loads(self.call("window.run(arguments[0], arguments[1])", operation, list(cases)))


@contextlib.contextmanager
def page():
    """Starts both, and ends them."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in (
        "--headless=new",
        # For root, who has no sandbox, and for machines with a small /dev/shm.
        "--no-sandbox",
        "--disable-dev-shm-usage",
        f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
    ):
        options.add_argument(argument)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        try:
            driver.set_script_timeout(PATIENCE)
            yield Page(driver, server.server_port)
        finally:
            driver.quit()
            server.shutdown()
