"""Scenes of TLS and the password: what goes in the clear, and to whom."""

import os
import subprocess

from events import check, equal, until
from post_office import PostOffice
from stage import ALICE, PASSWORD, scene, usual_answer


def check_covered(connection, *before):
    """Nothing but some commands came in the clear."""
    clear = b"".join(command.encode() + b"\r\n" for command in before)
    equal(connection.clear, clear)


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
    # Where TLS is from the beginning, aiosmtpd may or may not know of a connection on which it is not agreed.
    count = len(office.connections)
    check(len(vault.failures()) == 2 and (count == 2 or office.is_implicit and count < 2), (vault.failures(), count))
    for connection in office.connections:
        check_covered(connection, *before)
        check(not {"MAIL", "RCPT", "DATA"} & set(connection.commands()), connection.commands())
    vault.check_answers()
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
                    check(not any(it.covered for it in office.connections), "something came under TLS")
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
            until(lambda: vault.failures("rejects the user and the password"), "the log says so")
            browser.check_nothing_came()
            check(not {"RCPT", "DATA"} & set(office.connections[0].commands()), office.connections[0].commands())
            equal((len(office.connections), len(vault.failures()), office.letters), (1, 1, []))
        stage.clear()
