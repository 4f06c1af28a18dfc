"""The figures as Markdown, as they stand in Docs/performance.md."""

import resource
from statistics import median

from trials import ORDERS


def table(*rows):
    head, *body = rows
    for row in (head, ["---"] * len(head), *body):
        print(f"| {' | '.join(row)} |")
    print()


def spread(seconds):
    """Median and spread, in milliseconds."""
    return f"{median(seconds) * 1000:.0f} ({min(seconds) * 1000:.0f}–{max(seconds) * 1000:.0f})"


def mebibytes(kibibytes):
    """A new process counts the memory of the one that started it: less than ours cannot be told."""
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"≤ {ours / 1024:.0f}" if kibibytes <= ours else f"{kibibytes / 1024:.1f}"


def trials(transfers, results):
    print("### Until the claim is there\n")
    print("Milliseconds, median (least–most):\n")
    table(
        ["", *ORDERS],
        *([transfer.name, *(spread([result.claim for result in results[transfer.name, order]]) for order in ORDERS)]
          for transfer in transfers))


def comparisons(transfers, results):
    def first(transfer, field):
        return median(getattr(result, field) for result in results[transfer.name, "sender first"])

    by_key = {(transfer.backend, transfer.code): transfer for transfer in transfers if hasattr(transfer, "backend")}
    plain = next(transfer for transfer in transfers if transfer.name.startswith("avahi-publish"))
    ratio = first(by_key["daemon", False], "exit") / first(plain, "exit")
    # On the daemon: without it, the chance of when an answer comes is larger than what is looked for.
    added = first(by_key["daemon", True], "claim") - first(by_key["daemon", False], "claim")
    rows = [
        ["`bump receive` beside avahi-browse and plain TCP, both from exec to exit", f"{ratio:.2f} times", "1.5"],
        ["mode code over mode open", f"{added * 1000:+.0f} ms", "20 ms"],
    ]
    print("On the daemon, of the medians with the sender first:\n")
    table(["", "", "to stay below"], *rows)


def memory(transfers, results):
    def peak(transfer, field):
        return mebibytes(max(getattr(result, field) for order in ORDERS for result in results[transfer.name, order]))

    print("### Peak memory\n")
    print("MiB, the most of all runs, of the largest process of a side:\n")
    table(
        ["", "sender", "receiver"],
        *([transfer.name, peak(transfer, "sender_peak"), peak(transfer, "receiver_peak")] for transfer in transfers))


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
        ["handshakes a second", f"{median(run.rate for run in flooded):.0f} "
         f"({min(run.rate for run in flooded):.0f}–{max(run.rate for run in flooded):.0f})"],
        ["CPU of the sender for one", f"{median(run.cost for run in flooded) * 1000:.2f} ms"],
        ["connections that came to no handshake", f"{median(run.refused for run in flooded):.0f}"],
        ["an honest receiver amid them, until the claim is there", f"{spread([run.claim for run in flooded])} ms"],
        ["peak memory of the sender", f"{max(run.peak for run in flooded) / 1024:.1f} MiB"])
