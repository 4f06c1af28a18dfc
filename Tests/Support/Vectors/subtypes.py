#!/usr/bin/env python3
"""Writes subtypes.json: the subtypes by which receivers find senders that have a key.

A second implementation of what Docs/protocol.md says, written from that page, with nothing but Python's library.
"""
import hashlib, hmac, json, pathlib

# In the first hour, the number of the second key begins with zeros.
KEYS = ["00" * 32, "76" * 32, "ff" * 32, "8c1f5e0b7a2d4c6e9f3b1a5d7c9e0f2a4b6d8f1c3e5a7092b4d6f8a1c3e5b7d9"]
# The first hour of 1970, the last second of an hour and the first of the next, and a time beyond 2106.
TIMES = [0, 3599, 3600, 1795298399, 1795298400, 4300000000]


def subtype(key, unix):
    hour = (unix // 3600).to_bytes(8, "big")
    return "_k" + hmac.new(key, b"bump/1 subtype" + hour, hashlib.sha256).digest()[:8].hex()


vectors = [
    {"key": key, "unixTime": unix, "subtype": subtype(bytes.fromhex(key), unix)} for key in KEYS for unix in TIMES
]
pathlib.Path(__file__).with_name("subtypes.json").write_text(json.dumps(vectors, indent=1) + "\n")
