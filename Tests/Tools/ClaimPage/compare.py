#!/usr/bin/env python3
"""Tests/Tools/ClaimPage/compare.py URL: compares what a vault serves at that URL with the files of this checkout.

Both pages in each language, and each file that they load, must have the same bytes. Check out the version that
GET /api/vault names. Ends with 1 for a difference."""

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
    expected = {
        (f"/{name}/x", language): pages.document(name, language)
        for name in sources.DOCUMENTS
        for language in sources.LANGUAGES
    }
    expected |= {(f"/page/{pages.hash}/{name}", "en"): content for name, content in pages.assets.items()}
    differences = 0
    for (path, language), content in expected.items():
        is_same = fetch(url + path, language) == content
        differences += not is_same
        print(f"{'the same' if is_same else 'DIFFERENT'}: {path} ({language})")
    if differences:
        raise SystemExit(f"compare.py: {differences} of {len(expected)} are not those of this checkout")


if __name__ == "__main__":
    main()
