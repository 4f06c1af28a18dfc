"""What waits for what in one bump, sender first, on the daemon, mode open: when what happens, from exec of the receiver.

bump says by its events what it does; what goes over D-Bus is seen by dbus-monitor, what goes over the cable by tcpdump.
Neither stops what it watches. fsync is counted, in a run of its own, by strace, which does.
"""

import re
import subprocess
import time

from processes import Process

EVENTS = [
    ("receiver", "browsing", "the receiver says that it looks"),
    ("receiver", "found", "the receiver has the sender's name"),
    ("sender", "connected", "the sender has the channel"),
    ("receiver", "connected", "the receiver has the channel"),
    ("receiver", "offer", "the receiver has the offer"),
    ("sender", "accepted", "the sender has the answer, and writes down that the claim is released"),
    ("receiver", "stored", "the receiver has stored the claim"),
    ("sender", "stored", "the sender knows it"),
]
# A name of Avahi's on D-Bus, and what it is; of each, the first after the receiver began.
CALLS = [
    ("ServiceBrowserPrepare|ServiceBrowserNew", "the question for senders goes to avahi-daemon"),
    ("ItemNew", "avahi-daemon has told of the first"),
    ("ServiceResolverPrepare|ServiceResolverNew", "the question for the sender's address goes to avahi-daemon"),
    ("Found", "avahi-daemon has told the address"),
]


def wall_clock():
    """The time of day minus the time that all else here is measured by."""
    return time.time() - time.monotonic()


def watch_bus(host):
    watching = Process(host.command("dbus-monitor", "--system", "--profile"))
    # It says this of itself, once it is there.
    watching.output.expect("NameAcquired")
    return watching


def watch_cable(host):
    watching = Process(host.command("tcpdump", "-i", "cable", "-n", "-tt", "-l", "--immediate-mode", "tcp"))
    watching.errors.expect("listening on")
    return watching


def first(moments, after):
    return min((moment for moment in moments if moment >= after), default=None)


def run(bump, number):
    """The moments of one bump by what happens, in seconds from the receiver's exec."""
    sender = bump.sender(number)
    bump.sender_is_up(sender)
    bus, cable = watch_bus(bump.pair.right), watch_cable(bump.pair.right)
    offset = wall_clock()
    receiver = bump.receiver(number, sender)
    bump.arrival(sender, receiver)
    receiver.finish()
    sender.finish()
    begin, moments = receiver.started, {}
    for name, what in CALLS:
        # type, time of day, serial, …, member
        seen = re.findall(rf"^\w+\t([\d.]+)\t.*\t(?:{name})$", bus.output.text, re.M)
        moments[what] = first((float(moment) - offset for moment in seen), begin)
    seen = re.findall(r"^([\d.]+) .*Flags \[S\],", cable.output.text, re.M)
    moments["the receiver connects"] = first((float(moment) - offset for moment in seen), begin)
    for side, event, what in EVENTS:
        process = sender if side == "sender" else receiver
        moments[what] = process.output.expect(f'"event":"{event}"')[0]
    moments["the receiver's process has ended"] = receiver.ended
    for watching in (bus, cable):
        watching.kill()
    return {what: moment - begin for what, moment in moments.items() if moment is not None}


def fsyncs(bump, number):
    """How often each side calls fsync or fdatasync in one bump."""
    tracing = ["strace", "--follow-forks", "--quiet=all", "--trace=fsync,fdatasync", "--output=/dev/stderr"]
    options = ["--yes", "--quiet", "--json", "--discovery", bump.backend]
    sides = {}
    for side, host, own in (("send", bump.pair.left, ["--amount", "1.00"]), ("receive", bump.pair.right, [])):
        sides[side] = Process(
            host.command(*tracing, bump.binary, side, *own, *options),
            {"BUMP_STORE": f"{bump.stores}-{host.name}.sqlite"})
        if side == "send":
            bump.sender_is_up(sides[side])
    for process in sides.values():
        process.finish()
    return {side: len(re.findall(r"\bf(?:data)?sync\(", process.errors.text)) for side, process in sides.items()}


def measure(bump, runs):
    """What happens, in order, each with its moments; and the number of fsyncs by side."""
    for tool in ("strace", "tcpdump", "dbus-monitor"):
        subprocess.run(["which", tool], check=True, stdout=subprocess.DEVNULL)
    happened = {}
    for number in range(200_000, 200_001 + runs):
        # The first warms the caches.
        for what, moment in run(bump, number).items():
            if number > 200_000:
                happened.setdefault(what, []).append(moment)
    middle = {what: sorted(times)[len(times) // 2] for what, times in happened.items()}
    return [(what, happened[what]) for what in sorted(happened, key=middle.get)], fsyncs(bump, 300_000)
