"""The scenes, each named by a sentence: what the vault answers, what the server of mail receives, and in which order."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from certificates import authority, server
from events import check, equal, until
from post_office import PostOffice
from vault import Vault

SCENES = []
PASSWORD = "a cuckoo's clock 7!"
ALICE = "alice.liddell@example.org"


def scene(body):
    SCENES.append((body.__name__.replace("_", " "), body))
    return body


class Stage:
    """What a scene needs: a folder, the program, and two authorities, of which the vault trusts one."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.trusted, self.other = authority(folder, "trusted"), authority(folder, "other")

    def clear(self):
        """Removes the store of a vault that has ended, so that the next one is new."""
        shutil.rmtree(self.folder / "store")

    def tls(self, by=None, host="localhost"):
        return server(self.folder, by or self.trusted, host)

    def vault(self, office, scheme="smtp", password=None, parameters=None, prefix=()):
        """A vault that sends its codes to a server. Without parameters it trusts the first authority."""
        user = "" if password is None else "codes@"
        parameters = f"roots={self.trusted}" if parameters is None else parameters
        way = f"{scheme}://{user}localhost:{office.port}?{parameters}"
        return Vault(self.program, self.folder, way, password, prefix)

    def plain(self, office):
        """A vault that sends its codes without TLS, to this machine."""
        return self.vault(office, parameters="tls=none")


def check_covered(connection, *before):
    """Nothing but some commands came in the clear."""
    clear = b"".join(command.encode() + b"\r\n" for command in before)
    equal(connection.clear, clear)


# MARK: TLS and the password


@scene
def a_code_comes_over_STARTTLS_with_a_trusted_certificate_and_signs_in(stage):
    with PostOffice(stage.tls(), password=PASSWORD) as office, stage.vault(office, password=PASSWORD) as vault:
        browser = vault.browser()
        browser.ask_for_code("Alice.Liddell@Example.org")
        code = office.code(ALICE)
        until(lambda: office.connections[0].has_ended, "the connection ends")
        equal([(it.sender, it.recipients, it.to) for it in office.letters], [("codes@vault.example", [ALICE], ALICE)])
        check_covered(office.connections[0], "EHLO vault.example", "STARTTLS")
        commands = office.connections[0].commands()
        equal([it for it in commands if it in ("EHLO", "STARTTLS", "MAIL", "RCPT", "DATA", "QUIT")],
              ["EHLO", "STARTTLS", "EHLO", "MAIL", "RCPT", "DATA", "QUIT"])  # fmt: skip
        check(commands.index("AUTH") < commands.index("MAIL"), commands)
        # It is this browser's code, and good once.
        other = vault.browser()
        other.ask_for_code("bob@example.org")
        office.code("bob@example.org")
        if other.enter(code)[0] == 200:
            equal(code, office.code("bob@example.org"))
        account = browser.sign_in(code)
        equal(browser.enter(code)[0], 409)
        browser.ask_for_code(ALICE)
        until(lambda: len(office.to(ALICE)) == 2, "the next code")
        equal(browser.sign_in(office.code(ALICE)), account)
        equal((len(office.letters), len(office.connections), vault.failures()), (3, 3, []))


@scene
def a_code_comes_over_TLS_from_the_beginning(stage):
    with PostOffice(stage.tls(), is_implicit=True, password=PASSWORD) as office:
        with stage.vault(office, "smtps", password=PASSWORD) as vault:
            browser = vault.browser()
            browser.ask_for_code(ALICE)
            browser.sign_in(office.code(ALICE))
            equal([connection.clear for connection in office.connections], [b""])


def nothing_comes(stage, office, vault, reason, before):
    """Somebody asks for a code, and nothing of it comes: the log says why, and the browser nothing."""
    browser = vault.browser()
    answer = browser.ask_for_code(ALICE)
    until(lambda: vault.failures(reason), f"the log says: {reason}")
    browser.check_nothing_came()
    equal(office.letters, [])
    # Another try would end alike: the next connection is that of the next code.
    vault.browser().ask_for_code(ALICE)
    until(lambda: len(vault.failures(reason)) == 2, "the next code fails too")
    # Where TLS is from the beginning, aiosmtpd knows of no connection before it is agreed on.
    equal((len(vault.failures()), len(office.connections)), (2, 0 if office.is_implicit else 2))
    for connection in office.connections:
        check_covered(connection, *before)
        check(not {"MAIL", "RCPT", "DATA"} & set(connection.commands()), connection.commands())
    vault.check_answers()
    return answer


