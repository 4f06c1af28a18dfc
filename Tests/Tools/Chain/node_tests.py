"""Tests of the test node, over HTTP: that it does what a node does, and lies as it is told. They take some seconds."""

import argparse
import http.client
import inspect
import json
import os
import pathlib
import random
import secrets
import subprocess
import sys
import threading

import abi
import eth_account
import eth_bloom
import node as tested
import suite
from abi import address_of, keccak256
from reference import checksummed

CHAIN = 31337
GWEI = 10**9
RELAYER, OTHER, SENDER = 201, 203, 1
BOB, CAROL = address_of(101), address_of(102)
ALICE = address_of(SENDER)
VECTORS = pathlib.Path(__file__).resolve().parents[2] / "Support/Vectors/chain.json"


class Failed(Exception):
    """A JSON-RPC error."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.error = error


class Client:
    """A node with the contracts on it, and a connection to it."""

    def __init__(self, **options):
        self.node = tested.Node(CHAIN, [address_of(key) for key in (RELAYER, OTHER, SENDER)], **options)
        for name, contract in (("token", "TestToken"), ("vault", "ClaimVault")):
            self.node.addresses[name] = self.node.test_deploy(contract)
        self.token, self.vault = self.node.addresses["token"], self.node.addresses["vault"]
        self.server = tested.Server(self.node, 0)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.connection = None
        self.keys = iter(range(10_000, 10**9))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.node.faults.clear()
        self.server.shutdown()
        self.server.server_close()

    # Requests

    def post(self, body):
        """The status and body of an answer. The connection is kept."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection(*self.server.server_address, timeout=180)
        try:
            self.connection.request("POST", "/", body, {"Content-Type": "application/json"})
            response = self.connection.getresponse()
            return response, response.read()
        except Exception:
            self.connection = None
            raise

    def call(self, method, *parameters, **named):
        if named:
            # By name, as JSON-RPC has it: all of them.
            parameters = inspect.signature(getattr(self.node, method)).bind(*parameters, **named).arguments
        request = {"jsonrpc": "2.0", "id": 7, "method": method, "params": parameters}
        response, body = self.post(json.dumps(request))
        assert response.status == 200, response.status
        answer = json.loads(body)
        assert answer["id"] == 7, answer
        if "error" in answer:
            raise Failed(answer["error"])
        return answer["result"]

    def number(self, method, *parameters):
        return int(self.call(method, *parameters), 16)

    def block(self, tag="latest", full=False):
        return self.call("eth_getBlockByNumber", tag if isinstance(tag, str) else hex(tag), full)

    def read(self, to, signature, *arguments, tag="latest"):
        output = self.call("eth_call", {"to": text(to), "data": text(abi.call(signature, *arguments))}, tag)
        return int(output, 16)

    # Transactions

    def nonce(self, key, tag="latest"):
        return self.number("eth_getTransactionCount", text(address_of(key)), tag)

    def raw(self, key, nonce=None, to=BOB, payload=b"", fee=3 * GWEI, tip=GWEI, gas=500_000, **changes):
        fields = {
            "type": 2, "chainId": CHAIN, "nonce": self.nonce(key) if nonce is None else nonce, "gas": gas, "value": 0,
            "maxFeePerGas": fee, "maxPriorityFeePerGas": tip, "to": checksummed(to), "data": text(payload),
        }  # fmt: skip
        account = eth_account.Account.from_key(key.to_bytes(32, "big"))
        return text(bytes(account.sign_transaction(fields | changes).raw_transaction))

    def send(self, raw):
        return self.call("eth_sendRawTransaction", raw)

    def receipt(self, hash):
        return self.call("eth_getTransactionReceipt", hash)

    # Claims

    def mint(self, account, amount):
        self.call("test_issuer", "mint(address,uint256)", text(account), str(amount))

    def terms(self, amount=1_000_000):
        expiry = self.number("test_time") + 86_400
        return abi.Terms(next(self.keys), self.token, amount, expiry - expiry % 60)

    def deposit(self, terms, key=SENDER):
        """The calldata of a deposit that its sender has signed."""
        valid_before = self.number("test_time") + 600
        signature = abi.authorization(key, CHAIN, self.vault, terms, valid_before)
        return terms.carried_deposit(address_of(key), valid_before, signature)

    def claim(self, terms, receiver, proven=None):
        return terms.claim(terms.proof(CHAIN, self.vault, proven or receiver), receiver)

    def carried(self, key, payload, **changes):
        return self.raw(key, to=self.vault, payload=payload, **changes)

    def status(self, terms):
        output = self.call("eth_call", {"to": text(self.vault), "data": text(abi.call(abi.CLAIMS, terms.id))})
        return int(output[2 + 4 * 64 : 2 + 5 * 64], 16)

    def same_money(self, tag="latest"):
        locked = self.read(self.vault, abi.LOCKED, self.token, tag=tag)
        equal(self.read(self.token, "balanceOf(address)", self.vault, tag=tag), locked)
        return locked


