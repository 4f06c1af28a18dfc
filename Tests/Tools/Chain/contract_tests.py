"""Tests of ClaimVault on pyrevm: what it takes, what it refuses, and that its money adds up. They take some seconds."""

import json
import pathlib
import random

import abi
import artifacts
import eth_abi
import eth_bloom
import reference
import rlp
from abi import address_of, keccak256
from world import CHAIN, DEPLOYER, RELAYER, START, Reverted, World, code, text

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "Support/Vectors"

NONE, PENDING, CLAIMED, REFUNDED = range(4)
SENDER = 1
ALICE = address_of(SENDER)
BOB = address_of(101)
MALLORY = address_of(102)
ZERO = bytes(20)


def equal(given, expected, what=""):
    assert given == expected, f"{what}: {given!r}, not {expected!r}"


def refused(expected, call, *arguments):
    """Expects a revert with that reason; None means one without a reason, of whatever kind."""
    try:
        call(*arguments)
    except Reverted as error:
        assert expected is None or str(error) == expected, f"refused with {str(error)!r}, not {expected!r}"
    else:
        raise AssertionError(f"not refused, though {expected!r} was expected")


def same_money(world):
    equal(world.balance(world.vault), world.locked(), "the vault's balance and what is locked")


# The life of a claim


def test_a_carried_deposit_locks_the_amount_and_its_claim_is_paid(seed):
    world = World()
    terms = world.funded(SENDER)
    equal(world.claim(terms)["sender"], text(ALICE))
    equal((world.status(terms), world.balance(ALICE), world.locked()), (PENDING, 0, 1_000_000))
    same_money(world)
    world.carry_claim(terms, BOB)
    equal((world.status(terms), world.balance(BOB), world.locked()), (CLAIMED, 1_000_000, 0))
    same_money(world)


def test_a_deposit_with_an_approval_locks_the_amount(seed):
    world = World()
    world.mint(ALICE, 5)
    terms = world.terms(5)
    refused("ERC20: transfer amount exceeds allowance", world.send, ALICE, world.vault, terms.deposit())
    world.approve(ALICE, 5)
    world.send(ALICE, world.vault, terms.deposit())
    equal((world.claim(terms)["sender"], world.locked()), (text(ALICE), 5))
    same_money(world)


def test_an_expired_claim_goes_back_to_its_sender_whoever_calls(seed):
    world = World()
    terms = world.funded(SENDER)
    refused("not expired", world.send, MALLORY, world.vault, terms.refund())
    world.set_time(terms.expiry - 1)
    refused("not expired", world.send, ALICE, world.vault, terms.refund())
    world.set_time(terms.expiry)
    world.send(MALLORY, world.vault, terms.refund())
    equal((world.status(terms), world.balance(ALICE), world.balance(MALLORY)), (REFUNDED, 1_000_000, 0))
    same_money(world)


def test_a_claim_is_paid_until_the_last_second(seed):
    world = World()
    first, second = world.funded(SENDER), world.funded(SENDER)
    world.set_time(first.expiry - 1)
    world.carry_claim(first, BOB)
    world.set_time(first.expiry)
    refused("expired", world.carry_claim, second, BOB)
    equal(world.status(second), PENDING)


def test_a_sender_takes_a_pending_claim_back_by_its_key(seed):
    world = World()
    terms = world.funded(SENDER)
    world.carry_claim(terms, ALICE)
    equal((world.status(terms), world.balance(ALICE)), (CLAIMED, 1_000_000))


def test_the_events_are_those_of_the_interface(seed):
    world = World()
    terms = world.funded(SENDER)
    created = [log for log in world.logs if log[0] == text(world.vault)]
    topic = "0x" + keccak256(b"ClaimCreated(bytes32,address,address,uint256,uint40)").hex()
    equal(created[0][1], [topic, "0x" + terms.id.hex(), "0x" + ALICE.rjust(32, b"\0").hex()])
    data = eth_abi.encode(["address", "uint256", "uint40"], [terms.token, terms.amount, terms.expiry])
    equal((bytes(created[0][2]), len(created)), (data, 1))
    world.carry_claim(terms, BOB)
    topic = "0x" + keccak256(b"Claimed(bytes32,address)").hex()
    equal(world.logs[0][1], [topic, "0x" + terms.id.hex(), "0x" + BOB.rjust(32, b"\0").hex()])
    terms = world.funded(SENDER)
    world.set_time(terms.expiry)
    world.send(RELAYER, world.vault, terms.refund())
    equal(world.logs[0][1], ["0x" + keccak256(b"Refunded(bytes32)").hex(), "0x" + terms.id.hex()])


