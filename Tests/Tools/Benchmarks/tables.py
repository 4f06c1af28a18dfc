"""The figures as Markdown: more than Docs/performance.md has of them."""

from statistics import mean, median

from trials import ORDERS


def table(*rows):
    head, *body = rows
    for row in (head, ["---"] * len(head), *body):
        print(f"| {' | '.join(row)} |")
    print()


def spread(seconds, digits=0):
    """Median and spread, in milliseconds."""
    return " ".join((
        f"{median(seconds) * 1000:.{digits}f}",
        f"({min(seconds) * 1000:.{digits}f}–{max(seconds) * 1000:.{digits}f})"))


def mebibytes(kibibytes):
    return f"{kibibytes / 1024:.1f}"


def trials(transfers, results):
    print("### Until the claim is there\n")
    gaps = [result.gap for (_, order), runs in results.items() if order == "both at once" for result in runs]
    print(
        "Milliseconds, median (least–most). At once is the receiver and, as soon as it is started, the sender: "
        f"{spread(gaps, 1)} ms later.\n")
    table(
        ["", *ORDERS],
        *([transfer.name, *(spread([result.claim for result in results[transfer.name, order]]) for order in ORDERS)]
          for transfer in transfers))


def comparisons(transfers, results):
    def first(transfer, field):
        return median(getattr(result, field) for result in results[transfer.name, "sender first"])

    by_key = {(transfer.backend, transfer.code): transfer for transfer in transfers if hasattr(transfer, "backend")}
    ratio = first(by_key["daemon", False], "exit") / first(avahi_pair(transfers), "exit")
    # On the daemon: without it, the chance of when an answer comes is larger than what is looked for.
    added = first(by_key["daemon", True], "claim") - first(by_key["daemon", False], "claim")
    rows = [
        ["`bump receive` beside avahi-browse and plain TCP, both from exec to exit", f"{ratio:.2f} times", "1.5"],
        ["mode code over mode open", f"{added * 1000:+.0f} ms", "20 ms"],
    ]
    print("On the daemon, of the medians with the sender first:\n")
    table(["", "", "to stay below"], *rows)


def avahi_pair(transfers):
    return next(transfer for transfer in transfers if transfer.name.startswith("avahi-publish"))


def fractions(transfers, results):
    def claim(transfer, order):
        return median(result.claim for result in results[transfer.name, order])

    best = min(claim(avahi_pair(transfers), order) for order in ORDERS)
    print("Fractions of the time that avahi-publish, avahi-browse and plain TCP take in their best order, of the medians:\n")
    table(
        ["", *ORDERS],
        *([transfer.name, *(f"{claim(transfer, order) / best:.2f}" for order in ORDERS)]
          for transfer in transfers if hasattr(transfer, "backend")))


def memory(transfers, peaks):
    def most(transfer, side):
        return mebibytes(max(getattr(run, side) for run in peaks[transfer.name]))

    runs = len(peaks[transfers[0].name])
    print("### Peak memory\n")
    print(f"MiB resident, the most of {runs} runs, of the largest process of a side, without the daemons:\n")
    table(
        ["", "sender", "receiver"],
        *([transfer.name, most(transfer, "sender"), most(transfer, "receiver")] for transfer in transfers))


def daemons(transfers, results, waits, running):
    def each(transfer):
        runs = [result.daemons for order in ORDERS for result in results[transfer.name, order]]
        return f"{mean(runs) * 1000:.1f}"

    print("### What the daemons take for it\n")
    print("Milliseconds of CPU of avahi-daemon and dbus-daemon on both hosts together, the mean of all runs and orders:\n")
    table(
        ["", ""], *([transfer.name, each(transfer)] for transfer in transfers if transfer.pair.daemons),
        ["10 s in which a sender and a receiver wait for nobody", f"{mean(waits) * 1000:.1f}"])
    largest = {}
    for daemon in running:
        largest.setdefault(daemon.name, daemon.peak)
    print("Their peak memory on the sender's host, after all runs, MiB:\n")
    table(["", ""], *([name, mebibytes(peak)] for name, peak in largest.items()))


def alone(starts, waits, flooded):
    print("### One side alone\n")
    print("Milliseconds, median (least–most):\n")
    table(
        ["", "", "to stay below"],
        ["`bump --version`, exec to exit", spread(starts["--version"]), "10"],
        ["`bump --help`, exec to exit", spread(starts["--help"]), "25"],
        *([f"CPU of `bump {side}` that waits 10 s for nobody, {backend}", spread(times), "30"]
          for (backend, side), times in waits.items()))
    print("### A sender that strangers bother\n")
    table(
        ["", "median (least–most)"],
        ["connections that got WELCOME, a second", f"{median(run.rate for run in flooded):.0f} "
         f"({min(run.rate for run in flooded):.0f}–{max(run.rate for run in flooded):.0f})"],
        ["CPU of the sender for one", f"{median(run.cost for run in flooded) * 1000:.2f} ms"],
        ["connections that got none", f"{median(run.refused for run in flooded):.0f}"],
        ["an honest receiver amid them, until the claim is there", f"{spread([run.claim for run in flooded])} ms"],
        ["peak memory of the sender", f"{mebibytes(max(run.peak for run in flooded))} MiB"])


def timeline(moments, syncs):
    print("### What waits for what\n")
    print("Sender first, on the daemon, mode open. Milliseconds from exec of `bump receive`, median (least–most):\n")
    table(["at", "what"], *([spread(times, 1), what] for what, times in moments))
    print(f"Calls of fsync and fdatasync: {syncs['send']} of the sender, {syncs['receive']} of the receiver, in all.\n")


def floor(starts, trips, syncs, counts):
    """What a bump cannot be quicker than: a process starts, asks, is answered, and writes to the disk."""
    print("### The floor\n")
    parts = [median(starts), median(trips), counts["receive"] * median(syncs)]
    print("Milliseconds, median (least–most):\n")
    table(
        ["", ""],
        ["`bump --version`, exec to exit", spread(starts)],
        ["a byte over TCP to the other host and back", spread(trips, 2)],
        [f"the receiver's {counts['receive']} syncs, of the median above", f"{parts[2] * 1000:.1f}"],
        ["all three", f"{sum(parts) * 1000:.0f}"])


def before(pairs, results):
    """Each with the release of before, and the median of the ratios of two that were made in turn."""
    print("### Beside the release of before\n")
    rows = []
    for bump, old in pairs:
        for order in ORDERS:
            now, then = ([result.claim for result in results[transfer.name, order]] for transfer in (bump, old))
            ratio = median(new / old for new, old in zip(now, then))
            rows.append([f"{bump.name}, {order}", spread(now), spread(then), f"{ratio:.2f}"])
    table(["", "now", "before", "ratio"], *rows)


def heavy(quiet, amid, costs):
    print("### Amid heavy packets\n")
    print("120 a second of multicast DNS, 9 kB with 650 questions and 250 answers each; embedded, mode open, sender first:\n")
    table(
        ["", "median (least–most)"],
        ["until the claim is there, without them", f"{spread(quiet)} ms"],
        ["until the claim is there, amid them", f"{spread(amid)} ms"],
        ["CPU of a sender for one packet", f"{spread(costs, 2)} ms"])
