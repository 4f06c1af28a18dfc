"""crowd.py BUMP [ROUNDS [PAIRS…]]: how it grows: so many pairs at once on one switch, each with a code of its own, each
side on a host of its own, without a daemon. Without more, three rounds of 1, 10, 25 and 50 pairs. main.py has it as a part
of its own run.

crowd.py --shared BUMP [ROUNDS [PAIRS…]]: the same on eight hosts that the pairs share, with their daemons and without.
Without more, ten rounds of 8 and 48 pairs.

All senders are there first; then all receivers come at the same moment. A round takes a minute at most. Meanwhile the
kernel's neighbour tables, which all namespaces share, are larger: with the usual ones a hundred hosts overflow them, and
connections time out.
"""

import contextlib
import json
import pathlib
import re
import signal
import sys
import tempfile
import time
from statistics import median
from typing import NamedTuple

import processes
import tables
from hosts import Room
from processes import Process
from transfers import MOMENT, SETTLING

SIZES = [1, 10, 25, 50]
SHARED_HOSTS, SHARED_SIZES = 8, [8, 48]
# How many entries are kept, begin to be cleared, and fit (arp(7)): 100 hosts have up to 100 each, by IPv4 and by IPv6.
NEIGHBOURS = {
    pathlib.Path(f"/proc/sys/net/{family}/neigh/default/gc_thresh{number}"): value
    for family in ("ipv4", "ipv6") for number, value in enumerate((4096, 8192, 16384), 1)}


class Bumped(NamedTuple):
    """What became of one pair."""

    is_whole: bool
    """Whether the receiver has the very claim that its sender says is delivered."""
    claim: float
    """Seconds from the start of the receiver until it has stored the claim, where it has."""
    there: float
    """When that was, from the start of the first receiver of the round."""
    cpu: float
    """Seconds of CPU of both."""
    shares: bool
    """Whether another sender drew the same channel."""


def result(process):
    """The last event of a process that has ended."""
    lines = process.output.whole().splitlines()
    return json.loads(lines[-1]) if lines else {}


def ended(process):
    """Waits for its end, whatever its status."""
    try:
        process.finish()
    except SystemExit:
        pass
    return process


def pairs_apart(room, count):
    """So many pairs, each side on a host of its own."""
    return list(zip(room.hosts[0:2 * count:2], room.hosts[1:2 * count:2]))


def pairs_shared(room, count):
    """So many pairs, with as many senders and receivers on each host; no pair has both on one."""
    hosts = room.hosts
    return [(hosts[number % len(hosts)], hosts[(number + 1) % len(hosts)]) for number in range(count)]


def meet(binary, stores, pairs, backend="embedded"):
    """One round: what became of each pair of hosts."""
    count = len(pairs)

    def side(host, number, part, *arguments, code=None):
        return Process(
            host.command(binary, part, *arguments, "--yes", "--json", "--quiet", "--discovery", backend),
            {"BUMP_STORE": f"{stores}/{part}-{number}.sqlite"} | ({"BUMP_CODE": code} if code else {}))

    # As many amounts as pairs: whoever got another's claim would have another amount too.
    senders = [
        side(host, number, "send", "--amount", f"{number + 1}.00", "--code", "--discovery-timeout", "40")
        for number, (host, _) in enumerate(pairs)]
    codes = []
    for sender in senders:
        sender.output.expect('"event":"advertising"')
        codes.append(re.search(r"\d+-\d{6}", sender.errors.expect("The code is ")[1])[0])
    time.sleep(SETTLING + MOMENT)
    receivers = [
        side(host, number, "receive", "--discovery-timeout", "20", code=code)
        for number, ((_, host), code) in enumerate(zip(pairs, codes))]
    channels = [code.split("-")[0] for code in codes]
    bumped = []
    for number, (sender, receiver) in enumerate(zip(senders, receivers)):
        sent, received = result(ended(sender)), result(ended(receiver))
        is_whole = (
            sent.get("outcome") == "delivered" and received.get("outcome") == "received"
            and sent["claimId"] == received["claimId"] and received["amount"] == f"{number + 1}.00")
        stored = receiver.output.expect('"event":"stored"')[0] if is_whole else float("nan")
        shares = channels.count(channels[number]) > 1
        bumped.append(Bumped(
            is_whole, stored - receiver.started, stored - receivers[0].started, sender.cpu + receiver.cpu, shares))
        if not is_whole:
            print(f"pair {number + 1} of {count}: {sent}; {received}", file=sys.stderr, flush=True)
    return bumped