def usual_answer(stage):
    """What a browser is answered whose code comes."""
    with PostOffice() as office, stage.plain(office) as vault:
        browser = vault.browser()
        answer = browser.ask_for_code(ALICE)
        browser.sign_in(office.code(ALICE))
    stage.clear()
    return answer


@scene
def no_code_goes_to_a_server_whose_certificate_is_not_trusted(stage):
    usual = usual_answer(stage)
    for is_implicit in (False, True):
        for context in (stage.tls(by=stage.other), stage.tls(host="mail.example")):
            with PostOffice(context, is_implicit=is_implicit, password=PASSWORD) as office:
                with stage.vault(office, "smtps" if is_implicit else "smtp", password=PASSWORD) as vault:
                    before = () if is_implicit else ("EHLO vault.example", "STARTTLS")
                    with_another = nothing_comes(stage, office, vault, "certificate", before)
                    equal(with_another, usual)
                    equal({connection.covered for connection in office.connections}, {b""})
            stage.clear()


@scene
def roots_take_the_place_of_the_system_s_certificates(stage):
    if os.geteuid():
        return "not tested without root"
    # A system that trusts the authority, for this vault alone: its files, and its folder of names that are hashes.
    system = stage.folder / "system"
    system.mkdir()
    (system / "ca-certificates.crt").write_bytes(stage.trusted.read_bytes())
    subprocess.run(["openssl", "rehash", system], check=True, capture_output=True)
    within = ("unshare", "--mount", "--propagation", "private", "sh", "-c",
              f"mount --bind '{system}' /etc/ssl/certs && exec \"$@\"", "sh")  # fmt: skip
    with PostOffice(stage.tls()) as office:
        with stage.vault(office, parameters="", prefix=within) as vault:
            browser = vault.browser()
            browser.ask_for_code(ALICE)
            browser.sign_in(office.code(ALICE))
    stage.clear()
    with PostOffice(stage.tls()) as office:
        with stage.vault(office, parameters=f"roots={stage.other}", prefix=within) as vault:
            nothing_comes(stage, office, vault, "certificate", ("EHLO vault.example", "STARTTLS"))


@scene
def nothing_is_sent_in_the_clear_where_STARTTLS_is_stripped(stage):
    with PostOffice(password=PASSWORD) as office, stage.vault(office, password=PASSWORD) as vault:
        # Somebody between the two has taken it away.
        browser = vault.browser()
        browser.ask_for_code(ALICE)
        until(lambda: vault.failures("no TLS connection can be made"), "the log says that there is no TLS")
        browser.check_nothing_came()
        until(lambda: all(it.has_ended for it in office.connections), "the connection ends")
        commands = [connection.commands() for connection in office.connections]
        check(commands in ([["EHLO"]], [["EHLO", "QUIT"]]), commands)
        check(len(vault.failures()) == 1 and not office.letters, vault.failures())


@scene
def an_answer_that_is_put_in_before_TLS_begins_is_not_read_as_the_server_s(stage):
    with PostOffice(stage.tls()) as office:

        async def put_in(connection):
            # In one piece with the answer to STARTTLS.
            connection.transport.write(b"220 go on\r\n250-mail.test\r\n250 HELP\r\n")

        office.before_tls = put_in
        with stage.vault(office) as vault:
            browser = vault.browser()
            browser.ask_for_code(ALICE)
            until(vault.failures, "the log says that a code was not sent")
            browser.check_nothing_came()
            check(b"MAIL" not in office.connections[0].clear + office.connections[0].covered, "a code was sent")
            equal(office.letters, [])


@scene
def a_server_without_TLS_gets_nothing_where_TLS_is_from_the_beginning(stage):
    with PostOffice() as office, stage.vault(office, "smtps") as vault:
        browser = vault.browser()
        browser.ask_for_code(ALICE)
        until(vault.failures, "the log says that a code was not sent")
        browser.check_nothing_came()
        check(ALICE.encode() not in office.connections[0].clear and not office.letters, office.connections[0].clear)


@scene
def with_a_wrong_password_or_none_no_code_is_sent_and_the_log_says_so(stage):
    usual = usual_answer(stage)
    for password in ("not the password", None):
        with PostOffice(stage.tls(), password=PASSWORD) as office, stage.vault(office, password=password) as vault:
            browser = vault.browser()
            equal(browser.ask_for_code(ALICE), usual)
            until(lambda: vault.failures("does not take the user and the password"), "the log says so")
            browser.check_nothing_came()
            check(not {"RCPT", "DATA"} & set(office.connections[0].commands()), office.connections[0].commands())
            equal((len(office.connections), len(vault.failures()), office.letters), (1, 1, []))
        stage.clear()


