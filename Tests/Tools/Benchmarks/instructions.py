"""instructions.py BUMP…: how many instructions each of these programs executes for one claim, by callgrind.

The claim goes over loopback, without discovery, between two processes whose stores are there. callgrind counts one side
at a time. main.py is without this part: under valgrind a bump takes twenty times as long. Needs valgrind.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import processes
import tables
from processes import Process

# What is counted by itself, with all that it calls: functions of the runtime, of ArgumentParser and of ours. Of those that
# a pattern fits, one calls all others.
PARTS = {
    "looking up conformances": [r"swift_conformsToProtocol\w*"],
    "reading the arguments": [r"\$s14ArgumentParser\w*[Pp]arse\w*"],
    "opening the store, with what its first use takes": [r"\$s9BumpStore\w*7prepare\w*", r"\$s9BumpStore\w*4open2at\w*"],
}


def counted(command, place):
    """The same command under callgrind, which writes to that file."""
    return ["valgrind", "--tool=callgrind", f"--callgrind-out-file={place}", *command]


def meet(program, stores, place, side):
    """One claim, with this side counted."""
    shared = ["--yes", "--json", "--quiet"]
    send = [program, "send", "--amount", "1.00", *shared, "--discovery", "none", "--discovery-timeout", "60"]
    sender = Process(
        counted(send, place) if side == "send" else send, {"BUMP_STORE": f"{stores}/sender.sqlite"})
    port = json.loads(sender.output.expect('"event":"advertising"')[1])["port"]
    receive = [program, "receive", *shared, "--peer", f"127.0.0.1:{port}"]
    receiver = Process(
        counted(receive, place) if side == "receive" else receive, {"BUMP_STORE": f"{stores}/receiver.sqlite"})
    receiver.finish()
    sender.finish()


def inclusive(place):
    """Instructions in all, and of each part with what it calls."""
    said = subprocess.run(
        ["callgrind_annotate", "--inclusive=yes", "--threshold=100", place], capture_output=True, text=True, check=True)
    lines = re.findall(r"^\s*([\d,]+) \([\s\d.]+%\)\s+\S*?:([^\s(\[]+)", said.stdout, re.MULTILINE)
    whole = int(re.search(r"([\d,]+) \(100\.0%\)\s+PROGRAM TOTALS", said.stdout)[1].replace(",", ""))

    def most(pattern):
        return max((int(count.replace(",", "")) for count, name in lines if re.fullmatch(pattern, name)), default=0)

    return [whole] + [sum(map(most, patterns)) for patterns in PARTS.values()]


def measure(program):
    """By side: instructions in all, and of each part."""
    with tempfile.TemporaryDirectory() as folder:
        # valgrind cannot read the debug information of Swift's libraries.
        bare = f"{folder}/bump"
        subprocess.run(["strip", "--strip-debug", "-o", bare, program], check=True)
        counts = {}
        for side in (None, "send", "receive"):
            meet(bare, folder, f"{folder}/out", side)
            if side:
                counts[side] = inclusive(f"{folder}/out")
        return counts


def main():
    programs = [str(pathlib.Path(each).resolve()) for each in sys.argv[1:]]
    if not programs:
        raise SystemExit(__doc__)
    processes.LIMIT = 120
    results = [measure(each) for each in programs]
    for side, name in (("send", "`bump send`"), ("receive", "`bump receive`")):
        tables.table(
            [f"million instructions of {name}", *(os.path.relpath(each) for each in programs)],
            *([what, *(f"{result[side][number] / 1e6:.1f}" for result in results)]
              for number, what in enumerate(["all", *PARTS])))


if __name__ == "__main__":
    main()
