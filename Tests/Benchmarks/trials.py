"""One side first, or both at once: how long from the start of the last side until the claim has arrived."""

from typing import NamedTuple

ORDERS = ["sender first", "receiver first", "both at once"]


class Result(NamedTuple):
    claim: float
    """Seconds from the start of the last side to the arrival."""
    exit: float
    """Seconds from the start of the receiver to its end."""
    sender_peak: int
    receiver_peak: int
    """KiB."""


def trial(transfer, order, number):
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
    return Result(arrival - last.started, receiver.ended - receiver.started, sender.peak, receiver.peak)


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