# MARK: A server that hangs, is slow, refuses or ends


@scene
def the_vault_answers_while_the_server_hangs_before_its_greeting_and_each_code_comes_once(stage):
    usual = usual_answer(stage)
    with PostOffice() as office, stage.plain(office) as vault:
        office.greeting = gate = office.gate()
        people = {f"person{number}@example.org": vault.browser() for number in range(6)}
        for address, browser in people.items():
            equal(browser.ask_for_code(address), usual)
        until(lambda: gate.waiting >= 4, "four codes are on their way")
        vault.check_answers()
        equal(vault.browser().ask("GET", "/api/session")[0], 401)
        equal(office.letters, [])
        gate.open()
        for address, browser in people.items():
            browser.sign_in(office.code(address))
        equal(sorted(letter.to for letter in office.letters), sorted(people))


@scene
def a_server_that_never_greets_is_given_up_and_the_code_comes_with_the_next_try(stage):
    with PostOffice() as office, stage.plain(office) as vault:
        office.greeting = office.gate()
        browser = vault.browser()
        browser.ask_for_code(ALICE)
        until(lambda: office.connections, "the vault connects")
        vault.check_answers()
        until(lambda: office.connections[0].has_ended, "the vault gives up")
        office.greeting = office.message
        browser.sign_in(office.code(ALICE))
        equal((len(office.letters), len(vault.failures("cannot be reached"))), (1, 1))


@scene
def a_message_whose_answer_never_comes_is_sent_again_as_the_same_message(stage):
    with PostOffice() as office, stage.plain(office) as vault:
        usual, office.message = office.message, office.gate()
        browser = vault.browser()
        browser.ask_for_code(ALICE)
        until(lambda: office.letters, "the message comes")
        vault.check_answers()
        until(lambda: office.connections[0].has_ended, "the vault gives up")
        office.message = usual
        until(lambda: len(office.letters) == 2, "the message comes again")
        first, second = office.letters
        # By its id a mailbox knows it again.
        equal((second.id, second.code, second.to), (first.id, first.code, ALICE))
        browser.sign_in(second.code)
        equal(len(vault.failures("has not answered to a message")), 1)


@scene
def a_server_that_answers_one_line_after_the_other_holds_up_nobody(stage):
    with PostOffice() as office, stage.plain(office) as vault:
        gates = []

        async def pace(connection, line):
            gates.append(office.gate())
            await gates[-1]()

        office.pace = pace
        browser = vault.browser()
        browser.ask_for_code(ALICE)
        opened, answers = 0, 0
        while not office.letters or opened < len(gates):
            until(lambda: len(gates) > opened or office.letters, "the next line is to be sent")
            # The vault answers while the line is held back.
            equal(vault.ask("GET", "/api/vault")[0], 200)
            answers += 1
            for gate in gates[opened:]:
                gate.open()
                opened += 1
        check(answers >= 6, f"{answers} lines of the server were waited for")
        office.pace = office.message
        browser.sign_in(office.code(ALICE))
        equal((len(office.letters), vault.failures()), (1, []))


@scene
def a_recipient_that_is_refused_is_logged_without_its_address_and_not_tried_again(stage):
    usual = usual_answer(stage)
    with PostOffice() as office, stage.plain(office) as vault:

        async def refuse(connection, address):
            return f"550 5.1.1 {address} is unknown here" if address == ALICE else None

        office.recipient = refuse
        browser = vault.browser()
        equal(browser.ask_for_code(ALICE), usual)
        until(lambda: vault.failures("status 550"), "the log says so")
        browser.check_nothing_came()
        # Another person's code comes by the same server.
        other = vault.browser()
        equal(other.ask_for_code("bob@example.org"), usual)
        other.sign_in(office.code("bob@example.org"))
        equal((office.refused, len(vault.failures()), len(office.letters)), ([ALICE], 1, 1))