# Deposits that are refused


def deposit_refused(world, expected, terms, **changes):
    """Tries both kinds of deposit, with terms that differ from those of the id."""
    world.approve(ALICE, 2**200)
    refused(expected, world.send, ALICE, world.vault, terms.deposit(**changes))
    signature = world.authorization(SENDER, terms)
    carried = terms.carried_deposit(ALICE, world.time + 600, signature, **changes)
    refused(expected, world.send, RELAYER, world.vault, carried)
    equal((world.status(terms), world.locked()), (NONE, 0))


def test_an_id_that_is_not_the_hash_of_the_terms_is_refused(seed):
    world = World()
    world.mint(ALICE, 10**7)
    terms = world.terms()
    deposit_refused(world, "wrong id", terms, id=bytes(32))
    deposit_refused(world, "wrong id", terms, amount=terms.amount - 1)
    deposit_refused(world, "wrong id", terms, expiry=terms.expiry + 60)
    deposit_refused(world, "wrong id", terms, secret_hash=keccak256(b"another"))
    deposit_refused(world, "wrong id", terms, token=MALLORY)


def test_an_amount_of_zero_or_of_2_to_the_96th_is_refused(seed):
    world = World()
    world.mint(ALICE, 2**100)
    deposit_refused(world, "wrong amount", world.terms(0))
    deposit_refused(world, "wrong amount", world.terms(2**96))
    deposit_refused(world, "wrong amount", world.terms(2**96 + 5))
    terms = world.terms(2**96 - 1)
    world.carry_deposit(SENDER, terms)
    equal(world.claim(terms)["amount"], 2**96 - 1)
    world.carry_claim(terms, BOB)
    equal(world.balance(BOB), 2**96 - 1)


def test_an_expiry_that_has_come_or_is_too_large_is_refused(seed):
    world = World()
    world.mint(ALICE, 10**7)
    deposit_refused(world, "expired", world.terms(expiry=world.time))
    deposit_refused(world, "expired", world.terms(expiry=world.time - 60))
    terms = world.terms(expiry=2**40 - 1)
    world.carry_deposit(SENDER, terms)
    equal(world.claim(terms)["expiry"], 2**40 - 1)
    # An expiry of more than 40 bits is no argument of the function.
    terms = world.terms()
    data = bytearray(terms.deposit())
    data[4 + 4 * 32 + 26] = 1
    refused(None, world.send, ALICE, world.vault, bytes(data))


def test_an_id_is_used_once(seed):
    world = World()
    terms = world.funded(SENDER)
    world.mint(ALICE, 10**7)
    world.mint(MALLORY, 10**7)
    for account in (ALICE, MALLORY):
        world.approve(account, 10**7)
        refused("id used", world.send, account, world.vault, terms.deposit())
    refused("id used", world.carry_deposit, SENDER, terms)
    world.carry_claim(terms, BOB)
    refused("id used", world.send, ALICE, world.vault, terms.deposit())
    terms = world.funded(SENDER)
    world.set_time(terms.expiry)
    world.send(RELAYER, world.vault, terms.refund())
    # Expired as well: whichever is said, nothing is locked.
    refused("id used", world.send, ALICE, world.vault, terms.deposit())
    same_money(world)


def test_of_two_relayers_with_one_deposit_one_reverts(seed):
    world = World()
    world.mint(ALICE, 10**7)
    terms = world.terms()
    world.carry_deposit(SENDER, terms, carrier=RELAYER)
    refused("id used", world.carry_deposit, SENDER, terms, MALLORY)
    equal((world.locked(), world.balance(ALICE)), (terms.amount, 10**7 - terms.amount))


