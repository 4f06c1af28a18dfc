"""with_vault.py BUMP BUMP_VAULT RUNS: how much later a claim arrives where a vault on the sender's machine locks its money.

Both in turn, the receiver first, so that the time counts from the start of `bump send` to the receiver's durable claim.
Exits with 1 where it is more than 40 ms, the median of the differences. The stores lie in TMPDIR, which must be on a
disk; the machine should have nothing else to do.
"""

import json
import pathlib
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile

import processes
from hosts import Pair
from processes import Process
from transfers import Bump
from trials import both

MOST_MS_MORE = 40


class WithVault(Bump):
    """bump, whose sender locks the money before it is found by anybody."""

    def __init__(self, binary, stores, pair, vault):
        super().__init__(binary, stores, pair, "embedded")
        self.vault = vault
        self.name += ", with a vault"

    def sender(self, _):
        return self.start(
            self.pair.left, "send", "--amount", "1.00", "--vault", self.vault,
            environment={"BUMP_WALLET": f"{self.stores}-wallet"})


def prepare(bump, host):
    """A wallet with test money, and the vault confirmed."""

    def run(*arguments):
        environment = processes.ENVIRONMENT | {
            "BUMP_STORE": f"{bump.stores}-{host.name}.sqlite", "BUMP_WALLET": f"{bump.stores}-wallet"}
        return subprocess.run(
            host.command(*arguments), env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=True).stdout

    address = next(word for word in run(bump.binary, "wallet", "new").split() if word.startswith("0x"))
    run(bump.binary, "wallet", "trust", bump.vault, "--yes")
    body = json.dumps({"address": address, "amount": "1000.00", "id": f"0x{secrets.token_hex(32)}"})
    run("curl", "--fail", "--silent", "--json", body, f"{bump.vault}/api/faucet")


def main(binary, server, runs):
    with tempfile.TemporaryDirectory() as stores:
        pair = Pair(0, False)
        try:
            vault = Process(pair.left.command(
                server, "serve", "--faucet", "--listen", "127.0.0.1:8642", "--store", f"{stores}/vault.sqlite",
                "--pending", "1000", "--deposits-per-day", "10000"))
            vault.errors.expect("127.0.0.1:8642")
            bumps = [Bump(binary, stores, pair, "embedded"), WithVault(binary, stores, pair, "http://127.0.0.1:8642")]
            prepare(bumps[1], pair.left)
            times = {bump.name: [] for bump in bumps}
            # The first turn warms the caches.
            for turn in range(runs + 1):
                for bump in bumps:
                    _, _, claim = both(bump, "receiver first", turn)
                    if turn:
                        times[bump.name].append(claim * 1000)
            for name, values in times.items():
                print(f"{name}: {statistics.median(values):.0f} ms ({min(values):.0f} to {max(values):.0f})")
            plain, funded = times.values()
            more = statistics.median(b - a for a, b in zip(plain, funded))
            print(f"more: {more:.0f} ms")
            if more > MOST_MS_MORE:
                sys.exit(f"with_vault.py: more than {MOST_MS_MORE} ms")
        finally:
            processes.kill_all()
            pair.end()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main(str(pathlib.Path(sys.argv[1]).resolve()), str(pathlib.Path(sys.argv[2]).resolve()), int(sys.argv[3]))