@scene
def recipients_that_are_put_off_hold_up_nobody_else_s_code(stage):
    with PostOffice() as office, stage.plain(office) as vault:
        late = [f"late{number}@example.org" for number in range(8)]

        async def put_off(connection, address):
            return None if address == ALICE or office.to(ALICE) else f"451 4.7.1 {address}: later"

        office.recipient = put_off
        people = {address: vault.browser() for address in late}
        for address, browser in people.items():
            browser.ask_for_code(address)
        until(lambda: set(office.refused) >= set(late[:4]), "as many as are sent at once are put off")
        alice = vault.browser()
        alice.ask_for_code(ALICE)
        alice.sign_in(office.code(ALICE))
        # Those that were put off come later, each once. None was given up before Alice's came.
        for address, browser in people.items():
            browser.sign_in(office.code(address))
        equal(sorted(letter.to for letter in office.letters), sorted([ALICE, *late]))


@scene
def a_connection_that_ends_amid_a_message_leads_to_one_whole_message(stage):
    with PostOffice() as office, stage.plain(office) as vault:
        office.breaks_off = 1
        browser = vault.browser()
        browser.ask_for_code(ALICE)
        until(vault.failures, "the log says that a code was not sent")
        browser.sign_in(office.code(ALICE))
        equal((len(office.letters), len(office.connections), len(vault.failures())), (1, 2, 1))


# MARK: Addresses


@scene
def no_address_ends_a_line_or_names_another_recipient(stage):
    wrong = [
        "alice@example.org\r\nRCPT TO:<eve@example.org>", "alice@example.org\r\nBcc: eve@example.org",
        "alice@example.org\n.\nMAIL", "alice\r\n@example.org", "alice@example.org\r", "alice@example.org\u0000",
        "alice@example.org\u2028", "alice@example.org\u0085", "alice@example.org>", "<alice@example.org>",
        "alice@example.org,eve@example.org", "alice@example.org eve@example.org", "alice@example.org SIZE=9",
        '"alice"@example.org', "alice@[127.0.0.1]", "alice@127.0.0.1", "ålice@example.org", "\u212aelly@example.org",
        "alice@\uff45xample.org", "alice@example\u3002org", "alice@e\u0301xample.org", "alice@\u212aelly.org",
        "a" * 65 + "@example.org", "alice@" + "a" * 260 + ".org", "alice@", "@example.org", "alice@localhost", "", " ",
    ]  # fmt: skip
    right = {
        "Bob@Exämple.org": "bob@xn--exmple-cua.org",
        "  bob@bücher.example ": "bob@xn--bcher-kva.example",
        "a'b.c+d=e%f|g{h}~i@example.org": "a'b.c+d=e%f|g{h}~i@example.org",
        "!#$&*/?^_`-@example.org": "!#$&*/?^_`-@example.org",
    }
    with PostOffice() as office, stage.plain(office) as vault:
        for text in wrong:
            status, _, body = vault.browser().ask("POST", "/api/sign-in", {"email": text})
            equal((text, status, body["type"], body.get("field")), (text, 400, "/problems/bad-field", "email"))
            check(len(text) < 3 or text not in json.dumps(body), body)
        for typed, normal in right.items():
            browser = vault.browser()
            browser.ask_for_code(typed)
            browser.typed = {normal}
            browser.sign_in(office.code(normal))
        equal([letter.to for letter in office.letters], list(right.values()))
        recipients = [re.findall(rb"RCPT TO:(.*?)\r\n", connection.clear) for connection in office.connections]
        equal(recipients, [[f"<{address}>".encode()] for address in right.values()])
        equal(vault.failures(), [])


@scene
def an_address_gets_five_codes_an_hour_and_no_answer_says_that_there_is_none_left(stage):
    with PostOffice() as office, stage.plain(office) as vault:
        answers = []
        for _ in range(5):
            browser = vault.browser()
            answers.append(browser.ask_for_code(ALICE))
        until(lambda: len(office.letters) == 5, "five codes come")
        last = vault.browser()
        answers.append(last.ask_for_code(ALICE))
        last.check_nothing_came()
        # What came of the sixth would have come before this.
        vault.browser().ask_for_code("bob@example.org")
        office.code("bob@example.org")
        equal((len(office.to(ALICE)), answers), (5, answers[:1] * 6))


# MARK: The end of the vault


@scene
def a_vault_that_is_stopped_sends_the_message_that_is_on_its_way(stage):
    with PostOffice() as office, stage.plain(office) as vault:
        office.message = gate = office.gate()
        browser = vault.browser()
        browser.ask_for_code(ALICE)
        until(lambda: gate.waiting, "the message is on its way")
        vault.stop()
        # It listens no more, and waits for the server of mail.
        until(lambda: is_closed(vault), "the vault takes no more requests")
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
