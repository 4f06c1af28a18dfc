"""Scenes of addresses: what they may be, and how many codes one gets."""

import json
import re

from events import check, equal, until
from post_office import PostOffice
from stage import ALICE, scene


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
            # The remedy has an example, and nothing that was typed.
            said = json.dumps(body, ensure_ascii=False).replace("alice@example.org", "")
            check(len(text) < 3 or text not in said, body)
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
