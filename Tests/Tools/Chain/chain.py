"""Blocks of a test chain, by py-evm in the rules of Prague. A block can be built on any other: the chain can branch."""

import dataclasses

from eth.vm.spoof import SpoofTransaction
from eth_keys import keys
from eth_tester.backends.pyevm import main as tester
from eth_tester.backends.pyevm import serializers

GAS_LIMIT = 30_000_000
BASE_FEE = 10**9


class Reverted(Exception):
    """A call that failed, with what the contract returned."""

    def __init__(self, output, reason):
        super().__init__(reason)
        self.output, self.reason = output, reason


@dataclasses.dataclass(frozen=True)
class Block:
    header: object
    transactions: tuple
    receipts: tuple

    @property
    def number(self):
        return self.header.block_number

    @property
    def hash(self):
        return self.header.hash

    def logs(self):
        """Each log with its transaction's index and its own in the block."""
        index = 0
        for place, receipt in enumerate(self.receipts):
            for log in receipt.logs:
                yield place, index, log
                index += 1


class Chain:
    """The canonical blocks, and how others are built. Not for several threads at once."""

    def __init__(self, chain_id, balances, timestamp):
        empty = {"nonce": 0, "code": b"", "storage": {}}
        state = {account: {"balance": balance, **empty} for account, balance in balances.items()}
        parameters = tester.get_default_genesis_params({"timestamp": timestamp, "gas_limit": GAS_LIMIT})
        _, self.evm = tester.setup_tester_chain(parameters, state, len(state))
        type(self.evm).chain_id = chain_id
        genesis = self.evm.get_block_by_hash(self.evm.get_canonical_head().hash)
        self.blocks = [Block(genesis.header, (), ())]
        self.by_hash = {genesis.hash: self.blocks[0]}
        self.branch = 0
        self.places = {}  # of each transaction in the canonical blocks: its block and index

    @property
    def head(self):
        return self.blocks[-1]

    def decode(self, raw):
        return self.evm.get_transaction_builder().decode(raw)

    def state(self, block):
        """The state after a block, for reading."""
        return self.evm.get_vm(at_header=block.header).state

    def next_base_fee(self, block):
        return self.evm.create_header_from_parent(block.header).base_fee_per_gas

    def build(self, candidates, timestamp, base_fee=None, edit=None):
        """Appends a block to the canonical ones.

        `candidates` are the transactions in their order. One that the chain does not take is left out, and returned.
        `edit` changes the state before them, as no transaction could.
        """
        header = self.evm.create_header_from_parent(self.head.header, timestamp=timestamp)
        if base_fee is not None:
            header = header.copy(base_fee_per_gas=base_fee)
        if edit:
            vm = self.evm.get_vm(header)
            edit(vm.state)
            vm.state.persist()
            header = header.copy(state_root=vm.state.state_root)
        # Blocks of two branches differ, even where all else is equal.
        self.evm.header = header.copy(extra_data=self.branch.to_bytes(4, "big"))
        taken, receipts, refused = [], [], []
        for transaction in candidates:
            try:
                _, receipt, _ = self.evm.apply_transaction(transaction)
            except Exception as error:  # py-evm has many classes for it
                refused.append((transaction, error))
                continue
            taken.append(transaction)
            receipts.append(receipt)
        # Not by mine_block, which would check the block a second time: a base fee that was set is against the rules.
        vm = self.evm.get_vm(self.evm.header)
        finished = vm.finalize_block(vm.pack_block(vm.get_block())).block
        self.evm.persist_block(finished, perform_validation=False)
        block = Block(finished.header, tuple(taken), tuple(receipts))
        self.by_hash[block.hash] = block
        self._append(block)
        return block, refused

    def cut(self, depth):
        """Takes the last blocks away, and returns their transactions."""
        self.branch += 1
        dropped = self.blocks[-depth:]
        del self.blocks[-depth:]
        transactions = [transaction for block in dropped for transaction in block.transactions]
        for transaction in transactions:
            self.places.pop(transaction.hash, None)
        return transactions

    def restore(self, blocks):
        """Makes these the canonical blocks again."""
        self.blocks, self.places = [], {}
        for block in blocks:
            self._append(block)

    def _append(self, block):
        self.blocks.append(block)
        for index, transaction in enumerate(block.transactions):
            self.places[transaction.hash] = block, index

    # Calls

    def _spoofed(self, block, sender, to, data, value, gas):
        # Of the oldest kind, since py-evm's calls without fees take no other.
        unsigned = self.evm.get_transaction_builder().create_unsigned_transaction(
            nonce=self.state(block).get_nonce(sender), gas_price=0, gas=gas, to=to, value=value, data=data
        )
        return SpoofTransaction(unsigned, from_=sender)

    def call(self, block, sender, to, data, value=0, gas=GAS_LIMIT):
        """Returns the output and the gas used, in the state after a block. It costs nobody anything."""
        with self.evm.get_vm(at_header=block.header).in_costless_state() as state:
            computation = state.costless_execute_transaction(self._spoofed(block, sender, to, data, value, gas))
        if computation.is_error:
            output = bytes(computation.output)
            raise Reverted(output, reason(output) or type(computation._error).__name__)
        return bytes(computation.output), gas - computation.get_gas_remaining()

    def estimate(self, block, sender, to, data, value=0):
        """The least gas, to a thousand, with which a transaction does not fail."""
        self.call(block, sender, to, data, value)
        return self.evm.estimate_gas(self._spoofed(block, sender, to, data, value, GAS_LIMIT), block.header)

    # As JSON-RPC has them, by eth-tester, with what it lacks or has otherwise.

    def block_fields(self, block, full):
        fields = serializers.serialize_block(self.evm.get_block_by_header(block.header), full, False)
        fields["logs_bloom"] = block.header.bloom.to_bytes(256, "big")
        fields["miner"] = fields.pop("coinbase")
        if full:
            fields["transactions"] = [
                self.transaction_fields(block, index) for index in range(len(block.transactions))
            ]
        return fields

    def transaction_fields(self, block, index):
        inner = self.evm.get_block_by_header(block.header)
        fields = serializers.serialize_transaction(inner, block.transactions[index], index, False)
        return rpc_names(fields)

    def waiting_fields(self, transaction):
        """A transaction that is in no block."""
        header = self.head.header
        block = self.evm.get_block_by_header(header)
        fields = serializers.serialize_transaction(block, transaction, 0, True)
        return rpc_names(fields)

    def receipt_fields(self, block, index):
        inner = self.evm.get_block_by_header(block.header)
        transaction, receipt = block.transactions[index], block.receipts[index]
        vm = self.evm.get_vm(at_header=block.header)
        fields = serializers.serialize_transaction_receipt(inner, block.receipts, transaction, index, False, vm)
        del fields["state_root"]
        fields["to"] = fields["to"] or None
        fields["logs_bloom"] = receipt.bloom.to_bytes(256, "big")
        fields["logs"] = [self.log_fields(block, *log) for log in block.logs() if log[0] == index]
        return fields

    def log_fields(self, block, place, index, log):
        return {
            "removed": False, "log_index": index, "transaction_index": place,
            "transaction_hash": block.transactions[place].hash, "block_hash": block.hash, "block_number": block.number,
            "address": log.address, "data": log.data, "topics": [topic.to_bytes(32, "big") for topic in log.topics],
        }  # fmt: skip


def rpc_names(transaction):
    """The fields of a transaction under the names that JSON-RPC has for them."""
    transaction["input"] = transaction.pop("data")
    transaction["to"] = transaction["to"] or None
    if "access_list" in transaction:
        transaction["access_list"] = [
            {"address": address, "storageKeys": [slot.to_bytes(32, "big") for slot in slots]}
            for address, slots in transaction["access_list"]
        ]
    return transaction


def reason(output):
    """The text of Error(string); None where a contract returned something else."""
    if output[:4] != bytes.fromhex("08c379a0") or len(output) < 68:
        return None
    length = int.from_bytes(output[36:68], "big")
    return output[68 : 68 + length].decode(errors="replace")


def signed(unsigned, key):
    """A transaction signed by a key, which is a number."""
    return unsigned.as_signed_transaction(keys.PrivateKey(key.to_bytes(32, "big")))
