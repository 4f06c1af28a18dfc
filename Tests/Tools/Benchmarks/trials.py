"""One side first, or both at once: how long from the start of the last side until the claim has arrived.

At once is one after the other as quickly as processes can be started, and then the receiver is the first.
"""

from typing import NamedTuple

from processes import Process

ORDERS = ["sender first", "receiver first", "both at once"]


class Result(NamedTuple):
    claim: float
    """Seconds from the start of the last side to the arrival."""
    exit: float
    """Seconds from the start of the receiver to its end."""
    gap: float
    """Seconds between the starts of the two."""
    daemons: float
    """Seconds of CPU of all daemons on both hosts. They are counted in hundredths: only many runs together tell."""


class Peaks(NamedTuple):
    """The most resident memory of a side, in KiB."""

    sender: int
    receiver: int


def both(transfer, order, number):
    """Runs one to its end: the sender, the receiver, and when the claim arrived."""
    if order == "sender first":
        sender = transfer.sender(number)
        transfer.sender_is_up(sender)
        last = receiver = transfer.receiver(number, sender)
    else:
        receiver = transfer.receiver(number)
        if order == "receiver first":
            transfer.receiver_is_up(receiver)
        last = sender = transfer.sender(number)
    arrival = transfer.arrival(sender, receiver)
    receiver.finish()
    sender.finish()
    return sender, receiver, arrival - last.started


def trial(transfer, order, number):
    before = transfer.pair.daemons_cpu()
    sender, receiver, claim = both(transfer, order, number)
    return Result(
        claim, receiver.ended - receiver.started, abs(receiver.started - sender.started),
        transfer.pair.daemons_cpu() - before)


def memory(transfers, runs):
    """The peaks of runs of their own: to measure them takes a process more, which is not to be timed."""
    Process.weighs = True
    try:
        # Numbers that no trial had.
        peaks = {transfer.name: [] for transfer in transfers}
        for number in range(100_000, 100_000 + runs):
            for transfer in transfers:
                sender, receiver, _ = both(transfer, "sender first", number)
                peaks[transfer.name].append(Peaks(sender.peak, receiver.peak))
        return peaks
    finally:
        Process.weighs = False


def trials(transfers, runs, say):
    """Runs all in turn, so that what slows the machine for a while slows them all. The first turn warms the caches."""
    results = {(transfer.name, order): [] for transfer in transfers for order in ORDERS}
    number = 0
    for turn in range(runs + 1):
        for transfer in transfers:
            for order in ORDERS:
                number += 1
                result = trial(transfer, order, number)
                if turn:
                    results[transfer.name, order].append(result)
        say(f"turn {turn} of {runs}")
    return results
