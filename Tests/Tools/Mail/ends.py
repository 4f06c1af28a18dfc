"""Scenes of the vault's end, while a message is on its way."""

import re
import time
from pathlib import Path

from events import check, equal, until
from post_office import PostOffice
from stage import ALICE, scene


@scene
def a_vault_that_is_stopped_sends_the_message_that_is_on_its_way(stage):
    with PostOffice() as office, stage.plain(office) as vault:
        office.message = gate = office.gate()
        browser = vault.browser()
        browser.ask_for_code(ALICE)
        until(lambda: gate.waiting, "the message is on its way")
        vault.stop()
        # It listens no more, and waits for the server of mail.
        while not is_closed(vault):
            time.sleep(0.02)
        equal(vault.process.poll(), None)
        gate.open()
        equal(vault.ended(60), 0)
        equal((len(office.letters), vault.failures()), (1, []))
        check('"ended"' in vault.lines[-1], vault.lines[-1])
        vault.start()
        browser.sign_in(office.code(ALICE))
        equal(len(office.letters), 1)


@scene
def a_vault_that_is_stopped_ends_although_the_server_hangs(stage):
    unit = Path(__file__).resolve().parents[3] / "Examples/bump-vault.service"
    limit = int(re.search(r"^TimeoutStopSec=(\d+)$", unit.read_text(), re.MULTILINE)[1])
    with PostOffice() as office, stage.plain(office) as vault:
        office.message = gate = office.gate()
        # More than are sent at once: none of the others is begun any more.
        for number in range(6):
            vault.browser().ask_for_code(f"person{number}@example.org")
        until(lambda: gate.waiting == 4, "four messages are on their way")
        vault.stop()
        # systemd would kill it then.
        equal(vault.ended(limit), 0)
        check('"ended"' in vault.lines[-1], vault.lines[-1])
        equal((len(office.letters), len(office.connections)), (4, 4))


@scene
def a_code_that_came_is_good_although_the_vault_was_killed_meanwhile(stage):
    with PostOffice() as office, stage.plain(office) as vault:
        office.message = gate = office.gate()
        browser = vault.browser()
        browser.ask_for_code(ALICE)
        until(lambda: gate.waiting, "the message is on its way")
        vault.kill()
        gate.open()
        vault.start()
        browser.sign_in(office.code(ALICE))
        equal(len(office.letters), 1)


def is_closed(vault):
    try:
        vault.ask("GET", "/healthz")
        return False
    except OSError:
        return True
