"""figures.py BUMP LINKFIGURES RUNS: what links, lint and cards cost. Prints the figures of Docs/performance.md and more, and exits
with 1 where a bound is missed."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from statistics import median

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Benchmarks"))
import processes
import tables
from hosts import Pair
from transfers import Bump
from trials import both

# Bytes of a card, at most.
CARD = 262_144
MISSED = []


def bound(what, value, limit):
    """Notes a figure that is not below its bound, and returns the bound as text."""
    if value >= limit:
        MISSED.append(f"{what}: {value} is not below {limit}")
    return f"{limit}"


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def instructions(program, *which):
    """Instructions a link, by callgrind: what 100 rounds more take."""
    counts = []
    with tempfile.TemporaryDirectory() as folder:
        # valgrind cannot read the debug information of Swift's libraries.
        stripped = f"{folder}/program"
        subprocess.run(["strip", "-o", stripped, program], check=True)
        for rounds in (10, 110):
            command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", stripped, *which, str(rounds)]
            said = subprocess.run(command, capture_output=True, text=True, check=True)
            counts.append(int(re.search(r"Collected : (\d+)", said.stderr)[1]))
            links = int(said.stdout.split()[0])
    return (counts[1] - counts[0]) / 100 / links


def routing(program, runs):
    kinds = {
        "router": "`Router.route`", "values": "`Router.route` and `Match.captured`", "foundation": "`URL(string:)`",
        "parts": "`URLComponents`, host, path and query"}
    lists = {"taken": "taken, or captured and broken", "refused": "nobody's"}
    print("### Routing a link\n")
    rows = []
    for name, what in lists.items():
        times = {kind: [] for kind in kinds}
        for _ in range(runs):
            for kind in kinds:
                times[kind].append(float(run(program, kind, name, "5000")[2]))
        counts = {kind: instructions(program, kind, name) for kind in kinds}
        for kind in kinds:
            peaks = [int(run(program, kind, name, rounds)[3]) for rounds in ("1", "100000")]
            rows.append([
                what, kinds[kind], f"{counts[kind]:.0f}",
                f"{median(times[kind]):.0f} ({min(times[kind]):.0f}–{max(times[kind]):.0f})",
                " → ".join(f"{peak / 1024:.1f}" for peak in peaks)])
        bound(f"instructions for a link that is {what}, beside URL(string:)", counts["router"] / counts["foundation"], 1)
    tables.table(
        ["links", "", "instructions a link (callgrind)", "ns a link, median (least–most)",
         "MiB at the most, after one round and after 100,000"], *rows)


def project(folder):
    """An App Clip's project of 2,000 files, half of which are read."""
    (folder / "project.json").write_text(json.dumps({
        "teamId": "6Y98438M9X",
        "app": {"bundleId": "com.roadflare.RoadFlare"},
        "clip": {"bundleId": "com.roadflare.RoadFlare.Clip", "deploymentTarget": "16.0", "sizeMB": 8.5},
        "invocations": ["https://roadflare.app/share/d/{npub}"],
        "groups": ["group.com.roadflare.RoadFlare"]}))
    plist = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>\n'
        + "".join(f"<key>Key{number}</key><string>value {number}</string>\n" for number in range(100)) + "</dict></plist>\n")
    page = "<html><head><title>page</title></head><body>\n" + "<p>text of a page</p>\n" * 200 + "</body></html>\n"
    source = "// A file of an app.\n" * 200
    for number in range(1999):
        module = folder / f"Module{number % 50}"
        module.mkdir(exist_ok=True)
        name, text = [
            (f"Page{number}.html", page), (f"Source{number}.swift", source), (f"Part{number}-Info.plist", plist),
            (f"Header{number}.h", source)][number % 4]
        (module / name).write_text(text)


def lint(bump, runs):
    times, length = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        project(folder)
        files = [path for path in folder.rglob("*") if path.is_file()]
        length = sum(path.stat().st_size for path in files)
        for turn in range(runs + 1):
            begin = time.monotonic()
            done = subprocess.run([bump, "lint", name, "--json"], stdout=subprocess.PIPE, env=processes.ENVIRONMENT)
            if turn:
                times.append(time.monotonic() - begin)
            if done.returncode not in (0, 1):
                raise SystemExit(f"bump-clip lint ended with {done.returncode}")
    print("### Lint\n")
    tables.table(
        ["", "median (least–most)", "to stay below"],
        [f"`bump-clip lint` of {len(files)} files of {length / 1e6:.1f} MB, exec to exit", f"{tables.spread(times)} ms",
         bound("ms of bump-clip lint", median(times) * 1000, 1000) + " ms"])


class Card(Bump):
    """The same with a card."""

    def __init__(self, binary, stores, pair, backend):
        super().__init__(binary, stores, pair, backend)
        self.name = f"a card of {CARD} bytes"
        self.folder = pathlib.Path(stores) / "cards"
        self.folder.mkdir()
        self.file = pathlib.Path(stores) / "me.vcf"
        head, tail = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Public;Jo;;;\r\nFN:Jo Public\r\nNOTE:", "\r\nEND:VCARD\r\n"
        self.file.write_bytes((head + "x" * (CARD - len(head) - len(tail)) + tail).encode())

    def sender(self, _):
        return self.start(self.pair.left, "send", "--card", str(self.file))

    def receiver(self, _, sender=None):
        for file in self.folder.iterdir():
            file.unlink()
        return self.start(self.pair.right, "receive", "--save", str(self.folder))


def cards(bump, runs):
    with tempfile.TemporaryDirectory() as stores:
        pair = Pair(0, False)
        try:
            claim, card = Bump(bump, stores, pair, "embedded"), Card(bump, stores, pair, "embedded")
            times = {transfer: [] for transfer in (claim, card)}
            for turn in range(runs + 1):
                for transfer in times:
                    _, receiver, arrival = both(transfer, "sender first", turn)
                    if turn:
                        times[transfer].append(arrival)
        finally:
            processes.kill_all()
            pair.end()
    beyond = [card - claim for claim, card in zip(*times.values())]
    print("### A card\n")
    print("Between two hosts, embedded, sender first, until it is stored, in turn with a claim:\n")
    tables.table(
        ["", "ms, median (least–most)", "to stay below"], ["a claim", tables.spread(times[claim]), ""],
        [card.name, tables.spread(times[card]), ""],
        ["the card beyond the claim", tables.spread(beyond), bound("ms of a card", median(beyond) * 1000, 150)])


def main():
    bump, program, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    print(f"Load average at the start {os.getloadavg()[0]:.1f}.\n")
    routing(program, runs)
    lint(bump, runs)
    cards(bump, runs)
    for missed in MISSED:
        print(missed, file=sys.stderr)
    sys.exit(1 if MISSED else 0)


main()
