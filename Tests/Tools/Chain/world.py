"""A chain in memory with the contracts on it, by pyrevm: a call takes a fraction of a millisecond."""

import functools
import re

import abi
import artifacts
import eth_abi
import pyrevm
from abi import address_of, keccak256

CHAIN = 31337
START = 1_800_000_000
DAY = 86_400
RELAYER = address_of(201)
DEPLOYER = address_of(202)


@functools.cache
def code(name):
    """The creation code and storage layout of a contract, as compiled from its source now."""
    source = artifacts.VAULT if name == "ClaimVault" else artifacts.CONTRACTS / f"{name}.vy"
    artifact, layout = artifacts.compiled(source)
    return artifact, layout


class Reverted(Exception):
    """A call that changed nothing. Its text is the contract's reason, or what the machine said."""


class World:
    """The vault and the test token, and calls in the name of anybody."""

    def __init__(self, chain_id=CHAIN, time=START):
        self.number = 1
        block = pyrevm.BlockEnv(number=self.number, timestamp=time)
        environment = pyrevm.Env(cfg=pyrevm.CfgEnv(chain_id=chain_id), block=block)
        self.evm = pyrevm.EVM(env=environment, spec_id="CANCUN")
        self.chain_id, self.time = chain_id, time
        self.vault = self.deploy("ClaimVault")
        self.token = self.deploy("TestToken")
        self.keys = iter(range(10_000, 10**9))

    def set_time(self, time):
        self.number += 1
        self.time = time
        self.evm.set_block_env(pyrevm.BlockEnv(number=self.number, timestamp=time))

    # Contracts

    def deploy(self, name, types=(), *arguments):
        creation = bytes.fromhex(code(name)[0]["bytecode"][2:]) + eth_abi.encode(types, arguments)
        return bytes.fromhex(self.evm.deploy(text(DEPLOYER), creation)[2:])

    def place(self, name, address):
        """Puts a contract's code at an address that is given, as no transaction could."""
        runtime = bytes.fromhex(code(name)[0]["deployedBytecode"][2:])
        self.set_code(address, runtime)

    def set_code(self, address, runtime):
        self.evm.insert_account_info(text(address), pyrevm.AccountInfo(code=runtime))

    # Calls

    def send(self, sender, to, data):
        """Calls, and returns the output. The logs of the call are in `logs`."""
        try:
            output = self.evm.message_call(text(sender), text(to), data)
        except RuntimeError as error:
            raise Reverted(reason(str(error))) from None
        self.logs = [
            (log.address.lower(), list(log.topics), log.data[1] if isinstance(log.data, tuple) else log.data)
            for log in self.evm.result.logs
        ]
        # The lock of a transaction ends with it.
        self.evm.reset_transient_storage()
        return output

    def read(self, to, signature, *arguments):
        return self.evm.message_call(text(RELAYER), text(to), abi.call(signature, *arguments), is_static=True)

    def number_of(self, to, signature, *arguments):
        return int.from_bytes(self.read(to, signature, *arguments), "big")

    # What tests look at

    def balance(self, account, token=None):
        return self.number_of(token or self.token, "balanceOf(address)", account)

    def locked(self, token=None):
        return self.number_of(self.vault, abi.LOCKED, token or self.token)

    def claim(self, terms):
        names = ("sender", "token", "amount", "expiry", "status", "secret_hash")
        words = eth_abi.decode(
            ["address", "address", "uint256", "uint40", "uint8", "bytes32"], self.read(self.vault, abi.CLAIMS, terms.id)
        )
        return dict(zip(names, words))

    def status(self, terms):
        return self.claim(terms)["status"]

    # What people do

    def mint(self, account, amount):
        self.send(DEPLOYER, self.token, abi.call("mint(address,uint256)", account, amount))

    def approve(self, sender, amount, token=None):
        self.send(sender, token or self.token, abi.call("approve(address,uint256)", self.vault, amount))

    def terms(self, amount=1_000_000, expiry=None, token=None):
        return abi.Terms(next(self.keys), token or self.token, amount, expiry or self.time + DAY)

    def authorization(self, key, terms, valid_before=None, **changes):
        vault, chain_id = changes.pop("vault", self.vault), changes.pop("chain_id", self.chain_id)
        return abi.authorization(key, chain_id, vault, terms, valid_before or self.time + 600, **changes)

    def carry_deposit(self, key, terms, carrier=RELAYER):
        """A deposit that its sender has signed, and another carries."""
        signature = self.authorization(key, terms)
        self.send(carrier, self.vault, terms.carried_deposit(address_of(key), self.time + 600, signature))

    def proof(self, terms, receiver, key=None):
        return terms.proof(self.chain_id, self.vault, receiver, key)

    def carry_claim(self, terms, receiver, carrier=RELAYER):
        self.send(carrier, self.vault, terms.claim(self.proof(terms, receiver), receiver))

    def funded(self, key, amount=1_000_000):
        """A pending claim of a sender who had just its amount."""
        self.mint(address_of(key), amount)
        terms = self.terms(amount)
        self.carry_deposit(key, terms)
        return terms


def text(address):
    return "0x" + address.hex()


def reason(error):
    """The reason of a revert in what pyrevm says of it."""
    output = re.search(r"Revert \{.*output: 0x([0-9a-f]*)", error)
    if not output:
        return error
    data = bytes.fromhex(output[1])
    if data[:4] != keccak256(b"Error(string)")[:4]:
        return "0x" + data.hex()
    return eth_abi.decode(["string"], data[4:])[0]