def test_an_authorization_is_good_for_these_terms_alone(seed):
    world = World()
    world.mint(ALICE, 10**7)
    invalid = "FiatTokenV2: invalid signature"
    terms = world.terms()
    signature = world.authorization(SENDER, terms)

    def carry(sender=ALICE, valid_before=world.time + 600, signature=signature, terms=terms):
        world.send(RELAYER, world.vault, terms.carried_deposit(sender, valid_before, signature))

    for other in (world.terms(), world.terms(terms.amount + 1), abi.Terms(terms.key, world.token, 5, terms.expiry)):
        refused(invalid, carry, ALICE, world.time + 600, signature, other)
    refused(invalid, carry, MALLORY)
    refused(invalid, carry, ALICE, world.time + 601)
    # Those of another chain, of another vault and of another key.
    refused(invalid, carry, ALICE, world.time + 600, world.authorization(SENDER, terms, chain_id=8453))
    refused(invalid, carry, ALICE, world.time + 600, world.authorization(SENDER, terms, vault=MALLORY))
    refused(invalid, carry, ALICE, world.time + 600, world.authorization(2, terms, sender=ALICE))
    high = "ECRecover: invalid signature 's' value"
    refused(high, carry, ALICE, world.time + 600, abi.other_form(signature))
    version = "ECRecover: invalid signature 'v' value"
    refused(version, carry, ALICE, world.time + 600, signature[:64] + b"\0")
    length = "ECRecover: invalid signature length"
    refused(length, carry, ALICE, world.time + 600, signature[:64])
    refused(length, carry, ALICE, world.time + 600, signature + b"\0")
    refused(length, carry, ALICE, world.time + 600, b"")
    # What a contract may have as its signature at most is 2,048 bytes.
    refused(None, carry, ALICE, world.time + 600, bytes(2049))
    equal(world.locked(), 0)
    carry()
    equal(world.locked(), terms.amount)


def test_an_authorization_ends_and_can_be_cancelled(seed):
    world = World()
    world.mint(ALICE, 10**7)
    terms = world.terms()
    signature = world.authorization(SENDER, terms, START + 600)
    call = terms.carried_deposit(ALICE, START + 600, signature)
    world.set_time(START + 600)
    refused("FiatTokenV2: authorization is expired", world.send, RELAYER, world.vault, call)
    world.set_time(START + 599)
    digest = abi.token_digest(CHAIN, world.token, abi.CANCEL, ALICE, terms.id)
    cancel = abi.call("cancelAuthorization(address,bytes32,bytes)", ALICE, terms.id, reference.sign(SENDER, digest))
    world.send(RELAYER, world.token, cancel)
    equal(world.number_of(world.token, "authorizationState(address,bytes32)", ALICE, terms.id), 1)
    refused("FiatTokenV2: authorization is used or canceled", world.send, RELAYER, world.vault, call)
    equal((world.status(terms), world.locked()), (NONE, 0))


def test_an_authorization_is_taken_by_the_vault_alone(seed):
    world = World()
    world.mint(ALICE, 10**7)
    terms = world.terms()
    call = abi.call(
        "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
        *(ALICE, world.vault, terms.amount, 0, world.time + 600, terms.id, world.authorization(SENDER, terms)),
    )
    refused("FiatTokenV2: caller must be the payee", world.send, MALLORY, world.token, call)


def test_a_sender_without_the_money_locks_nothing(seed):
    world = World()
    terms = world.terms()
    refused("ERC20: transfer amount exceeds balance", world.carry_deposit, SENDER, terms)
    equal((world.status(terms), world.locked()), (NONE, 0))
    equal(world.number_of(world.token, "authorizationState(address,bytes32)", ALICE, terms.id), 0)


# Claims that are refused


def test_a_claim_that_was_never_deposited_is_neither_paid_nor_refunded(seed):
    world = World()
    world.funded(SENDER)
    terms = world.terms()
    refused("not pending", world.carry_claim, terms, BOB)
    refused("not pending", world.send, RELAYER, world.vault, terms.refund())


def test_a_claim_is_paid_or_refunded_once(seed):
    world = World()
    world.funded(SENDER)
    paid, returned = world.funded(SENDER), world.funded(SENDER)
    world.carry_claim(paid, BOB)
    refused("not pending", world.carry_claim, paid, BOB)
    refused("not pending", world.carry_claim, paid, MALLORY)
    world.set_time(paid.expiry)
    refused("not pending", world.send, ALICE, world.vault, paid.refund())
    world.send(RELAYER, world.vault, returned.refund())
    refused("not pending", world.send, RELAYER, world.vault, returned.refund())
    refused("not pending", world.carry_claim, returned, BOB)
    equal((world.locked(), world.balance(BOB)), (1_000_000, 1_000_000))
    same_money(world)


