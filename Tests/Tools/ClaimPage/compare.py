#!/usr/bin/env python3
"""Tests/Tools/ClaimPage/compare.py URL: compares what a vault serves at that URL with the files of this checkout.

Each page in each language, and each file that they load, must have the same bytes, and /page/manifest.json the same
hashes. The wallet's page is compared where the vault has one. Check out the version that GET /api/vault names, or
unpack that release. Ends with 1 for a difference."""

import json
import sys
import urllib.error
import urllib.request

import sources


def fetch(url, language):
    """The body of an answer; None for an error."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers={"Accept-Language": language})) as response:
            return response.read()
    except urllib.error.HTTPError:
        return None


def main():
    if len(sys.argv) != 2 or not sys.argv[1].startswith(("https://", "http://")):
        raise SystemExit("usage: Tests/Tools/ClaimPage/compare.py URL")
    url = sys.argv[1].rstrip("/")
    pages = sources.Pages(sources.read())
    has_wallets = "signIn" in json.loads(fetch(f"{url}/api/vault", "en") or b"{}")
    expected = {
        (path, language): pages.document(name, language)
        for name, path in sources.ADDRESSES.items()
        for language in sources.LANGUAGES
        if has_wallets or name != "wallet"
    }
    expected |= {(f"/page/{pages.hash}/{name}", "en"): content for name, content in pages.assets.items()}
    differences = 0
    for (path, language), content in expected.items():
        is_same = fetch(url + path, language) == content
        differences += not is_same
        print(f"{'the same' if is_same else 'DIFFERENT'}: {path} ({language})")
    is_same = json.loads(fetch(f"{url}/page/manifest.json", "en") or b"null") == pages.manifest()
    differences += not is_same
    print(f"{'the same' if is_same else 'DIFFERENT'}: /page/manifest.json")
    if differences:
        raise SystemExit(f"compare.py: {differences} of {len(expected) + 1} are not those of this checkout")


if __name__ == "__main__":
    main()