def text(data):
    return "0x" + data.hex()


def equal(given, expected, what=""):
    assert given == expected, f"{what}: {given!r}, not {expected!r}"


def refused(expected, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except Failed as error:
        assert expected in str(error), f"refused with {str(error)!r}, not {expected!r}"
        return error.error
    raise AssertionError(f"not refused, though {expected!r} was expected")


# What a node of Ethereum does


def test_blocks_transactions_and_receipts_name_each_other(seed):
    with Client() as client:
        hash = client.send(client.raw(RELAYER, payload=b"hello"))
        receipt, transaction = client.receipt(hash), client.call("eth_getTransactionByHash", hash)
        block = client.block(full=True)
        equal(block["transactions"], [transaction])
        equal(client.block()["transactions"], [hash])
        equal(client.call("eth_getBlockByHash", block["hash"], True), block)
        equal({receipt["blockHash"], transaction["blockHash"]}, {block["hash"]})
        equal({receipt["blockNumber"], transaction["blockNumber"], client.call("eth_blockNumber")}, {block["number"]})
        equal((receipt["status"], receipt["from"], receipt["to"]), ("0x1", text(address_of(RELAYER)), text(BOB)))
        equal((receipt["transactionHash"], receipt["contractAddress"]), (hash, None))
        equal((transaction["input"], transaction["nonce"], transaction["type"]), (text(b"hello"), "0x0", "0x2"))
        equal(client.block(int(block["number"], 16) - 1)["hash"], block["parentHash"])
        fee = int(block["baseFeePerGas"], 16) + GWEI
        equal((int(receipt["effectiveGasPrice"], 16), int(transaction["gasPrice"], 16)), (fee, fee))
        equal(client.block("0x99"), None)
        equal(client.receipt("0x" + "00" * 32), None)


def test_transactions_of_the_vectors_have_their_hash_and_sender(seed):
    given = json.loads(VECTORS.read_text())
    with Client() as client:
        for case in given["transactions"]:
            transaction = client.node.decoded(case["raw"])
            equal(text(transaction.hash), case["hash"])
            equal(text(transaction.sender), given["relayer"].lower())
            if case["chainId"] != str(CHAIN):
                refused("invalid chain id for signer", client.send, case["raw"])


def test_a_carried_deposit_and_a_claim_are_mined_with_their_logs(seed):
    with Client() as client:
        client.mint(ALICE, 10**7)
        terms = client.terms()
        receipt = client.receipt(client.send(client.carried(RELAYER, client.deposit(terms))))
        equal((receipt["status"], client.status(terms), client.same_money()), ("0x1", 1, terms.amount))
        # The token's two logs and the vault's, numbered in the block.
        equal([log["logIndex"] for log in receipt["logs"]], ["0x0", "0x1", "0x2"])
        bloom = eth_bloom.BloomFilter(int(client.block()["logsBloom"], 16))
        for log in receipt["logs"]:
            for value in (log["address"], *log["topics"]):
                assert bytes.fromhex(value[2:]) in bloom, value
        equal(client.block()["logsBloom"], receipt["logsBloom"])
        receipt = client.receipt(client.send(client.carried(RELAYER, client.claim(terms, BOB))))
        equal((receipt["status"], client.status(terms)), ("0x1", 2))
        equal(client.read(client.token, "balanceOf(address)", BOB), terms.amount)
        # One that comes too late is mined, and reverts.
        receipt = client.receipt(client.send(client.carried(RELAYER, client.claim(terms, CAROL))))
        equal((receipt["status"], receipt["logs"]), ("0x0", []))


def test_logs_are_numbered_through_a_block(seed):
    with Client() as client:
        client.call("test_mining", "manual")
        client.mint(ALICE, 10**7)
        for number in range(2):
            client.send(client.carried(RELAYER, client.deposit(client.terms()), nonce=number))
        client.call("test_mine")
        logs = client.call("eth_getLogs", {"blockHash": client.block()["hash"]})
        equal([int(log["logIndex"], 16) for log in logs], list(range(6)))
        equal([int(log["transactionIndex"], 16) for log in logs], [0, 0, 0, 1, 1, 1])


def test_logs_are_filtered_by_block_address_and_topics(seed):
    with Client() as client:
        client.mint(ALICE, 10**7)
        first = int(client.call("eth_blockNumber"), 16)
        terms = [client.terms(), client.terms()]
        for each in terms:
            client.send(client.carried(RELAYER, client.deposit(each)))
        client.send(client.carried(RELAYER, client.claim(terms[0], BOB)))
        created = text(keccak256(b"ClaimCreated(bytes32,address,address,uint256,uint40)"))
        claimed = text(keccak256(b"Claimed(bytes32,address)"))
        ids = [text(each.id) for each in terms]

        def found(**filter):
            logs = client.call("eth_getLogs", {"fromBlock": hex(first + 1), "toBlock": "latest"} | filter)
            return [(log["topics"][0], log["topics"][1]) for log in logs if log["address"] == text(client.vault)]

        everything = [(created, ids[0]), (created, ids[1]), (claimed, ids[0])]
        equal(found(), everything)
        equal(found(address=text(client.vault)), everything)
        equal(found(address=[text(client.vault), text(BOB)]), everything)
        equal(found(address=text(client.token)), [])
        equal(found(topics=[created]), everything[:2])
        equal(found(topics=[[created, claimed]]), everything)
        equal(found(topics=[None, ids[0]]), [everything[0], everything[2]])
        equal(found(topics=[None, None, None, None]), [])
        equal(found(toBlock=hex(first + 1)), everything[:1])
        equal(found(fromBlock="latest"), everything[2:])
        hash = client.block(first + 2)["hash"]
        logs = client.call("eth_getLogs", {"blockHash": hash, "address": text(client.vault)})
        equal([log["topics"][1] for log in logs], [ids[1]])
        refused("unknown block", client.call, "eth_getLogs", {"blockHash": "0x" + "11" * 32})
        refused("cannot specify both", client.call, "eth_getLogs", {"blockHash": hash, "fromBlock": "0x0"})


def test_a_call_that_reverts_says_why(seed):
    with Client() as client:
        call = {"to": text(client.vault), "data": text(client.terms().refund())}
        for method in ("eth_call", "eth_estimateGas"):
            error = refused("execution reverted: not pending", client.call, method, call)
            equal((error["code"], error["data"][:10]), (3, "0x08c379a0"))
        # The state of an earlier block has no contract: a call of it returns nothing.
        equal(client.call("eth_call", call, "earliest"), "0x")
        refused("header not found", client.call, "eth_call", call, "0x99")


def test_an_estimate_is_enough_and_little_more(seed):
    with Client() as client:
        client.mint(ALICE, 10**7)
        terms = client.terms()
        payload = client.deposit(terms)
        call = {"from": text(address_of(RELAYER)), "to": text(client.vault), "data": text(payload)}
        gas = client.number("eth_estimateGas", call)
        receipt = client.receipt(client.send(client.carried(RELAYER, payload, gas=gas)))
        equal(receipt["status"], "0x1")
        used = int(receipt["gasUsed"], 16)
        assert used <= gas <= used * 1.1, (used, gas)


def test_fee_history_has_base_fees_and_tips(seed):
    with Client() as client:
        client.call("test_mining", "manual")
        for key, tip in ((RELAYER, 3), (OTHER, 1)):
            client.send(client.raw(key, tip=tip * GWEI, fee=10 * GWEI))
        client.call("test_mine", 2)
        head = client.number("eth_blockNumber")
        history = client.call("eth_feeHistory", "0x2", "latest", [0, 50, 100])
        equal(history["oldestBlock"], hex(head - 1))
        fees = [client.block(number)["baseFeePerGas"] for number in (head - 1, head)]
        equal(history["baseFeePerGas"][:2], fees)
        equal(history["reward"], [[hex(GWEI), hex(GWEI), hex(3 * GWEI)], ["0x0"] * 3])
        equal((len(history["gasUsedRatio"]), history["gasUsedRatio"][1]), (2, 0))
        client.call("test_mine")
        equal(client.block()["baseFeePerGas"], history["baseFeePerGas"][2])


def test_several_calls_in_one_request_are_answered_in_order(seed):
    with Client() as client:
        calls = [{"jsonrpc": "2.0", "id": id, "method": method, "params": []}
                 for id, method in ((1, "eth_chainId"), ("a", "eth_nothing"), (3, "eth_blockNumber"))]  # fmt: skip
        answers = json.loads(client.post(json.dumps(calls))[1])
        equal([answer["id"] for answer in answers], [1, "a", 3])
        equal((answers[0]["result"], answers[1]["error"]["code"]), (hex(CHAIN), -32601))
        equal(json.loads(client.post("{")[1])["error"]["code"], -32700)
        equal(refused("invalid argument", client.call, "eth_getBalance", "12")["code"], -32602)


# The mempool


def test_a_future_nonce_waits_for_those_before_it(seed):
    with Client() as client:
        second = client.send(client.raw(RELAYER, nonce=1))
        equal(client.receipt(second), None)
        equal(client.call("eth_getTransactionByHash", second)["blockHash"], None)
        equal((client.nonce(RELAYER), client.nonce(RELAYER, "pending")), (0, 0))
        equal(client.call("test_state")["queued"], [second])
        first = client.send(client.raw(RELAYER, nonce=0))
        equal([client.receipt(hash)["transactionIndex"] for hash in (first, second)], ["0x0", "0x1"])
        equal(client.nonce(RELAYER), 2)


def test_a_replacement_raises_both_fees_by_a_tenth(seed):
    with Client() as client:
        client.call("test_mining", "manual")
        fee, tip = 1000 * GWEI, 100 * GWEI
        first = client.send(client.raw(RELAYER, nonce=0, fee=fee, tip=tip))
        equal(client.nonce(RELAYER, "pending"), 1)
        underpriced = "replacement transaction underpriced"
        for changes in (
            {"fee": fee * 110 // 100 - 1, "tip": tip * 110 // 100},
            {"fee": fee * 110 // 100, "tip": tip * 110 // 100 - 1},
            {"fee": fee * 2, "tip": tip},
            {"fee": fee, "tip": tip, "to": CAROL},
        ):
            refused(underpriced, client.send, client.raw(RELAYER, nonce=0, **changes))
        second = client.send(client.raw(RELAYER, nonce=0, fee=fee * 110 // 100, tip=tip * 110 // 100))
        equal(client.call("eth_getTransactionByHash", first), None)
        client.call("test_mine")
        equal((client.receipt(first), client.receipt(second)["status"]), (None, "0x1"))


def test_one_can_be_mined_while_it_is_replaced(seed):
    with Client() as client:
        client.call("test_mining", "manual")
        old, new = client.raw(RELAYER, nonce=0), client.raw(RELAYER, nonce=0, fee=6 * GWEI, tip=2 * GWEI)
        hashes = [client.send(old), client.send(new)]
        client.call("test_mine", transactions=[old])
        equal((client.receipt(hashes[0])["status"], client.receipt(hashes[1])), ("0x1", None))
        equal(client.call("eth_getTransactionByHash", hashes[1]), None)
        refused("nonce too low: next nonce 1, tx nonce 0", client.send, new)


def test_the_pool_refuses_with_the_sentences_of_geth(seed):
    with Client() as client:
        client.call("test_mining", "manual")
        raw = client.raw(RELAYER)
        client.send(raw)
        refused("already known", client.send, raw)
        client.call("test_mine")
        refused("nonce too low: next nonce 1, tx nonce 0", client.send, raw)
        poor = client.raw(9, nonce=0)
        refused("insufficient funds for gas * price + value: balance 0", client.send, poor)
        refused("max priority fee per gas higher", client.send, client.raw(RELAYER, fee=1, tip=2))
        refused("transaction underpriced", client.send, client.raw(RELAYER, tip=0))
        refused("exceeds block gas limit", client.send, client.raw(RELAYER, gas=30_000_001))
        refused("intrinsic gas too low", client.send, client.raw(RELAYER, gas=20_999))
        refused("invalid chain id for signer: have 8453 want 31337", client.send, client.raw(RELAYER, chainId=8453))
        refused("rlp", client.send, "0x02c0")
        # A byte of the signature.
        broken = raw[:-2] + ("00" if raw[-2:] != "00" else "01")
        refused("", client.send, broken)


def test_the_highest_tip_is_first_and_a_low_fee_waits(seed):
    with Client() as client:
        client.call("test_mining", "manual")
        client.call("test_baseFee", 2 * GWEI)
        low = client.send(client.raw(SENDER, fee=2 * GWEI - 1, tip=1))
        slow = client.send(client.raw(RELAYER, fee=9 * GWEI, tip=1))
        quick = client.send(client.raw(OTHER, fee=9 * GWEI, tip=GWEI))
        client.call("test_mine")
        equal(client.block()["transactions"], [quick, slow])
        client.call("test_baseFee", GWEI)
        client.call("test_mine")
        equal(client.block()["transactions"], [low])


def test_a_thief_who_pays_more_for_a_proof_gets_nothing(seed):
    with Client() as client:
        client.mint(ALICE, 10**7)
        terms = client.terms()
        client.send(client.carried(RELAYER, client.deposit(terms)))
        client.call("test_mining", "manual")
        honest = client.send(client.carried(RELAYER, client.claim(terms, BOB)))
        theft = client.carried(OTHER, client.claim(terms, CAROL, proven=BOB), fee=90 * GWEI, tip=80 * GWEI)
        theft = client.send(theft)
        client.call("test_mine")
        equal(client.block()["transactions"], [theft, honest])
        equal([client.receipt(hash)["status"] for hash in (theft, honest)], ["0x0", "0x1"])
        equal(client.read(client.token, "balanceOf(address)", BOB), terms.amount)


def test_of_two_relayers_with_one_deposit_one_reverts(seed):
    with Client() as client:
        client.mint(ALICE, 10**7)
        client.call("test_mining", "manual")
        terms = client.terms()
        payload = client.deposit(terms)
        hashes = [client.send(client.carried(key, payload)) for key in (RELAYER, OTHER)]
        client.call("test_mine")
        equal(sorted(client.receipt(hash)["status"] for hash in hashes), ["0x0", "0x1"])
        equal(client.same_money(), terms.amount)


# Mining and time


def test_blocks_are_mined_as_the_test_says(seed):
    with Client() as client:
        before = client.number("eth_blockNumber")
        client.send(client.raw(RELAYER))
        equal(client.number("eth_blockNumber"), before + 1)
        client.call("test_mining", "manual")
        waiting = client.send(client.raw(RELAYER))
        equal((client.number("eth_blockNumber"), client.receipt(waiting)), (before + 1, None))
        equal(client.call("test_mine", transactions=[]), [client.block()["hash"]])
        equal(client.receipt(waiting), None)
        client.call("test_mine", 3)
        equal(client.number("eth_blockNumber"), before + 5)
        equal(client.receipt(waiting)["blockNumber"], hex(before + 3))
        refused("not in the block", client.call, "test_mine", transactions=[client.raw(RELAYER, nonce=9)])
        client.call("test_mining", 0.01)
        head = before + 5
        while head < before + 8:
            head = client.number("eth_blockNumber")
        refused("invalid argument", client.call, "test_mining", "never")


def test_the_clock_goes_on_from_where_it_is_set(seed):
    with Client() as client:
        time = client.number("test_time") + 10**6
        assert client.number("test_time", time) in (time, time + 1)
        client.call("test_mine")
        mined = int(client.block()["timestamp"], 16)
        assert time <= mined <= time + 60, mined
        assert client.number("test_time", None, 100) >= time + 100
        # A clock that is set back: time in blocks goes on all the same.
        client.call("test_time", 5)
        client.call("test_mine")
        equal(int(client.block()["timestamp"], 16), mined + 1)


def test_an_expired_claim_is_refunded(seed):
    with Client() as client:
        client.mint(ALICE, 10**7)
        terms = client.terms()
        client.send(client.carried(RELAYER, client.deposit(terms)))
        early = client.receipt(client.send(client.carried(RELAYER, terms.refund())))
        client.call("test_time", terms.expiry)
        late = client.receipt(client.send(client.carried(RELAYER, terms.refund())))
        equal((early["status"], late["status"], client.status(terms), client.same_money()), ("0x0", "0x1", 3, 0))


# Reorganizations


def test_a_reorganization_takes_blocks_back_and_their_transactions_wait_again(seed):
    with Client() as client:
        client.mint(ALICE, 10**7)
        terms = client.terms()
        hash = client.send(client.carried(RELAYER, client.deposit(terms)))
        old = client.block()
        client.call("test_reorganize", 1)
        new = client.block(int(old["number"], 16))
        assert new["hash"] != old["hash"]
        equal((new["parentHash"], new["transactions"]), (old["parentHash"], []))
        equal(client.block()["parentHash"], new["hash"])
        equal((client.receipt(hash), client.status(terms), client.same_money()), (None, 0, 0))
        equal(client.call("eth_getTransactionByHash", hash)["blockHash"], None)
        # The block that is not in the chain any more can still be asked for.
        equal(client.call("eth_getBlockByHash", old["hash"]), old)
        equal(len(client.call("eth_getLogs", {"blockHash": old["hash"]})), 3)
        equal(client.call("eth_getLogs", {"fromBlock": old["number"], "address": text(client.vault)}), [])
        client.call("test_mine")
        equal((client.receipt(hash)["status"], client.status(terms)), ("0x1", 1))


def test_after_a_reorganization_another_holder_of_the_secret_can_win(seed):
    with Client() as client:
        client.mint(ALICE, 10**7)
        terms = client.terms()
        client.send(client.carried(RELAYER, client.deposit(terms)))
        first = client.send(client.carried(RELAYER, client.claim(terms, BOB)))
        equal(client.read(client.token, "balanceOf(address)", BOB), terms.amount)
        other = client.carried(OTHER, client.claim(terms, CAROL))
        client.call("test_reorganize", 1, [[other]])
        equal(client.read(client.token, "balanceOf(address)", CAROL), terms.amount)
        equal(client.read(client.token, "balanceOf(address)", BOB), 0)
        client.call("test_mine")
        equal((client.receipt(first)["status"], client.same_money()), ("0x0", 0))


def test_twenty_blocks_are_replaced_by_fewer_or_by_more(seed):
    with Client() as client:
        client.call("test_mine", 25)
        head = client.number("eth_blockNumber")
        sent = [client.send(client.raw(RELAYER)) for _ in range(20)]
        client.call("test_reorganize", 20, length=5)
        equal(client.number("eth_blockNumber"), head + 5)
        equal([client.receipt(hash) for hash in sent], [None] * 20)
        equal(client.nonce(RELAYER, "pending"), 20)
        client.call("test_mine")
        equal({client.receipt(hash)["blockNumber"] for hash in sent}, {hex(head + 6)})
        client.call("test_reorganize", 6, [sent[:1], [], sent[1:3]], keep=False)
        equal(client.number("eth_blockNumber"), head + 7)
        equal([client.receipt(hash)["blockNumber"] for hash in sent[:3]], [hex(head + 1), hex(head + 3), hex(head + 3)])
        equal(client.call("eth_getTransactionByHash", sent[3]), None)
        number, parent = head + 7, client.block(head + 7)
        while number > head - 5:
            number, child = number - 1, parent
            parent = client.block(number)
            equal(child["parentHash"], parent["hash"])


def test_a_branch_that_cannot_be_leaves_the_chain_as_it_was(seed):
    with Client() as client:
        hash = client.send(client.raw(RELAYER))
        before = client.call("test_state")
        wrong = client.raw(RELAYER, nonce=7)
        refused("not in the block", client.call, "test_reorganize", 1, [[], [wrong]])
        equal(client.call("test_state") | {"time": 0}, before | {"time": 0})
        equal(client.receipt(hash)["blockHash"], before["hash"])


def test_what_is_finalized_stays(seed):
    with Client(safe=2, finalized=4) as client:
        client.call("test_mine", 10)
        head = client.number("eth_blockNumber")
        tags = ("latest", "safe", "finalized", "earliest")
        equal([int(client.block(tag)["number"], 16) for tag in tags], [head, head - 2, head - 4, 0])
        refused("would undo a finalized one", client.call, "test_reorganize", 5)
        client.call("test_reorganize", 4, length=1)
        equal([int(client.block(tag)["number"], 16) for tag in tags], [head - 3, head - 4, head - 4, 0])
        client.call("test_finality", 0, 0)
        equal([int(client.block(tag)["number"], 16) for tag in tags], [head - 3, head - 3, head - 3, 0])
        refused("would undo a finalized one", client.call, "test_reorganize", 1)


def test_the_money_adds_up_in_random_histories_with_reorganizations(seed):
    source = random.Random(seed)
    with Client(finalized=1000) as client:
        client.call("test_mining", "manual")
        client.mint(ALICE, 10**9)
        base = client.number("eth_blockNumber")
        claims, depth = [], 0
        for _ in range(40):
            step = source.random()
            if step < 0.5 or not claims:
                claims.append(client.terms(source.randrange(1, 10**6)))
                payload = client.deposit(claims[-1])
            else:
                terms = source.choice(claims)
                payload = client.claim(terms, source.choice((BOB, CAROL))) if step < 0.9 else terms.refund()
            key = source.choice((RELAYER, OTHER))
            client.send(client.carried(key, payload, nonce=client.nonce(key, "pending")))
            if source.random() < 0.7:
                client.call("test_mine", source.randrange(1, 3))
            head = client.number("eth_blockNumber")
            if source.random() < 0.15 and head > base:
                depth = source.randrange(1, min(20, head - base) + 1)
                client.call("test_reorganize", depth, keep=source.random() < 0.7)
            client.same_money()
        head = client.number("eth_blockNumber")
        sums = [client.same_money(hex(number)) for number in range(base, head + 1)]
        assert any(sums) and depth, "nothing was locked, or nothing was reorganized"
        pending = sum(terms.amount for terms in claims if client.status(terms) == 1)
        paid = sum(client.read(client.token, "balanceOf(address)", account) for account in (BOB, CAROL))
        equal((pending, client.read(client.token, "balanceOf(address)", ALICE)), (sums[-1], 10**9 - paid - pending))


# Lies


def test_a_node_that_lags_shows_the_chain_without_its_last_blocks(seed):
    with Client() as client:
        head = client.number("eth_blockNumber")
        hash = client.send(client.raw(RELAYER))
        client.call("test_lag", 1)
        equal((client.number("eth_blockNumber"), client.block(head + 1)), (head, None))
        equal((client.receipt(hash), client.nonce(RELAYER)), (None, 0))
        equal(client.call("eth_getTransactionByHash", hash)["blockHash"], None)
        client.call("test_honest")
        equal((client.receipt(hash)["status"], client.nonce(RELAYER)), ("0x1", 1))


def test_a_node_forgets_a_transaction(seed):
    with Client() as client:
        mined = client.send(client.raw(RELAYER))
        client.call("test_mining", "manual")
        waiting = client.send(client.raw(RELAYER))
        for hash in (mined, waiting):
            client.call("test_forget", hash)
            equal((client.receipt(hash), client.call("eth_getTransactionByHash", hash)), (None, None))
        client.call("test_mine")
        equal((client.block()["transactions"], client.nonce(RELAYER)), ([], 1))
        client.call("test_honest")
        equal(client.receipt(mined)["status"], "0x1")


def test_a_node_takes_a_transaction_and_has_it_not(seed):
    with Client() as client:
        client.call("test_fault", "swallow", ["eth_sendRawTransaction"], 1)
        raw = client.raw(RELAYER)
        hash = client.send(raw)
        equal((client.call("eth_getTransactionByHash", hash), client.nonce(RELAYER, "pending")), (None, 0))
        equal((client.send(raw), client.receipt(hash)["status"]), (hash, "0x1"))


def test_receipts_are_null_though_a_transaction_is_mined(seed):
    with Client() as client:
        hash = client.send(client.raw(RELAYER))
        client.call("test_fault", "null", ["eth_getTransactionReceipt"])
        equal([client.receipt(hash) for _ in range(3)], [None] * 3)
        assert client.call("eth_getTransactionByHash", hash)["blockHash"]
        client.call("test_honest")
        assert client.receipt(hash)


def test_answers_are_of_another_chain_or_errors_or_garbage(seed):
    with Client() as client:
        client.call("test_fault", "result", ["eth_chainId"], 1, "0x2105")
        equal([client.number("eth_chainId"), client.number("eth_chainId")], [8453, CHAIN])
        client.call("test_fault", "error", ["eth_call"], 1, {"code": -32603, "message": "out of memory"})
        equal(refused("out of memory", client.call, "eth_call", {})["code"], -32603)
        client.call("test_fault", "error", times=1)
        refused("internal error", client.call, "eth_blockNumber")
        request = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "eth_chainId", "params": []})
        client.call("test_fault", kind="status", times=2)
        for _ in range(2):
            response, body = client.post(request)
            equal((response.status, response.headers["Retry-After"]), (429, "1"))
            equal(json.loads(body)["error"]["code"], -32005)
        client.call("test_fault", kind="status", times=1, value=503)
        equal(client.post(request)[0].status, 503)
        client.call("test_fault", kind="garbage", times=1)
        equal(client.post(request)[1], b"<html>502 Bad Gateway</html>")
        client.call("test_fault", kind="other id", times=1)
        equal(json.loads(client.post(request)[1])["id"], "not 7")
        equal(client.number("eth_chainId"), CHAIN)
        refused("no fault of kind", client.call, "test_fault", "sulk")


def disconnected(client, method, *parameters):
    try:
        client.call(method, *parameters)
    except (http.client.HTTPException, OSError):
        return
    raise AssertionError(f"{method} was answered")


def test_a_connection_ends_before_or_after_what_was_asked_for(seed):
    with Client() as client:
        raw = client.raw(RELAYER)
        client.call("test_fault", "close", ["eth_sendRawTransaction"], 1)
        disconnected(client, "eth_sendRawTransaction", raw)
        equal(client.nonce(RELAYER), 0)
        client.call("test_fault", "lost", ["eth_sendRawTransaction"], 1)
        disconnected(client, "eth_sendRawTransaction", raw)
        equal(client.nonce(RELAYER), 1)
        client.call("test_fault", "truncated", times=1)
        disconnected(client, "eth_chainId")
        equal(client.number("eth_chainId"), CHAIN)


def test_a_call_hangs_until_the_node_is_honest_and_others_do_not(seed):
    with Client() as client:
        client.call("test_fault", "hang", ["eth_blockNumber"])
        other = Client.__new__(Client)
        other.server, other.connection = client.server, None
        ended = threading.Event()

        def hang():
            disconnected(other, "eth_blockNumber")
            ended.set()

        threading.Thread(target=hang, daemon=True).start()
        # Other calls are answered meanwhile; the first of them perhaps before the one that hangs has come.
        for _ in range(20):
            equal(client.number("eth_chainId"), CHAIN)
        assert not ended.is_set()
        client.call("test_honest")
        assert ended.wait(180)
        assert client.number("eth_blockNumber")


# Accounts with code


def test_a_sender_that_delegated_by_EIP_7702_has_its_own_signature_refused(seed):
    with Client() as client:
        client.mint(ALICE, 10**7)
        account = eth_account.Account.from_key(SENDER.to_bytes(32, "big"))
        signed = account.sign_authorization({"chainId": CHAIN, "address": checksummed(client.vault), "nonce": 1})
        raw = client.raw(SENDER, to=CAROL, type=4, authorizationList=[signed])
        equal(client.receipt(client.send(raw))["status"], "0x1")
        equal(client.call("eth_getCode", text(ALICE), "latest"), "0xef0100" + client.vault.hex())
        terms = client.terms()
        call = {"to": text(client.vault), "data": text(client.deposit(terms))}
        refused("execution reverted: FiatTokenV2: invalid signature", client.call, "eth_call", call)
        # It can still deposit by a transaction of its own.
        approve = abi.call("approve(address,uint256)", client.vault, terms.amount)
        client.send(client.raw(SENDER, to=client.token, payload=approve))
        equal(client.receipt(client.send(client.carried(SENDER, terms.deposit())))["status"], "0x1")
        equal(client.same_money(), terms.amount)


def test_a_test_sets_code_and_coins_and_calls_as_the_issuer(seed):
    with Client() as client:
        client.mint(ALICE, 10**7)
        client.call("test_code", text(ALICE), "0xef0100" + "11" * 20)
        equal(client.call("eth_getCode", text(ALICE)), "0xef0100" + "11" * 20)
        call = {"to": text(client.vault), "data": text(client.deposit(client.terms()))}
        refused("FiatTokenV2: invalid signature", client.call, "eth_call", call)
        client.call("test_code", text(ALICE), "0x")
        client.call("eth_call", call)
        client.call("test_issuer", "pause()")
        refused("Pausable: paused", client.call, "eth_call", call)
        client.call("test_balance", text(address_of(RELAYER)), "5")
        equal(client.number("eth_getBalance", text(address_of(RELAYER)), "latest"), 5)
        refused("insufficient funds", client.send, client.raw(RELAYER))


def test_a_deployed_wallet_signs_by_EIP_1271(seed):
    with Client() as client:
        wallet = bytes.fromhex(client.call("test_deploy", "SmartWallet", ["address"], text(ALICE))[2:])
        client.mint(wallet, 10**7)
        terms = client.terms()
        valid_before = client.number("test_time") + 600
        signature = abi.authorization(SENDER, CHAIN, client.vault, terms, valid_before, wallet)
        client.send(client.carried(RELAYER, terms.carried_deposit(wallet, valid_before, signature)))
        equal((client.status(terms), client.same_money()), (1, terms.amount))


# The process


def test_the_process_says_where_it_is_and_ends_when_it_is_told_to(seed):
    script = pathlib.Path(__file__).with_name("node.py")
    arguments = ["--token", "--vault", "--chain-id", "84532", "--fund", text(BOB)]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen([sys.executable, script, *arguments], stdout=subprocess.PIPE, env=environment)
    try:
        line = json.loads(process.stdout.readline())
        equal(sorted(line), ["chainId", "token", "url", "vault"])
        host, port = line["url"].removeprefix("http://").split(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=180)
        for method, parameters, expected in (
            ("eth_chainId", [], hex(84532)),
            ("eth_getBalance", [text(BOB), "latest"], hex(1000 * 10**18)),
        ):
            connection.request("POST", "/", json.dumps({"id": 1, "method": method, "params": parameters}))
            equal(json.loads(connection.getresponse().read())["result"], expected)
        connection.close()
    finally:
        process.terminate()
        equal(process.wait(), 0)
        process.stdout.close()


def main():
    parser = argparse.ArgumentParser(description="Tests of the test node. node_tests.sh runs it, with what it needs.")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    suite.run(sys.modules[__name__], parser.parse_args().seed)


if __name__ == "__main__":
    main()
