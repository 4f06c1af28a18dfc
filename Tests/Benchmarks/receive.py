#!/usr/bin/env python3
"""How long `bump receive` takes with a sender already waiting, beside a plain pair of tools.

The plain pair is what one would write in a minute: avahi-publish and a TCP server on one host; on the other a script
that reads `avahi-browse -rp` to its first resolved line, connects, reads, and exits. Nothing is encrypted, signed or
stored there. Both are timed from exec to exit, in turn, on the same two hosts: network namespaces with a cable between
them and an Avahi daemon each.

    Tests/Benchmarks/receive.py BUMP [RUNS]       as root; needs what Tests/run.sh installs
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

PAYLOAD = b"x" * 130  # as long as a claim payload

HOST = """
mount -t tmpfs tmpfs /run
mkdir /run/dbus /run/avahi-daemon
ip link set lo up
read -r pid rest </proc/self/stat
echo "$pid"
exec cat >/dev/null
"""

DAEMONS = """
printf '%s\\n' '[server]' "host-name=$1" '[wide-area]' enable-wide-area=no '[publish]' publish-workstation=no >/run/conf
dbus-daemon --system --fork --nopidfile
avahi-daemon --file /run/conf --no-drop-root --no-chroot --no-rlimits --daemonize
"""

PLAIN = """
import socket, subprocess
browse = subprocess.Popen(["avahi-browse", "-rp", "_plain._tcp"], stdout=subprocess.PIPE, text=True)
fields = next(line for line in browse.stdout if line.startswith("=")).split(";")
host = fields[7] + ("%" + fields[1] if fields[7].startswith("fe80") else "")
with socket.create_connection((host, int(fields[8]))) as connection:
    while connection.recv(4096):
        pass
browse.kill()
"""

SERVER = f"""
import socket
listener = socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True)
print(listener.getsockname()[1], flush=True)
while True:
    connection, _ = listener.accept()
    connection.sendall({PAYLOAD})
    connection.close()
"""


class Host:
    """A machine of its own, that ends when its input does."""

    def __init__(self, name):
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-ec", HOST],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.name = name
        self.pid = self.process.stdout.readline().strip()

    def command(self, *arguments, own=False):
        return ["nsenter", "--target", self.pid, "--mount", "--net"] + (["--pid"] if own else []) + ["--", *arguments]

    def run(self, *arguments):
        subprocess.run(self.command(*arguments, own=True), check=True, stdout=subprocess.DEVNULL)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def measure(command, environment):
    """Seconds from exec to exit, and the peak of resident memory in KiB."""
    start = time.monotonic()
    silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    pid = os.posix_spawnp(command[0], command, environment, file_actions=silent)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.monotonic() - start
    if status != 0:
        sys.exit(f"{command} ended with {status}")
    return seconds, usage.ru_maxrss


def plain(right, environment):
    return measure(right.command(sys.executable, "-c", PLAIN), environment)


def bump(binary, left, right, environment, stores):
    sender = subprocess.Popen(
        left.command(binary, "send", "--amount", "1.00", "--json", "--quiet"), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, text=True, env=environment | {"BUMP_STORE": f"{stores}/left.sqlite"})
    while json.loads(sender.stdout.readline())["event"] != "advertising":
        pass
    result = measure(
        right.command(binary, "receive", "--yes", "--quiet"), environment | {"BUMP_STORE": f"{stores}/right.sqlite"})
    sender.communicate()
    return result


def row(name, results):
    times = sorted(seconds * 1000 for seconds, _ in results)
    memory = max(kibibytes for _, kibibytes in results) / 1024
    print(f"{name:32} {times[0]:7.0f} {statistics.median(times):7.0f} {times[-1]:7.0f} ms   peak {memory:5.1f} MiB")
    return statistics.median(times)


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
    left, right = Host("left"), Host("right")
    with tempfile.TemporaryDirectory() as stores:
        try:
            left.run("ip", "link", "add", "cable", "type", "veth", "peer", "name", "plug")
            subprocess.run(
                ["nsenter", "--target", left.pid, "--net", "ip", "link", "set", "plug", "netns", right.pid,
                 "name", "cable"], check=True)
            for number, host in enumerate((left, right), 1):
                host.run("ip", "address", "add", f"10.77.0.{number}/24", "dev", "cable")
                host.run("ip", "link", "set", "cable", "up")
                host.run("sh", "-ec", DAEMONS, "sh", host.name)
            server = subprocess.Popen(
                left.command(sys.executable, "-c", SERVER), stdout=subprocess.PIPE, text=True)
            published = subprocess.Popen(
                left.command("avahi-publish", "-s", "plain", "_plain._tcp", server.stdout.readline().strip()),
                stderr=subprocess.PIPE, text=True)
            while "Established" not in published.stderr.readline():
                pass
            ours, theirs = [], []
            for _ in range(runs + 1):
                theirs.append(plain(right, environment))
                ours.append(bump(binary, left, right, environment, stores))
            for process in (published, server):
                process.kill()
                process.wait()
            # The first pair warms the caches.
            print(f"{runs} runs in turn                       min  median     max")
            median = row("bump receive", ours[1:])
            floor = row("avahi-browse, TCP read, Python", theirs[1:])
            print(f"ratio of the medians: {median / floor:.2f}")
        finally:
            left.end()
            right.end()


main()
