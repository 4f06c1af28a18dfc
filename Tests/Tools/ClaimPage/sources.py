"""The pages as a vault serves them, made of the files of this checkout. Pages.swift does the same."""

import functools
import hashlib
import json
import re
from contextlib import contextmanager
from pathlib import Path

FILES = Path(__file__).resolve().parents[3] / "Sources/Vault/BumpVaultHTTP/Page/Files"
LANGUAGES = ("en", "de")
DOCUMENTS = {"claim": "claim.html", "sent": "claim.html", "wallet": "wallet.html"}
# Where a document is.
ADDRESSES = {"claim": "/claim/x", "sent": "/sent/x", "wallet": "/wallet"}
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".json": "application/json"}
MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


def read():
    """The content of each file by its name."""
    return {path.name: path.read_bytes() for path in FILES.iterdir()}


class Pages:
    def __init__(self, files):
        """`files` has the content of each file by its name."""
        self.files = files
        self.texts = {
            language: {
                name: text
                for part in ("", "wallet.", "chain.")
                for name, text in json.loads(files[f"{part}{language}.json"]).items()
            }
            for language in LANGUAGES
        }
        # The claim page's own texts are in its HTML.
        own = [f"{language}.json" for language in LANGUAGES]
        self.assets = {name: files[name] for name in sorted(files) if Path(name).suffix in TYPES and name not in own}
        digest = lambda content: hashlib.sha256(content).hexdigest()
        sums = "".join(f"{digest(content)}  {name}\n" for name, content in self.assets.items())
        self.hash = digest(sums.encode())[:16]

    def manifest(self):
        """What /page/manifest.json says."""
        sums = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(self.files.items())}
        return {"hash": self.hash, "files": sums}

    @functools.cache
    def document(self, name, language):
        """A page in a language: claim, sent or wallet."""
        both = ",".join(f'"{each}":{self.files[f"{each}.json"].decode()}' for each in LANGUAGES)
        values = {"assets": f"/page/{self.hash}", "language": language, "page": name}
        values["texts"] = "{" + both.replace("<", r"\u003c") + "}"

        def fill(place):
            if not place[1].startswith("t:"):
                return values[place[1]]
            texts, text = self.texts[language], place[1][2:]
            return "".join(MARKUP.get(character, character) for character in texts.get(f"{name}.{text}") or texts[text])

        return re.sub(r"\{\{(.*?)\}\}", fill, self.files[DOCUMENTS[name]].decode()).encode()


@contextmanager
def served(front, pages):
    """Has the front answer with these pages, with the headers of the vault's."""
    known = {}

    def action(exchange, pass_on):
        kind, first, *rest = [*exchange.path.split("?")[0].split("/")[1:], ""]
        if exchange.path == "/page/manifest.json":
            status, headers, _ = pass_on()
            return 200, headers | {"Content-Type": "application/json"}, json.dumps(pages.manifest()).encode()
        if kind == "page":
            if first != pages.hash or rest[0] not in pages.assets:
                return pass_on()
            own = {"Content-Type": TYPES[Path(rest[0]).suffix], "Cache-Control": "public, max-age=31536000, immutable"}
            return 200, known | own, pages.assets[rest[0]]
        status, headers, body = pass_on()
        known.update({name: value for name, value in headers.items() if name not in ("Vary", "Cache-Control")})
        language = re.search(rb'<html lang="(\w+)"', body)[1].decode()
        return status, headers, pages.document(kind, language)

    with front.rule("GET", "^/((claim|sent|page)/|wallet$)", action):
        yield
