"""main.py BUMP RUNS: measures that binary and what stands beside it, and prints the tables of Docs/performance.md."""

import datetime
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile

import alone
import processes
import tables
from hosts import Pair
from transfers import Bump, Scripts, Wormhole
from trials import trials


def say(text):
    print(text, file=sys.stderr, flush=True)


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def has_backend(binary, backend):
    """Whether the binary knows that value of --discovery: it parses its options before it looks for a store."""
    command = [binary, "receive", "--discovery", backend, "--discovery-timeout", "0.001", "--store", "/dev/null/no"]
    return subprocess.run(command, env=processes.ENVIRONMENT, capture_output=True, check=False).returncode != 64


def print_machine(binary):
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = said(
        "dpkg-query", "--show", "--showformat", "${Package} ${Version}, ", "avahi-daemon", "magic-wormhole",
        "python3-zeroconf")
    print(
        f"{datetime.date.today()}: {os.cpu_count()} cores, {memory:.0f} GiB, Debian "
        f"{pathlib.Path('/etc/debian_version').read_text().strip()}, Linux {platform.release()}, "
        f"{versions} bump {said(binary, '--version')}; load average at the start "
        f"{os.getloadavg()[0]:.1f}.\n")


def processor_time():
    """All of it, and what the hypervisor gave to others, in ticks (proc_stat(5))."""
    ticks = [int(field) for field in pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return sum(ticks), ticks[7]


def print_stolen(before):
    total, stolen = (after - earlier for after, earlier in zip(processor_time(), before))
    print(f"While this was measured, others had {100 * stolen / total:.1f} % of the processor's time.\n")


def measure(binary, runs, stores, pairs):
    daemons, bare = pairs
    backends = [("daemon", daemons)]
    if has_backend(binary, "embedded"):
        backends.append(("embedded", bare))
    else:
        say("this bump has no --discovery embedded: left out")
    bumps = [Bump(binary, stores, pair, backend, code) for backend, pair in backends for code in (False, True)]
    transfers = [
        *bumps,
        Scripts("avahi-publish, avahi-browse, plain TCP", daemons, "plain"),
        Scripts("python-zeroconf, plain TCP", bare, "zeroconf"),
        Wormhole(bare),
    ]
    results = trials(transfers, runs, say)
    say("starting, waiting")
    starts = {option: alone.start(binary, option, runs) for option in ("--version", "--help")}
    few = min(runs, 3)
    waits = alone.waits([bump for bump in bumps if not bump.code], stores, few)
    say("strangers")
    flooded = [alone.flood(bumps[0], stores) for _ in range(few)]
    tables.trials(transfers, results)
    tables.comparisons(transfers, results)
    tables.memory(transfers, results)
    tables.alone(starts, waits, flooded)


def main():
    binary, runs = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    print_machine(binary)
    before = processor_time()
    pairs = []
    with tempfile.TemporaryDirectory() as stores:
        try:
            for number, has_daemons in enumerate((True, False)):
                pairs.append(Pair(number, has_daemons))
            measure(binary, runs, stores, pairs)
            print_stolen(before)
        finally:
            processes.kill_all()
            for pair in pairs:
                pair.end()


main()
