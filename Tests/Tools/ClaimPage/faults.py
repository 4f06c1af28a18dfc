"""Faults that are planted in claim.js and in the wallet's files, one at a time: each breaks a protection of the money,
and a test must catch it.

Where the text of a file has moved, a fault here moves with it, so that it still breaks the same protection."""

import time
from dataclasses import dataclass

import sources
from page import TESTS, check, decide, thorough, what_a_vault_says

DECISIONS = "the pages decisions hold for answers of every kind"


@dataclass
class Fault:
    """What goes wrong, the text of a file that is replaced, and the test that catches it."""

    breaks: str
    old: str
    new: str
    test: str = DECISIONS
    file: str = "claim.js"


FAULTS = [
    Fault("An unsigned receipt is believed.", "return !!signer && hex(signer) === vault.receiptKey;", "return 1;"),
    Fault("A receipt of another amount is believed.", "parseAmount(receipt.amount, 6) !== terms.amount || ", ""),
    Fault("Another claim's receipt is believed.", "plain(receipt?.ledgerId, 32) !== ledgerId || ", ""),
    Fault("A time that no date has keeps the receipt from being shown.", " && value <= 8.64e12", ""),
    Fault("A status alone is final.", 'go(known, busy(known), soon("receipt", event))', 'go(known, "taken")'),
    Fault("Terms that are not the link's are believed.", "return idOf(terms) === state.ledgerId && ", "return "),
    Fault("Each payment is a new one.", "!asked.isPaid;", "true;"),
    Fault("A payment to this receiver is a new one.", 'event.body.made === "now" || ', "true || "),
    Fault("After a lost answer an older payment is a new one.", "asked.now <= receipt.time", "true"),
    Fault("After a lost answer a new payment is an old one.", "(state.isLost && asked.now", "(false && asked.now"),
    Fault("A payment to another receiver is one's own.", "receiver === asked?.receiver && isNew", "isNew"),
    Fault("An answer that cannot be believed did nothing.", 'go(open(state), "untrusted"', 'go(state, "untrusted"'),
    Fault("A lost answer did nothing.", "go(open(state), name, later", "go(state, name, later"),
    Fault("A gateway's refusal is the vault's.", "String(event.isProblem && body?.type)", "String(body?.type)"),
    Fault("A refusal ends the doubt of a lost answer.", "!isRefused || state.isLost", "!isRefused"),
    Fault("A doubt forgets the request.", "null, { failures: 0 });", "null, { failures: 0, asked: null });"),
    Fault(
        "The page forgets that it has said paid.",
        "record(state, { ...asked, isPaid: true });",
        "",
        "a link becomes money at a pasted address",
    ),
    Fault(
        "The request is not recorded before it is sent.",
        "record(state, asked);\n      return asked;",
        "return asked;",
        "the request is recorded before it is sent and survives a reload",
    ),
    Fault(
        "The link is recorded with the request.",
        "asked && { terms:",
        "asked && { link: location.href, terms:",
        "the request is recorded before it is sent and survives a reload",
    ),
    Fault(
        "An app is told the link.",
        "{ v: 1, status: name };",
        "{ v: 1, status: name, link: location.href };",
        "an app names the receiver and one tap is enough",
    ),
    Fault(
        "An address without a checksum is paid at once.",
        "if (full(receiver) === value) return receiver;",
        "return receiver;",
        "an address without a checksum is shown with it and asked about",
    ),
    Fault(
        "A double click answers the question.",
        "event.detail > 1 && event.preventDefault()",
        "event.detail",
        "an address without a checksum is shown with it and asked about",
    ),
    Fault(
        "The vault's own address is paid.",
        "if (others.includes(receiver))",
        "if (!receiver && others.includes(receiver))",
        "an address is refused at the place of its mistake",
    ),
    Fault(
        "A gateway's answer has the media type of the vault's.",
        '/^application\\/problem\\+json\\b/.test(answer.headers.get("Content-Type"))',
        "true",
        "a gateways refusal leaves a payment open",
    ),
    Fault(
        "A payment that the chain may still take back is final.",
        'if (after.receipt?.level !== "confirmed") return after;',
        "return after;",
        file="chain.js",
    ),
    Fault(
        "A payment that the chain has moved to an earlier block is an old one.",
        "state.isOurs || (",
        "(",
    ),
    Fault("Each payment after an undone one is a new one.", "state.isOurs || isOurs", "true"),
    Fault("An event cuts a pause short.", "failures && todo.at", "0"),
    Fault("An event has what was asked for asked again.", "&& todo.at <= at)", "&& false)"),
    Fault("Events have the vault asked without end.", "isAtOnce && hastes && pause", "false && pause"),
    Fault("A tap goes round a limit.", "event.at < state.todo?.from ? state : ", ""),
    Fault(
        "A payment that the chain took back is still shown.",
        "{ receipt: null, outcome: null, says:",
        "{ says:",
        file="chain.js",
    ),
    Fault(
        "A payment that the chain took back is forgotten.",
        "isSent: !!state.asked",
        "asked: null",
        file="chain.js",
    ),
    Fault(
        "What was sent to the chain did nothing.",
        "wait({ ...open(state), isSent: true }",
        "wait({ ...state, isSent: true }",
        file="chain.js",
    ),
    Fault(
        "A gateway's answer is a transaction.",
        'state.asked && body?.status === "submitted"',
        "state.asked",
        file="chain.js",
    ),
    Fault(
        "A payment that may yet be made has expired.",
        "if (known.isSent) {",
        "if (receipt) {",
        file="chain.js",
    ),
    Fault(
        "A receipt of a contract is checked as an embedded vault's.",
        "(vault.chain?.receiptSigner ?? receiptSigner)",
        "receiptSigner",
    ),
    Fault(
        "The vault's word names the wallet that is paid.",
        "view.wallet === pinned.address && !isBusy) pay(pinned.address);",
        "!isBusy) pay(view.wallet);",
        "a vault that swaps what it keeps is not believed",
        "sign-in.js",
    ),
    Fault(
        "A wallet that this browser alone can open is paid.",
        "if (needsRecovery) await makeRecovery(wallet);",
        "",
        "without prf a key of the browsers opens and a recovery code is confirmed",
        "opening.js",
    ),
]


def planted(fault):
    """The pages with a fault."""
    files = sources.read()
    script = files[fault.file].decode()
    check(script.count(fault.old) == 1, f"its text is {script.count(fault.old)} times in {fault.file}: {fault.breaks}")
    return sources.Pages(files | {fault.file: script.replace(fault.old, fault.new).encode()})


def finds(stage, fault, said):
    """Whether the fault's test fails, and how."""
    if fault.test == DECISIONS:
        # The sender's page loads the same file, and claims nothing by itself.
        stage.browser.open(stage.world.url + "/sent/0x")
        result = decide(stage, said)
        return result.get("error") or result["value"]["failures"]
    body = next(body for name, _, body in TESTS if name == fault.test)
    try:
        body(stage)
    except AssertionError as error:
        return [str(error)]
    return []


@thorough
def each_planted_fault_is_caught(stage):
    said = what_a_vault_says(stage)
    missed = []
    for fault in FAULTS:
        start = time.monotonic()
        with sources.served(stage.front, planted(fault)):
            found = finds(stage, fault, said)
        if not found:
            missed.append(fault.breaks)
        print(f"  {'caught' if found else 'MISSED'}: {fault.breaks} ({time.monotonic() - start:.1f} s)", flush=True)
    check(not missed, f"no test catches: {missed}")
