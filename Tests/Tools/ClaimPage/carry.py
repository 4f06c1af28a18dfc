"""Prints a transaction that carries a claim to its contract without the vault, as anybody may send one: signed, in hex.

It is run by the test node's Python. The input is JSON: the key that pays, chainId, contract, ledgerId, proof, receiver."""

import json
import sys
from pathlib import Path

from eth_account import Account

sys.path.append(str(Path(__file__).resolve().parents[1] / "Chain"))

import abi  # noqa: E402

given = json.load(sys.stdin)
ledger_id, proof = (bytes.fromhex(given[name][2:]) for name in ("ledgerId", "proof"))
transaction = {"type": 2, "chainId": given["chainId"], "nonce": 0, "to": given["contract"], "value": 0, "gas": 200_000}
transaction |= {"maxFeePerGas": 10**11, "maxPriorityFeePerGas": 10**9}
transaction |= {"data": abi.call(abi.CLAIM, ledger_id, proof, given["receiver"])}
print("0x" + bytes(Account.sign_transaction(transaction, given["key"]).raw_transaction).hex())
