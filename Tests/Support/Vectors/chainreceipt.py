#!/usr/bin/env python3
"""Writes chainreceipt.json: receipts of a vault on a chain, made by an independent implementation of EIP-712 (eth-account).

Run it with the packages of Tests/Tools/Chain/requirements.txt.
"""
import json, pathlib
from eth_account import Account
from eth_account.messages import encode_typed_data

MEMBERS = [
    ("bytes32", "claimId"), ("bool", "refunded"), ("address", "token"), ("uint256", "amount"), ("address", "receiver"),
    ("bytes32", "transaction"), ("uint256", "time"), ("uint64", "blockNumber"), ("bytes32", "blockHash"),
    ("string", "level"),
]
DOMAIN = [("string", "name"), ("string", "version"), ("uint256", "chainId"), ("address", "verifyingContract")]
ZERO = "0x" + "00" * 20


def word(number):
    return f"0x{number:064x}"


def typed(fields):
    return [{"type": kind, "name": name} for kind, name in fields]


def case(key, chain, contract, **message):
    account = Account.from_key(word(key))
    signed = {
        "types": {"EIP712Domain": typed(DOMAIN), "ChainReceipt": typed(MEMBERS)}, "primaryType": "ChainReceipt",
        "domain": {"name": "ClaimVault", "version": "1", "chainId": chain, "verifyingContract": contract},
        "message": message,
    }
    made = account.sign_message(encode_typed_data(full_message=signed))
    # The same members as a plain receipt, which nobody may take for this one.
    plain = dict(signed, primaryType="Receipt", types={
        "EIP712Domain": typed(DOMAIN), "Receipt": typed(MEMBERS[:7])})
    plain["message"] = {name: message[name] for _, name in MEMBERS[:7]}
    other = account.sign_message(encode_typed_data(full_message=plain))
    return {
        "key": word(key), "receiptKey": account.address, "chainId": chain, "contract": contract, **message,
        "amount": str(message["amount"]), "digest": "0x" + bytes(made.message_hash).hex(),
        "signature": "0x" + bytes(made.signature).hex(), "plainSignature": "0x" + bytes(other.signature).hex(),
    }


contract, token, receiver = ("0x" + digit * 40 for digit in "123")
claimed = dict(
    claimId=word(0xC1A1), refunded=False, token=token, amount=1_000_000, receiver=receiver, transaction=word(0x7A),
    time=1_800_000_000, blockNumber=1234, blockHash=word(0xB10C), level="confirmed")
cases = [
    case(1, 31337, contract, **claimed),
    case(1, 31337, contract, **dict(claimed, level="finalized")),
    case(2, 8453, contract, **dict(claimed, refunded=True, receiver=ZERO, amount=2**63 - 1, level="finalized")),
    case(3, 2**63 - 1, contract, **dict(
        claimed, claimId="0x" + "ff" * 32, blockNumber=2**63 - 1, blockHash="0x" + "ff" * 32, time=0, amount=1)),
]
note = "Made by a second, independent implementation (Python, eth-account): receipts of a vault on a chain."
path = pathlib.Path(__file__).with_name("chainreceipt.json")
path.write_text(json.dumps({"note": note, "cases": cases}, indent=1) + "\n")
