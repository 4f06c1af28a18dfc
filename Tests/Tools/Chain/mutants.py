"""ClaimVault broken in one way at a time: a test of the contract must fail for each."""

import pathlib
import tempfile

import artifacts
import contract_tests
import world

# The text that is replaced, once, and its replacement.
MUTANTS = (
    ('assert claimId == keccak256(abi_encode(secretHash, token, amount, expiry)), "wrong id"', "pass"),
    ('assert self.records[claimId].tokenExpiryStatus == 0, "id used"', "pass"),
    ("assert 0 < amount and amount < 2**96", "assert amount < 2**96"),
    ("assert 0 < amount and amount < 2**96", "assert 0 < amount and amount <= 2**96"),
    ('assert block.timestamp < convert(expiry, uint256), "expired"', "pass"),
    ("assert block.timestamp < convert(expiry, uint256)", "assert block.timestamp <= convert(expiry, uint256)"),
    ('assert block.timestamp < self._expiry(record), "expired"', "pass"),
    ("assert block.timestamp < self._expiry(record)", "assert block.timestamp <= self._expiry(record)"),
    ('assert block.timestamp >= self._expiry(record), "not expired"', "pass"),
    ("assert block.timestamp >= self._expiry(record)", "assert block.timestamp > self._expiry(record)"),
    ('assert receiver not in [empty(address), self, token], "wrong receiver"', "pass"),
    ("not in [empty(address), self, token]", "not in [empty(address), self]"),
    ("not in [empty(address), self, token]", "not in [empty(address), token]"),
    ("not in [empty(address), self, token]", "not in [self, token]"),
    ('assert signer != empty(address), "wrong proof"', "pass"),
    ('assert keccak256(slice(convert(signer, bytes32), 12, 20)) == record.secretHash, "wrong proof"', "pass"),
    ("if s > HALF_ORDER or (v != 27 and v != 28):", "if v != 27 and v != 28:"),
    ("DOMAIN_TYPE, NAME, VERSION, chain.id, self", "DOMAIN_TYPE, NAME, VERSION, convert(31337, uint256), self"),
    ("DOMAIN_TYPE, NAME, VERSION, chain.id, self", "DOMAIN_TYPE, NAME, VERSION, chain.id, empty(address)"),
    ("abi_encode(CLAIM_TYPE, claimId, receiver)", "abi_encode(CLAIM_TYPE, claimId, self)"),
    ("abi_encode(CLAIM_TYPE, claimId, receiver)", "abi_encode(CLAIM_TYPE, empty(bytes32), receiver)"),
    ('tokenExpiryStatus & 255 == PENDING, "not pending"', 'tokenExpiryStatus & 255 != CLAIMED, "not pending"'),
    ('tokenExpiryStatus & 255 == PENDING, "not pending"', 'tokenExpiryStatus & 255 != REFUNDED, "not pending"'),
    ("self._token(record), self._sender(record), record)", "self._token(record), msg.sender, record)"),
    ("balanceOf(self) >= before + amount", "balanceOf(self) >= before"),
    ("self.locked[token] += amount", "pass"),
    ("self.locked[self._token(record)] -= self._amount(record)", "pass"),
    ("@nonreentrant\ndef claim(", "def claim("),
    ("@nonreentrant\ndef deposit(", "def deposit("),
    ("@nonreentrant\ndef depositWithAuthorization(", "def depositWithAuthorization("),
    ("amount, 0, validBefore, claimId, signature)", "amount, 0, validBefore, secretHash, signature)"),
    (
        "transfer(\n        receiver, self._amount(record), default_return_value=True\n    )",
        "transfer(\n        receiver, self._amount(record), default_return_value=True\n    ) or True",
    ),
)


def survivors():
    """The mutants for which no test fails."""
    source, compiled = artifacts.VAULT.read_text(), world.code
    tests = [test for name, test in vars(contract_tests).items() if name.startswith("test_")]
    with tempfile.TemporaryDirectory() as folder:
        changed = pathlib.Path(folder, "ClaimVault.vy")
        for old, new in MUTANTS:
            assert source.count(old) == 1, f"{old!r} is not in ClaimVault.vy once"
            changed.write_text(source.replace(old, new))
            broken = artifacts.compiled(changed)
            world.code = contract_tests.code = lambda name: broken if name == "ClaimVault" else compiled(name)
            try:
                if not any(fails(test) for test in tests):
                    yield f"{old!r} → {new!r}"
            finally:
                world.code = contract_tests.code = compiled


def fails(test):
    try:
        test(1)
    except Exception:
        return True
    return False
