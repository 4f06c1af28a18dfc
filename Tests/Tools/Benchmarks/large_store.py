"""large_store.py BUMP [RUNS [CLAIMS]]: a store with many claims beside one with few, in turn: whether it opens and sends as
quickly. Without the first two, 20 runs and 400,000 claims. main.py has it as a part of its own run.
"""

import base64
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from statistics import median

import processes
import tables
from hosts import Pair
from transfers import Bump
from trials import trial

CLAIMS = 400_000
TENTHS = ["delivered"] * 4 + ["linkShown"] * 2 + ["new"] * 2 + ["lost", "unknown"]
DAY = 86_400


def identifier():
    while (text := base64.urlsafe_b64encode(os.urandom(16)).decode().rstrip("=")).startswith("-"):
        pass
    return text


def fill(store, count):
    """Puts claims into a store that is there: half of them sent, in every state that lasts, and half received."""
    now = int(time.time())
    with sqlite3.connect(store) as database:
        database.executemany(
            "INSERT INTO outgoing (claimId, secret, token, amount, expiry, state, peer, createdAt) "
            "VALUES (?, ?, 'USDC', ?, ?, ?, 'bob', ?)",
            # The older half has expired.
            ((identifier(), os.urandom(16), 1 + number, now + (number - count // 4) * 60, TENTHS[number % 10],
              now - 400 * DAY + number) for number in range(count // 2)))
        database.executemany(
            "INSERT INTO incoming (payloadHash, claimId, secret, token, amount, expiry, sender, receivedAt) "
            "VALUES (?, ?, ?, 'USDC', ?, ?, 'alice', ?)",
            ((os.urandom(32), identifier(), os.urandom(16), 1 + number, now + DAY, now - 400 * DAY + number)
             for number in range(count // 2)))
    database.close()


def command(binary, store, *arguments):
    """Seconds of a command from exec to exit."""
    begin = time.monotonic()
    subprocess.run(
        [binary, *arguments], env=processes.ENVIRONMENT | {"BUMP_STORE": store}, check=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - begin


def measure(binary, stores, pair, runs, count=CLAIMS):
    """Seconds by what was done, each for the few and the many: lists of the same length, made in turn."""
    bumps = []
    for size in ("few", "many"):
        directory = pathlib.Path(stores) / size
        directory.mkdir(mode=0o700)
        bumps.append(Bump(binary, str(directory), pair, "embedded"))
        for host in (pair.left, pair.right):
            store = f"{bumps[-1].stores}-{host.name}.sqlite"
            command(binary, store, "send", "--amount", "1", "--link-only", "--quiet")
            if size == "many":
                fill(store, count)
    results = {}
    for number in range(runs + 1):
        # The first warms the caches; which goes first changes, since what comes second finds them warmer.
        for place in (0, 1) if number % 2 else (1, 0):
            bump = bumps[place]
            store = f"{bump.stores}-{pair.left.name}.sqlite"
            times = {
                "`bump send --link-only`, exec to exit":
                    command(binary, store, "send", "--amount", "1", "--link-only", "--quiet"),
                "`bump history`, exec to exit": command(binary, store, "history"),
                "sender first, until the claim is there": trial(bump, "sender first", number).claim,
                "both at once, until the claim is there": trial(bump, "both at once", number).claim,
            }
            if number:
                for what, seconds in times.items():
                    results.setdefault(what, ([], []))[place].append(seconds)
    return results


def report(results, count=CLAIMS):
    print(f"### A store with {count:,} claims\n")
    print(
        "Both sides' stores with that many beside both with few, without a daemon, in turn. Milliseconds, median "
        "(least–most), and the median of the ratios of two that were made in turn:\n")
    tables.table(
        ["", "few", "many", "ratio"],
        *([what, tables.spread(few), tables.spread(many), f"{median(b / a for a, b in zip(few, many)):.2f}"]
          for what, (few, many) in results.items()))


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    runs, count = (int(text) for text in (sys.argv[2:] + ["20", str(CLAIMS)][len(sys.argv) - 2:]))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    with tempfile.TemporaryDirectory() as stores:
        pair = Pair(0, daemons=False)
        try:
            report(measure(binary, stores, pair, runs, count), count)
        finally:
            processes.kill_all()
            pair.end()


if __name__ == "__main__":
    main()
