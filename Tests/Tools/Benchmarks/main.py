"""main.py BUMP RUNS BUILT [BEFORE]: measures that binary and what is compared with it, and prints the figures
of Docs/performance.md and more.

BUILT says what the binary was built from. BEFORE is an earlier one, which runs in turn with it.
"""

import datetime
import hashlib
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile
import time

import alone
import crowd
import large_store
import processes
import tables
import timeline
from hosts import Pair
from transfers import Bump, Scripts, Wormhole
from trials import memory, trials

# As many runs make figures. With fewer it is only tried whether all works.
WHOLE = 20


def say(text):
    print(text, file=sys.stderr, flush=True)


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def has_backend(binary, backend):
    """Whether the binary knows that value of --discovery: it parses its options before it looks for a store."""
    command = [binary, "receive", "--discovery", backend, "--discovery-timeout", "0.001", "--store", "/dev/null/no"]
    return subprocess.run(command, env=processes.ENVIRONMENT, capture_output=True, check=False).returncode != 64


def file_system(directory):
    """Its type, by the mount that it lies on (proc_mounts(5))."""
    path, mounts = pathlib.Path(directory).resolve(), {}
    for line in pathlib.Path("/proc/self/mounts").read_text().splitlines():
        _, point, kind, *_ = line.split()
        mounts[pathlib.Path(point.replace("\\040", " "))] = kind
    kind = mounts[next(point for point in (path, *path.parents) if point in mounts)]
    if kind in ("tmpfs", "ramfs"):
        raise SystemExit(f"the stores would lie on a {kind}, where an fsync costs nothing: set TMPDIR to a disk")
    return kind


def print_disk(directory, runs):
    """Prints what one fsync takes there, of a page that was written, and returns it: seconds of each."""
    times = []
    with open(pathlib.Path(directory) / "page", "wb", buffering=0) as file:
        for _ in range(10 * runs):
            file.write(b"x" * 4096)
            begin = time.monotonic()
            os.fsync(file.fileno())
            times.append(time.monotonic() - begin)
    print(
        f"The stores lie on {file_system(directory)}, where a page written and an fsync take "
        f"{tables.spread(times, 2)} ms. The times below include these syncs.\n")
    return times


def print_machine(binary, built):
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = said(
        "dpkg-query", "--show", "--showformat", "${Package} ${Version}, ", "avahi-daemon", "magic-wormhole",
        "python3-zeroconf")
    print(
        f"{datetime.date.today()}: {os.cpu_count()} cores, {memory:.0f} GiB, Debian "
        f"{pathlib.Path('/etc/debian_version').read_text().strip()}, Linux {platform.release()}, "
        f"{versions} bump {said(binary, '--version')} of {built} (SHA-256 "
        f"{hashlib.sha256(pathlib.Path(binary).read_bytes()).hexdigest()[:16]}…); load average at the start "
        f"{os.getloadavg()[0]:.1f}.\n")


def processor_time():
    """All of it, and what the hypervisor gave to others, in ticks (proc_stat(5))."""
    ticks = [int(field) for field in pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return sum(ticks), ticks[7]


def print_stolen(before):
    total, stolen = (after - earlier for after, earlier in zip(processor_time(), before))
    print(f"While this was measured, others had {100 * stolen / total:.1f} % of the processor's time.\n")


def measure(binary, before, runs, stores, pairs, syncing):
    daemons, bare = pairs
    backends = [("daemon", daemons)]
    if has_backend(binary, "embedded"):
        backends.append(("embedded", bare))
    else:
        say("this bump has no --discovery embedded: left out")
    bumps = [Bump(binary, stores, pair, backend, code) for backend, pair in backends for code in (False, True)]
    befores = [Bump(before, stores, pair, backend, is_before=True) for backend, pair in backends if before]
    transfers = [
        *bumps,
        Scripts("avahi-publish, avahi-browse, plain TCP", daemons, "plain"),
        Scripts("python-zeroconf, plain TCP", bare, "zeroconf"),
        Wormhole(bare),
    ]
    results = trials([*transfers, *befores], runs, say)
    say("memory")
    peaks = memory(transfers, min(runs, 5))
    say("starting, waiting")
    starts = {option: alone.start(binary, option, runs) for option in ("--version", "--help")}
    waits, daemons_wait = alone.waits([bump for bump in bumps if not bump.code], stores, runs)
    say("strangers")
    flooded = [alone.flood(bumps[0], stores) for _ in range(runs)]
    say("what waits for what")
    moments, syncs = timeline.measure(bumps[0], runs)
    tables.trials(transfers, results)
    tables.comparisons(transfers, results)
    tables.fractions(transfers, results)
    tables.floor(starts["--version"], alone.round_trips(bare, runs), syncing, syncs)
    if befores:
        tables.before([(bump, old) for bump in bumps for old in befores if bump.is_like(old)], results)
    tables.memory(transfers, peaks)
    tables.daemons(transfers, results, daemons_wait, daemons.left.daemons())
    tables.alone(starts, waits, flooded)
    tables.timeline(moments, syncs)
    if has_backend(binary, "embedded"):
        say("heavy packets")
        tables.heavy(*alone.heavy(next(bump for bump in bumps if bump.backend == "embedded"), stores, runs))
        is_whole = runs >= WHOLE
        say("many claims")
        count = large_store.CLAIMS if is_whole else 2000
        large_store.report(large_store.measure(binary, stores, bare, runs, count), count)
        say("many pairs")
        crowd.report(crowd.measure(binary, stores, max(1, runs // 5), crowd.SIZES if is_whole else [1, 3]))


def main():
    binary, runs, built = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2]), sys.argv[3]
    before = sys.argv[4] if len(sys.argv) > 4 else None
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    print_machine(binary, built)
    begin, ticks = time.monotonic(), processor_time()
    pairs = []
    with tempfile.TemporaryDirectory() as stores:
        try:
            syncing = print_disk(stores, runs)
            for number, has_daemons in enumerate((True, False)):
                pairs.append(Pair(number, has_daemons))
            measure(binary, before, runs, stores, pairs, syncing)
            print_stolen(ticks)
            print(f"All this took {(time.monotonic() - begin) / 60:.0f} minutes, in {runs} runs.\n")
        finally:
            processes.kill_all()
            for pair in pairs:
                pair.end()


main()