@contextlib.contextmanager
def room_for_neighbours():
    """Larger neighbour tables, and afterwards those of before."""
    before = {file: file.read_text() for file in NEIGHBOURS}
    try:
        for file, value in NEIGHBOURS.items():
            file.write_text(str(max(value, int(before[file]))))
        yield
    finally:
        for file, text in before.items():
            file.write_text(text)


def measure(binary, stores, rounds, sizes=SIZES):
    """What became of each pair, by how many there were at once."""
    with room_for_neighbours():
        room = Room(2 * max(sizes))
        try:
            # The first bump makes the stores and warms the caches.
            meet(binary, stores, pairs_apart(room, max(sizes)))
            return {
                count: [each for _ in range(rounds) for each in meet(binary, stores, pairs_apart(room, count))]
                for count in sizes}
        finally:
            processes.kill_all()
            room.end()


def measure_shared(binary, stores, rounds, sizes, backend):
    """What became of each pair in each round, by how many pairs there were at once."""
    room = Room(SHARED_HOSTS, daemons=backend == "daemon")
    try:
        meet(binary, stores, pairs_shared(room, max(sizes)), backend)
        # In turn, so that what else the machine does slows all.
        by_round = [
            [meet(binary, stores, pairs_shared(room, count), backend) for count in sizes] for _ in range(rounds)]
        return dict(zip(sizes, zip(*by_round)))
    finally:
        processes.kill_all()
        room.end()


def by_chance(count):
    """How many of so many senders share a channel with another where each draws one of 99."""
    return 1 - (98 / 99) ** (count - 1)


def report(results):
    print("### Many pairs at once\n")
    print(
        "On one switch, without a daemon, each with a code of its own; all senders, then all receivers come at the same "
        "moment. A channel is one of 99 numbers, and senders avoid those in sight. Where some share theirs all the same, a "
        "receiver may try another's sender before its own.\n")
    alone = median(each.cpu for each in next(iter(results.values())))
    tables.table(
        ["pairs", "claims that their own receivers got", "that shared a channel (by chance)", "ms until the claim is there, median (least–most)",
         "CPU of both ends, ms", "against one pair"],
        *([str(count), f"{sum(each.is_whole for each in bumped)} of {len(bumped)}",
           f"{sum(each.shares for each in bumped)} ({len(bumped) * by_chance(count):.0f})",
           tables.spread([each.claim for each in bumped if each.is_whole] or [float("nan")]),
           f"{median(each.cpu for each in bumped) * 1000:.0f}",
           f"{median(each.cpu for each in bumped) / alone:.2f} times"]
          for count, bumped in results.items()))


def report_shared(results, backend):
    print(f"### Many pairs on {SHARED_HOSTS} hosts, {'avahi-daemon' if backend == 'daemon' else backend}\n")
    least, rows = min(results), []
    # A round's time is that of its last claim.
    times = {
        count: [max(each.there for each in bumped if each.is_whole) for bumped in rounds]
        for count, rounds in results.items()}
    of_one = {count: median(seconds) / count for count, seconds in times.items()}
    for count, rounds in results.items():
        whole = sum(each.is_whole for bumped in rounds for each in bumped)
        rows.append([
            str(count), f"{whole} of {count * len(rounds)}", tables.spread(times[count]), f"{of_one[count] * 1000:.0f}",
            f"{of_one[count] / of_one[least]:.2f} times"])
    tables.table(
        ["pairs", "claims that their own receivers got", "ms until all claims are there, median (least–most)", "ms a pair",
         f"against {least} pairs"], *rows)


def main():
    arguments = sys.argv[1:]
    is_shared = arguments[:1] == ["--shared"]
    binary, *numbers = arguments[is_shared:]
    binary = str(pathlib.Path(binary).resolve())
    rounds = int(numbers[0]) if numbers else 10 if is_shared else 3
    sizes = [int(text) for text in numbers[1:]] or (SHARED_SIZES if is_shared else SIZES)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    with tempfile.TemporaryDirectory() as stores:
        if not is_shared:
            return report(measure(binary, stores, rounds, sizes))
        for backend in ("daemon", "embedded"):
            report_shared(measure_shared(binary, stores, rounds, sizes, backend), backend)


if __name__ == "__main__":
    main()