def test_a_proof_is_good_for_its_claim_its_receiver_its_chain_and_its_contract(seed):
    world = World()
    terms, other = world.funded(SENDER), world.funded(SENDER)

    def claim(proof, receiver=BOB):
        world.send(MALLORY, world.vault, terms.claim(proof, receiver))

    proof = world.proof(terms, BOB)
    refused("wrong proof", claim, proof, MALLORY)
    refused("wrong proof", claim, world.proof(other, BOB))
    refused("wrong proof", claim, world.proof(terms, BOB, other.key))
    refused("wrong proof", claim, terms.proof(8453, world.vault, BOB))
    refused("wrong proof", claim, terms.proof(CHAIN, MALLORY, BOB))
    refused("wrong proof", claim, abi.other_form(proof))
    for version in (0, 1, 26, 29, 255):
        refused("wrong proof", claim, proof[:64] + bytes([version]))
    refused("wrong proof", claim, proof[:64] + bytes([55 - proof[64]]))
    for length in (0, 1, 32, 64):
        refused("wrong proof", claim, proof[:length])
    refused(None, claim, proof + b"\0")
    for r, s in ((0, 1), (1, 0), (reference.N, 1), (2**256 - 1, 1), (1, reference.N // 2 + 1), (5, reference.N)):
        refused("wrong proof", claim, r.to_bytes(32, "big") + s.to_bytes(32, "big") + b"\x1b")
    equal((world.status(terms), world.locked()), (PENDING, 2_000_000))
    claim(proof)
    equal(world.balance(BOB), 1_000_000)


def test_every_bit_of_a_proof_counts(seed):
    world = World()
    terms = world.funded(SENDER)
    proof = world.proof(terms, BOB)
    for bit in range(len(proof) * 8):
        changed = bytearray(proof)
        changed[bit // 8] ^= 1 << bit % 8
        refused("wrong proof", world.send, RELAYER, world.vault, terms.claim(bytes(changed), BOB))
    world.carry_claim(terms, BOB)


def test_a_secret_hash_of_the_zero_address_opens_to_nobody(seed):
    world = World()
    world.mint(ALICE, 10)
    world.approve(ALICE, 10)
    terms = world.terms(10)
    terms.secret_hash = keccak256(ZERO)
    terms.id = abi.ledger_id(terms.secret_hash, terms.token, terms.amount, terms.expiry)
    world.send(ALICE, world.vault, terms.deposit())
    for proof in (bytes(65), bytes(64) + b"\x1b", b"", bytes(31) + b"\1" + bytes(31) + b"\1\x1b"):
        refused("wrong proof", world.send, RELAYER, world.vault, terms.claim(proof, BOB))


def test_the_receiver_is_not_zero_nor_the_vault_nor_the_token(seed):
    world = World()
    terms = world.funded(SENDER)
    for receiver in (ZERO, world.vault, world.token):
        refused("wrong receiver", world.carry_claim, terms, receiver)
    equal(world.status(terms), PENDING)


def test_a_proof_of_before_a_fork_is_worthless_on_the_other_side(seed):
    here, fork = World(), World(chain_id=CHAIN + 1)
    terms = here.funded(SENDER)
    fork.mint(ALICE, terms.amount)
    fork.approve(ALICE, terms.amount)
    fork.send(ALICE, fork.vault, terms.deposit())
    equal((here.vault, here.token), (fork.vault, fork.token))
    proof = here.proof(terms, BOB)
    refused("wrong proof", fork.send, RELAYER, fork.vault, terms.claim(proof, BOB))
    here.send(RELAYER, here.vault, terms.claim(proof, BOB))


def test_a_thief_who_sees_a_proof_cannot_redirect_it(seed):
    world = World()
    terms = world.funded(SENDER)
    proof = world.proof(terms, BOB)
    refused("wrong proof", world.send, MALLORY, world.vault, terms.claim(proof, MALLORY))
    # At most the thief pays the gas for the receiver.
    world.send(MALLORY, world.vault, terms.claim(proof, BOB))
    equal((world.balance(BOB), world.balance(MALLORY)), (1_000_000, 0))


# What the token's issuer can do


def issuer(world, signature, *arguments):
    world.send(DEPLOYER, world.token, abi.call(signature, *arguments))


def test_a_blocked_receiver_does_not_use_a_claim_up(seed):
    world = World()
    terms = world.funded(SENDER)
    issuer(world, "blacklist(address)", BOB)
    refused("Blacklistable: account is blacklisted", world.carry_claim, terms, BOB)
    equal((world.status(terms), world.locked()), (PENDING, terms.amount))
    world.carry_claim(terms, address_of(103))
    equal((world.status(terms), world.balance(address_of(103))), (CLAIMED, terms.amount))


def test_a_blocked_sender_can_be_refunded_once_it_is_not_blocked(seed):
    world = World()
    terms = world.funded(SENDER)
    paid = world.funded(SENDER)
    issuer(world, "blacklist(address)", ALICE)
    refused("Blacklistable: account is blacklisted", world.carry_deposit, SENDER, world.terms())
    world.carry_claim(paid, BOB)
    world.set_time(terms.expiry)
    refused("Blacklistable: account is blacklisted", world.send, RELAYER, world.vault, terms.refund())
    equal(world.status(terms), PENDING)
    issuer(world, "unBlacklist(address)", ALICE)
    world.send(RELAYER, world.vault, terms.refund())
    equal(world.balance(ALICE), terms.amount)


def test_a_pause_of_the_token_stops_everything_and_loses_nothing(seed):
    world = World()
    terms, late = world.funded(SENDER), world.funded(SENDER)
    issuer(world, "pause()")
    refused("Pausable: paused", world.carry_claim, terms, BOB)
    refused("Pausable: paused", world.carry_deposit, SENDER, world.terms())
    issuer(world, "unpause()")
    world.carry_claim(terms, BOB)
    issuer(world, "pause()")
    world.set_time(late.expiry)
    refused("Pausable: paused", world.send, RELAYER, world.vault, late.refund())
    issuer(world, "unpause()")
    # A pause across the expiry: the claim has expired, and its sender has the amount back.
    refused("expired", world.carry_claim, late, BOB)
    world.send(RELAYER, world.vault, late.refund())
    same_money(world)


def test_the_issuer_alone_mints_blocks_and_pauses(seed):
    world = World()
    for call in (
        abi.call("mint(address,uint256)", BOB, 1),
        *(abi.call("pause()"), abi.call("unpause()")),
        *(abi.call("blacklist(address)", BOB), abi.call("unBlacklist(address)", BOB)),
    ):
        refused(None, world.send, MALLORY, world.token, call)


# Senders that have code


def test_a_sender_that_is_a_contract_signs_by_EIP_1271(seed):
    world = World()
    wallet = world.deploy("SmartWallet", ["address"], ALICE)
    world.mint(wallet, 10**7)
    terms = world.terms()

    def carry(key):
        signature = world.authorization(key, terms, sender=wallet)
        world.send(RELAYER, world.vault, terms.carried_deposit(wallet, world.time + 600, signature))

    refused("FiatTokenV2: invalid signature", carry, 2)
    carry(SENDER)
    equal((world.claim(terms)["sender"], world.locked()), (text(wallet), terms.amount))
    world.set_time(terms.expiry)
    world.send(RELAYER, world.vault, terms.refund())
    equal(world.balance(wallet), 10**7)


def test_a_sender_that_delegated_by_EIP_7702_is_refused_by_the_token(seed):
    # Its code is the address of another, which pyrevm does not follow: it has code, and does not answer by EIP-1271.
    # node_tests.py has one whose delegation is followed.
    world = World()
    world.mint(ALICE, 10**7)
    terms = world.terms()
    world.set_code(ALICE, bytes.fromhex("ef0100") + MALLORY)
    refused("FiatTokenV2: invalid signature", world.carry_deposit, SENDER, terms)
    # A deposit that it sends itself needs no such signature.
    world.set_code(ALICE, b"")
    world.carry_deposit(SENDER, terms)


# Tokens that are hostile or odd


def hostile(world):
    token = world.deploy("HostileToken")
    for account in (ALICE, MALLORY):
        world.send(DEPLOYER, token, abi.call("mint(address,uint256)", account, 10**9))
    return token


def behave(world, token, answer=None, fee=0, moves=True):
    answer = eth_abi.encode(["bool"], [True]) if answer is None else answer
    world.send(DEPLOYER, token, abi.call("behave(bytes,uint256,bool)", answer, fee, moves))


def test_a_token_that_returns_false_is_refused(seed):
    world = World()
    token = hostile(world)
    terms, paid = world.terms(token=token), world.terms(token=token)
    world.send(ALICE, world.vault, paid.deposit())
    behave(world, token, answer=bytes(32))
    refused("transfer failed", world.send, ALICE, world.vault, terms.deposit())
    refused("transfer failed", world.carry_claim, paid, BOB)
    equal((world.status(terms), world.status(paid)), (NONE, PENDING))
    world.set_time(paid.expiry)
    refused("transfer failed", world.send, RELAYER, world.vault, paid.refund())
    equal(world.status(paid), PENDING)


def test_a_token_that_returns_nothing_is_taken_only_where_the_amount_arrives(seed):
    world = World()
    token = hostile(world)
    behave(world, token, answer=b"")
    terms = world.terms(token=token)
    world.send(ALICE, world.vault, terms.deposit())
    equal((world.status(terms), world.locked(token)), (PENDING, world.balance(world.vault, token)))
    world.carry_claim(terms, BOB)
    equal(world.balance(BOB, token), terms.amount)
    behave(world, token, answer=b"", moves=False)
    terms = world.terms(token=token)
    refused("amount not received", world.send, ALICE, world.vault, terms.deposit())
    equal((world.status(terms), world.locked(token)), (NONE, 0))


def test_a_token_whose_answer_is_no_bool_is_refused(seed):
    world = World()
    token = hostile(world)
    for answer in ((2).to_bytes(32, "big"), b"\xff" * 32, b"\1"):
        behave(world, token, answer=answer)
        refused(None, world.send, ALICE, world.vault, world.terms(token=token).deposit())
    equal(world.locked(token), 0)


def test_a_token_that_moves_less_than_it_says_is_refused(seed):
    world = World()
    token = hostile(world)
    for behaviour in ({"fee": 1}, {"moves": False}):
        behave(world, token, **behaviour)
        terms = world.terms(token=token)
        refused("amount not received", world.send, ALICE, world.vault, terms.deposit())
        carried = terms.carried_deposit(ALICE, world.time + 600, b"")
        refused("amount not received", world.send, RELAYER, world.vault, carried)
    equal(world.locked(token), 0)


def test_an_account_without_code_is_no_token(seed):
    world = World()
    for token in (MALLORY, ZERO, world.vault):
        terms = world.terms(token=token)
        refused(None, world.send, ALICE, world.vault, terms.deposit())
        refused(None, world.send, RELAYER, world.vault, terms.carried_deposit(ALICE, world.time + 600, b""))
        equal(world.status(terms), NONE)


def test_a_hostile_token_cannot_enter_the_vault_again(seed):
    world = World()
    token = hostile(world)
    good = world.funded(SENDER)
    first, second = world.terms(token=token), world.terms(token=token)
    world.send(ALICE, world.vault, first.deposit())
    # It has tokens of its own, so that a deposit in the middle of a transfer would lack nothing.
    world.send(DEPLOYER, token, abi.call("mint(address,uint256)", token, 10**9))
    calls = (
        second.deposit(),
        first.claim(world.proof(first, BOB), BOB),
        good.claim(world.proof(good, BOB), BOB),
        good.refund(),
        second.carried_deposit(token, world.time + 600, b""),
    )
    for call in calls:
        third = world.terms(token=token)
        world.send(DEPLOYER, token, abi.call("callBack(address,bytes)", world.vault, call))
        world.send(ALICE, world.vault, third.deposit())
        equal(world.number_of(token, "succeeded()"), 0, "a call in the middle of a deposit succeeded")
        world.carry_claim(third, MALLORY)
        equal(world.number_of(token, "succeeded()"), 0, "a call in the middle of a payout succeeded")
    equal((world.status(first), world.status(second), world.status(good)), (PENDING, NONE, PENDING))
    equal(world.balance(world.vault, token), world.locked(token))
    # The lock ends with the transaction.
    world.carry_claim(good, BOB)
    same_money(world)


def test_one_token_s_money_pays_no_claim_of_another(seed):
    world = World()
    token = hostile(world)
    world.funded(SENDER)
    behave(world, token, moves=False)
    terms = world.terms(token=token)
    refused("amount not received", world.send, ALICE, world.vault, terms.deposit())
    refused("not pending", world.carry_claim, terms, MALLORY)
    equal((world.locked(), world.balance(world.vault)), (1_000_000, 1_000_000))


def test_tokens_that_somebody_sends_to_the_vault_belong_to_nobody_s_claim(seed):
    world = World()
    terms = world.funded(SENDER)
    world.mint(world.vault, 7)
    world.carry_claim(terms, BOB)
    equal((world.balance(BOB), world.balance(world.vault), world.locked()), (terms.amount, 7, 0))


def test_coins_of_the_chain_are_refused(seed):
    world = World()
    world.evm.set_balance(text(ALICE), 10**18)
    for payload in (b"", world.funded(SENDER).deposit(), abi.call(abi.LOCKED, world.token)):
        try:
            world.evm.message_call(text(ALICE), text(world.vault), payload, value=1)
        except RuntimeError:
            continue
        raise AssertionError("the vault took coins")


# Random calls and histories


def test_random_calldata_moves_no_money(seed):
    source = random.Random(seed)
    world = World()
    terms = world.funded(SENDER)
    world.mint(MALLORY, 10**9)
    world.approve(MALLORY, 2**200)
    calls = (terms.deposit(), terms.refund(), terms.claim(bytes(65), MALLORY), terms.carried_deposit(ALICE, 1, bytes(65)))
    for _ in range(2000):
        payload = bytearray(source.choice(calls))
        for _ in range(source.randrange(4)):
            payload[source.randrange(4, len(payload))] = source.choice((0, 1, 255, source.randrange(256)))
        if source.random() < 0.3:
            payload = payload[: source.randrange(len(payload))]
        try:
            world.send(MALLORY, world.vault, bytes(payload))
        except Reverted:
            continue
        raise AssertionError(f"the vault took {payload.hex()}")
    equal((world.status(terms), world.locked(), world.balance(MALLORY)), (PENDING, terms.amount, 10**9))


def test_the_money_adds_up_in_random_histories(seed):
    """Compares each step with a model of the rules, and the sums after it."""
    source = random.Random(seed)
    world = World()
    keys = range(1, 6)
    # Whoever receives sends on, so that the money does not run out; but for one.
    receivers = [address_of(key) for key in (*keys, 101)]
    minted = 0
    for key in keys:
        world.mint(address_of(key), 10**9)
        world.approve(address_of(key), 2**200)
        minted += 10**9
    balances = {receiver: 0 for receiver in receivers} | {address_of(key): 10**9 for key in keys}
    claims, blocked = [], set()
    counts = dict.fromkeys(("deposit", "claim", "refund", "refused"), 0)

    def some_claim():
        pending = [entry for entry in claims if entry[2] == PENDING]
        return source.choice(pending if pending and source.random() < 0.8 else claims)

    def attempt(kind, allowed, call):
        try:
            call()
        except Reverted as error:
            assert not allowed, f"{kind} was refused: {error}"
            counts["refused"] += 1
            return False
        assert allowed, f"{kind} was not refused"
        counts[kind] += 1
        return True

    for _ in range(1500):
        step = source.random()
        if step < 0.35 or not claims:
            key = source.choice(keys)
            sender = address_of(key)
            again = claims and source.random() < 0.1
            # Up to more than the sender has.
            amount = source.choice((0, *source.choices(range(1, 10**8), k=5), source.randrange(1, 2 * 10**9)))
            expiry = world.time + source.randrange(-60, 7200)
            terms = source.choice(claims)[0] if again else world.terms(amount, expiry)
            allowed = not again and 0 < amount <= balances[sender] and expiry > world.time and sender not in blocked
            if source.random() < 0.5:
                done = attempt("deposit", allowed, lambda: world.send(sender, world.vault, terms.deposit()))
            else:
                done = attempt("deposit", allowed, lambda: world.carry_deposit(key, terms))
            if done:
                balances[sender] -= amount
                claims.append([terms, sender, PENDING])
        elif step < 0.65:
            entry = some_claim()
            terms, _, status = entry
            receiver = source.choice(receivers)
            right = source.random() < 0.8
            proof = world.proof(terms, receiver, None if right else 77)
            allowed = status == PENDING and right and world.time < terms.expiry and receiver not in blocked
            if attempt("claim", allowed, lambda: world.send(RELAYER, world.vault, terms.claim(proof, receiver))):
                balances[receiver] += terms.amount
                entry[2] = CLAIMED
        elif step < 0.85:
            entry = some_claim()
            terms, sender, status = entry
            allowed = status == PENDING and world.time >= terms.expiry and sender not in blocked
            if attempt("refund", allowed, lambda: world.send(RELAYER, world.vault, terms.refund())):
                balances[sender] += terms.amount
                entry[2] = REFUNDED
        elif step < 0.95:
            world.set_time(world.time + source.randrange(1, 600))
        else:
            account = source.choice(sorted(blocked) if blocked and source.random() < 0.6 else list(balances))
            issuer(world, "unBlacklist(address)" if account in blocked else "blacklist(address)", account)
            blocked ^= {account}
        locked = sum(terms.amount for terms, _, status in claims if status == PENDING)
        equal((world.locked(), world.balance(world.vault)), (locked, locked))
        equal(sum(balances.values()) + locked, minted)
    for terms, sender, status in claims:
        equal((world.status(terms), world.claim(terms)["sender"]), (status, text(sender)))
    for account, balance in balances.items():
        equal(world.balance(account), balance)
    assert min(counts.values()) >= 5, counts
    return ", ".join(f"{count} {kind}" for kind, count in counts.items())


# Vectors of others, and the interface


def vectors(name):
    return json.loads((VECTORS / name).read_text())


def data(text):
    return bytes.fromhex(text[2:])


def world_of_the_vectors(time):
    """A world whose vault and token have the addresses of vault.json."""
    given = vectors("vault.json")
    world = World(chain_id=given["vault"]["chainId"], time=time)
    world.vault, world.token = (data(given[name]["verifyingContract"]) for name in ("vault", "token"))
    world.place("ClaimVault", world.vault)
    world.place("TestToken", world.token)
    slot = code("TestToken")[1]["storage_layout"]["owner"]["slot"]
    world.evm.insert_account_storage(text(world.token), slot, int.from_bytes(DEPLOYER, "big"))
    return world


def test_authorizations_and_proofs_of_the_vectors_are_taken(seed):
    for case, calls in zip(vectors("vault.json")["cases"], vectors("chain.json")["cases"]):
        equal(case["claimId"], calls["claimId"])
        valid_before, expiry, amount = case["authorizationValidBefore"], case["expiry"], int(case["amountBaseUnits"])
        world = world_of_the_vectors(max(0, min(valid_before, expiry) - 1))
        sender, receiver = data(case["sender"]), data(case["receiver"])
        terms = abi.Terms(int(case["claimKey"], 16), world.token, amount, expiry)
        equal("0x" + terms.id.hex(), case["ledgerId"])
        equal("0x" + terms.secret_hash.hex(), case["secretHash"])
        digest = abi.authorization_digest(CHAIN, world.token, sender, world.vault, amount, valid_before, terms.id)
        equal("0x" + digest.hex(), case["authorizationDigest"])
        equal(reference.recover(digest, data(case["authorization"])), sender)
        world.mint(sender, amount)
        if world.time:
            world.send(RELAYER, world.vault, data(calls["depositWithAuthorization"]))
        else:
            # The second case ends in the first second of all time. No token takes an authorization before its
            # validAfter of zero has passed, so the amount comes by an approval.
            early = "FiatTokenV2: authorization is not yet valid"
            refused(early, world.send, RELAYER, world.vault, data(calls["depositWithAuthorization"]))
            world.approve(sender, amount)
            world.send(sender, world.vault, terms.deposit())
        created = calls["created"]
        log = next(log for log in world.logs if log[0] == created["address"])
        equal((log[1], "0x" + bytes(log[2]).hex()), (created["topics"], created["data"]))
        bloom = eth_bloom.BloomFilter()
        for value in (created["address"], *created["topics"]):
            bloom.add(data(value))
        equal("0x" + int(bloom).to_bytes(256, "big").hex(), calls["bloomOfCreated"])
        answer = world.evm.message_call(text(RELAYER), text(world.vault), data(calls["claims"]))
        equal("0x" + answer.hex(), calls["claimsAnswer"])
        if world.time:
            used = world.evm.message_call(text(RELAYER), text(world.token), data(calls["authorizationState"]))
            equal(int.from_bytes(used, "big"), 1)
        equal("0x" + world.proof(terms, receiver).hex(), case["proof"])
        world.send(RELAYER, world.vault, data(calls["claim"]))
        log, claimed = world.logs[0], calls["claimed"]
        equal((log[0], log[1], "0x" + bytes(log[2]).hex()), (claimed["address"], claimed["topics"], claimed["data"]))
        equal((world.balance(receiver), world.locked()), (amount, 0))
        refused("not pending", world.send, RELAYER, world.vault, data(calls["refund"]))


def test_the_interface_is_that_of_the_vectors(seed):
    given = vectors("chain.json")
    functions, events = {}, {}
    for source in artifacts.COMMITTED[::-1]:
        for entry in artifacts.committed(source)["abi"]:
            if entry["type"] in ("function", "event"):
                kinds = functions if entry["type"] == "function" else events
                kinds[entry["name"]] = f"{entry['name']}({','.join(each['type'] for each in entry['inputs'])})"
    for name, selector in given["selectors"].items():
        equal((functions[name], "0x" + abi.selector(functions[name]).hex()), (given["signatures"][name], selector))
    for name, topic in given["topics"].items():
        equal((events[name], "0x" + keccak256(events[name].encode()).hex()), (given["signatures"][name], topic))


def test_addresses_of_new_contracts_are_those_of_the_vectors(seed):
    given = vectors("chain.json")
    for case in given["create"]:
        import rlp

        packed = rlp.encode([data(given["relayer"]), int(case["nonce"])])
        equal(reference.checksummed(keccak256(packed)[12:]), case["address"])
