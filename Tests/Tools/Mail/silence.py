"""Scenes with a server that hangs, is slow, refuses, or ends a connection."""

from events import check, equal, until
from post_office import PostOffice
from stage import ALICE, scene, usual_answer


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
        equal(len(vault.failures("has not answered a message")), 1)


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
