"""Hosts of our own: network namespaces with a cable between two of them."""

import os
import pathlib
import subprocess
from typing import NamedTuple

MACHINE = """
mount -t tmpfs -o mode=755 tmpfs /run
mkdir /run/dbus /run/avahi-daemon
ip link set lo up
echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad
read -r pid rest </proc/self/stat
echo "$pid"
exec cat >/dev/null
"""

DAEMONS = """
printf '%s\\n' '[server]' "host-name=$1" '[wide-area]' enable-wide-area=no '[publish]' publish-workstation=no >/run/conf
dbus-daemon --system --fork --nopidfile
avahi-daemon --file /run/conf --no-drop-root --no-chroot --no-rlimits --daemonize
"""


class Daemon(NamedTuple):
    name: str
    pid: int

    @property
    def cpu(self):
        """Seconds of CPU so far, in hundredths (proc_pid_stat(5): utime and stime)."""
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def peak(self):
        """The most resident memory so far, in KiB."""
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0])


class Host:
    """A machine of its own. The kernel ends it, and the daemons on it, when its input ends: so with us, too."""

    def __init__(self, name, address):
        self.name, self.address = name, address
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-ec", MACHINE],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.process.stdout.readline().strip()
        if not self.pid:
            raise SystemExit("no namespaces can be made: that takes root")

    def command(self, *arguments, own=False):
        """A command line that runs the arguments here; as a process of the host's own, it ends with the host."""
        return ["nsenter", "--target", self.pid, "--mount", "--net", *(["--pid"] if own else []), "--", *arguments]

    def run(self, *arguments):
        subprocess.run(self.command(*arguments, own=True), check=True, stdout=subprocess.DEVNULL)

    def start_daemons(self):
        self.run("sh", "-ec", DAEMONS, "sh", self.name)

    def daemons(self):
        """Those that run here: the processes in this network that are called so."""
        here, found = os.readlink(f"/proc/{self.pid}/ns/net"), []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                name = (process / "comm").read_text().strip()
                if name in ("avahi-daemon", "dbus-daemon") and os.readlink(process / "ns/net") == here:
                    found.append(Daemon(name, int(process.name)))
            except (FileNotFoundError, ProcessLookupError):
                continue  # it has ended
        # Avahi's has a helper of the same name, and the larger one does the work.
        return sorted(found, key=lambda daemon: (daemon.name, -daemon.peak))

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def connect(host, name, other):
    """A cable between an interface of that name here and `cable` there."""
    host.run("ip", "link", "add", name, "type", "veth", "peer", "name", "plug")
    subprocess.run(
        ["nsenter", "--target", host.pid, "--net", "ip", "link", "set", "plug", "netns", other.pid, "name", "cable"],
        check=True)


class Pair:
    """Two hosts and a cable between them."""

    def __init__(self, number, daemons):
        self.left = Host("left", f"10.77.{number}.1")
        self.right = Host("right", f"10.77.{number}.2")
        connect(self.left, "cable", self.right)
        for host in (self.left, self.right):
            host.run("ip", "address", "add", f"{host.address}/24", "dev", "cable")
            host.run("ip", "link", "set", "cable", "up")
        if daemons:
            self.left.start_daemons()
            self.right.start_daemons()
        self.daemons = [*self.left.daemons(), *self.right.daemons()]

    def daemons_cpu(self):
        return sum(daemon.cpu for daemon in self.daemons)

    def end(self):
        self.left.end()
        self.right.end()


class Room:
    """Many hosts on one switch."""

    def __init__(self, count, daemons=False):
        self.switch, self.hosts = Host("switch", ""), []
        # Every frame for a group goes to every port, as with most switches.
        self.switch.run("ip", "link", "add", "bridge", "type", "bridge", "mcast_snooping", "0")
        self.switch.run("ip", "link", "set", "bridge", "up")
        for number in range(count):
            host = Host(f"host{number}", f"10.78.{number // 200}.{number % 200 + 1}")
            self.hosts.append(host)
            connect(self.switch, f"port{number}", host)
            host.run("ip", "address", "add", f"{host.address}/16", "dev", "cable")
            host.run("ip", "link", "set", "cable", "up")
            self.switch.run("ip", "link", "set", f"port{number}", "master", "bridge", "up")
        if daemons:
            for host in self.hosts:
                host.start_daemons()

    def end(self):
        for host in (*self.hosts, self.switch):
            host.end()
