"""What the calls of ClaimVault cost, in blocks of py-evm, and how far that is from the figures that are promised."""

import abi
import chain
import eth_abi
import world
from abi import address_of

CHAIN = 31337
START = 1_800_000_000
RELAYER, SENDER = 201, 1
# How far a figure may be above the promise.
TOLERANCE = 0.03


class Accounts:
    """A chain with the contracts on it. Each transaction has a block of its own, so nothing is warm."""

    def __init__(self):
        self.keys = {address_of(key): key for key in (RELAYER, SENDER)}
        self.chain = chain.Chain(CHAIN, dict.fromkeys(self.keys, 10**24), START)
        self.time = START
        self.gas = {}
        self.vault, self.gas["deployment"] = self.deploy("ClaimVault")
        self.token, _ = self.deploy("TestToken")

    def deploy(self, name, types=(), *arguments):
        creation = bytes.fromhex(world.code(name)[0]["bytecode"][2:]) + eth_abi.encode(types, arguments)
        receipt = self.mine(address_of(RELAYER), b"", creation)
        return self.created, receipt

    def mine(self, sender, to, data):
        """The gas of a transaction, alone in the next block."""
        builder = self.chain.evm.get_transaction_builder()
        nonce = self.chain.state(self.chain.head).get_nonce(sender)
        unsigned = builder.new_unsigned_dynamic_fee_transaction(
            chain_id=CHAIN, nonce=nonce, max_priority_fee_per_gas=1, max_fee_per_gas=10**12, gas=5_000_000, to=to,
            value=0, data=data, access_list=(),
        )  # fmt: skip
        self.time += 1
        transaction = chain.signed(unsigned, self.keys[sender])
        block, refused = self.chain.build([transaction], self.time)
        assert not refused, refused[0][1]
        fields = self.chain.receipt_fields(block, 0)
        self.created, self.succeeded = fields["contract_address"], fields["status"] == 1
        return fields["gas_used"]

    def send(self, sender, to, data, succeeds=True):
        gas = self.mine(address_of(sender), to, data)
        assert self.succeeded == succeeds, "a transaction ended as it should not"
        return gas

    def terms(self, key):
        return abi.Terms(key, self.token, 1_000_000, START + 86_400)

    def carry_deposit(self, key, signer=SENDER, sender=None):
        terms = self.terms(key)
        sender = sender or address_of(signer)
        signature = abi.authorization(signer, CHAIN, self.vault, terms, START + 600, sender)
        return self.send(RELAYER, self.vault, terms.carried_deposit(sender, START + 600, signature))

    def carry_claim(self, key, receiver, succeeds=True):
        terms = self.terms(key)
        proof = terms.proof(CHAIN, self.vault, receiver)
        return self.send(RELAYER, self.vault, terms.claim(proof, receiver), succeeds)

    def mint(self, account):
        self.send(RELAYER, self.token, abi.call("mint(address,uint256)", account, 10**9))


def measured():
    """Rows of what is done, its gas, and the gas that is promised. What the token does alone is promised by nobody."""
    accounts = Accounts()
    rows = [("deployment", accounts.gas["deployment"], 1_240_000)]

    def row(name, gas, promise=None):
        rows.append((name, gas, promise))

    accounts.mint(address_of(SENDER))
    old = address_of(101)
    accounts.mint(old)
    row("`depositWithAuthorization`, the first of a token", accounts.carry_deposit(1001), 191_000)
    row("`claim` of all that is locked, to a new receiver", accounts.carry_claim(1001, address_of(102)), 74_000)
    wallet, _ = accounts.deploy("SmartWallet", ["address"], address_of(SENDER))
    accounts.mint(wallet)
    signed_by_contract = accounts.carry_deposit(1002, SENDER, wallet)
    row("`depositWithAuthorization` of a contract, the first of a token", signed_by_contract, 194_000)
    row("`depositWithAuthorization`", accounts.carry_deposit(1003), 157_000)
    row("`claim`", accounts.carry_claim(1002, old), 67_000)
    row("`claim` that comes too late, and reverts", accounts.carry_claim(1002, old, succeeds=False), 27_000)
    row("`claim` of all that is locked", accounts.carry_claim(1003, old), 57_000)
    approve = abi.call("approve(address,uint256)", accounts.vault, 1_000_000)
    row("`approve` of the token", accounts.send(SENDER, accounts.token, approve))
    deposit = [accounts.terms(key).deposit() for key in (1004, 1005)]
    row("`deposit`, the first of a token", accounts.send(SENDER, accounts.vault, deposit[0]), 158_000)
    accounts.send(SENDER, accounts.token, approve)
    row("`deposit`", accounts.send(SENDER, accounts.vault, deposit[1]))
    accounts.carry_deposit(1006)
    row("`claim` to a new receiver", accounts.carry_claim(1006, address_of(103)))
    accounts.time = START + 86_400
    refunds = [accounts.send(RELAYER, accounts.vault, accounts.terms(key).refund()) for key in (1004, 1005)]
    row("`refund`", refunds[0])
    row("`refund` of all that is locked", refunds[1], 49_000)
    return rows


def table(rows):
    """The rows as Docs/chain.md has them, in hundreds."""
    return "\n".join(["| | gas |", "|---|---|", *(f"| {name} | {round(gas, -2):,} |" for name, gas, _ in rows)])


def too_dear(rows):
    return [
        f"{name} costs {gas:,} gas, more than {1 + TOLERANCE:.2f} times {promise:,}"
        for name, gas, promise in rows
        if promise and gas > promise * (1 + TOLERANCE)
    ]
