"""What one side costs by itself: to start, to wait, and to be bothered by strangers; and a round trip between two hosts."""

import json
import os
import pathlib
import sys
import time
from typing import NamedTuple

from processes import ENVIRONMENT, Process
from trials import both

FLOOD = pathlib.Path(__file__).parent / "flood.py"
HEAVY = pathlib.Path(__file__).parent / "heavy.py"
# Of heavy.py.
RATE = 120
ECHO = """
import socket, sys
server = socket.create_server((sys.argv[1], 4321))
print("listening", flush=True)
connection = server.accept()[0]
while byte := connection.recv(1):
    connection.sendall(byte)
"""
ASK = """
import socket, sys, time
connection = socket.create_connection((sys.argv[1], 4321))
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
for _ in range(int(sys.argv[2])):
    begin = time.monotonic()
    connection.sendall(b"x")
    connection.recv(1)
    print(time.monotonic() - begin)
"""


def start(binary, option, runs):
    """Seconds from exec to exit, one each run."""
    silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    times = []
    for _ in range(runs + 1):
        begin = time.monotonic()
        pid = os.posix_spawn(binary, [binary, option], ENVIRONMENT, file_actions=silent)
        _, status = os.waitpid(pid, 0)
        times.append(time.monotonic() - begin)
        if status:
            raise SystemExit(f"{binary} {option} ended with {status}")
    return times[1:]


def waits(transfers, stores, runs):
    """Seconds of CPU that a side needs for its 10 s alone, by transfer and side; and the daemons of both hosts meanwhile.

    All wait at the same time, on the daemons two: a sender and a receiver.
    """
    results, daemons = {}, []
    pair = next(transfer.pair for transfer in transfers if transfer.backend == "daemon")
    for _ in range(runs):
        processes, before = {}, pair.daemons_cpu()
        for transfer in transfers:
            for side, host in (("send", transfer.pair.left), ("receive", transfer.pair.right)):
                options = ["--amount", "1.00", "--qr", "never"] if side == "send" else []
                # Each looks for what nobody offers.
                options += ["--service-type", f"wait-{side}", "--discovery", transfer.backend]
                processes[transfer.backend, side] = Process(
                    host.command(transfer.binary, side, *options, "--discovery-timeout", "10"),
                    {"BUMP_STORE": f"{stores}/wait-{transfer.backend}-{side}.sqlite"})
        for key, process in processes.items():
            results.setdefault(key, []).append(process.finish(status=3).cpu)
        daemons.append(pair.daemons_cpu() - before)
    return results, daemons


class Flooded(NamedTuple):
    rate: float
    """Welcomes a second."""
    cost: float
    """Seconds of the sender's CPU for one."""
    refused: int
    """Connections that got none: those that were open when the claim went, if all is well."""
    claim: float
    """Seconds from the start of an honest receiver until it has the claim, amid it all."""
    peak: int
    """KiB, of the sender."""


def flood(transfer, stores, seconds=5):
    """Strangers ask a sender who it is for so long; then a receiver comes, and they go on meanwhile."""
    left, right = transfer.pair.left, transfer.pair.right
    Process.weighs = True
    sender = Process(
        left.command(
            transfer.binary, "send", "--amount", "1.00", "--yes", "--json", "--quiet", "--discovery", "none",
            "--discovery-timeout", "60"), {"BUMP_STORE": f"{stores}/flooded.sqlite"})
    Process.weighs = False
    port = json.loads(sender.output.expect('"event":"advertising"')[1])["port"]
    strangers = Process(right.command(sys.executable, FLOOD, left.address, str(port), "20"))
    strangers.output.expect("begun")
    time.sleep(seconds)
    receiver = Process(
        right.command(
            transfer.binary, "receive", "--yes", "--json", "--quiet", "--peer", f"{left.address}:{port}"),
        {"BUMP_STORE": f"{stores}/amid.sqlite"})
    claim = receiver.output.expect('"event":"result"')[0] - receiver.started
    receiver.finish()
    sender.finish()
    strangers.finish()
    done = json.loads(strangers.output.text.splitlines()[-1])
    return Flooded(
        done["welcomes"] / done["seconds"], sender.cpu / done["welcomes"], done["refused"], claim, sender.peak)


def round_trips(pair, runs):
    """Seconds of one byte over TCP to the other host and back, ten each run."""
    echo = Process(pair.right.command(sys.executable, "-c", ECHO, pair.right.address))
    echo.output.expect("listening")
    asking = Process(pair.left.command(sys.executable, "-c", ASK, pair.right.address, str(10 * runs)))
    asking.finish()
    echo.finish()
    return [float(line) for line in asking.output.whole().split()]


def heavy_packets(host, seconds):
    packets = Process(host.command(sys.executable, HEAVY, host.address, str(seconds)))
    packets.output.expect("begun")
    return packets


def heavy(transfer, stores, runs):
    """Bumps alone and amid heavy packets, in turn: seconds until the claim is there; and seconds of CPU for one of the
    packets, of a sender that waits ten seconds for nobody."""
    quiet, amid, costs = [], [], []
    left = transfer.pair.left
    for number in range(400_000, 400_000 + runs):
        quiet.append(both(transfer, "sender first", number)[2])
        packets = heavy_packets(left, 6)
        amid.append(both(transfer, "sender first", number)[2])
        packets.finish()
    for _ in range(min(runs, 5)):
        packets = heavy_packets(left, 15)
        waiting = Process(
            left.command(
                transfer.binary, "send", "--amount", "1.00", "--qr", "never", "--service-type", "wait-heavy",
                "--discovery", "embedded", "--discovery-timeout", "10"), {"BUMP_STORE": f"{stores}/wait-heavy.sqlite"})
        costs.append(waiting.finish(status=3).cpu / (10 * RATE))
        packets.finish()
    return quiet, amid, costs
