# pragma version 0.4.3
# pragma evm-version cancun
"""
@title TestToken
@notice Test money with the rules of USDC (FiatTokenV2_2) that matter to a vault: EIP-3009 with signatures as bytes,
        signatures of contracts by EIP-1271, a blocklist and a pause. The reasons of its reverts are those of USDC.
@dev As in USDC, a sender that has code is asked for its signature by EIP-1271, even one that only delegates by
     EIP-7702 and could sign by itself.
"""

event Transfer:
    sender: indexed(address)
    to: indexed(address)
    value: uint256

event Approval:
    owner: indexed(address)
    spender: indexed(address)
    value: uint256

event AuthorizationUsed:
    authorizer: indexed(address)
    nonce: indexed(bytes32)

event AuthorizationCanceled:
    authorizer: indexed(address)
    nonce: indexed(bytes32)

name: public(constant(String[8])) = "USD Coin"
version: public(constant(String[1])) = "2"
symbol: public(constant(String[4])) = "USDC"
decimals: public(constant(uint8)) = 6

DOMAIN_TYPE: constant(bytes32) = keccak256(
    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
)
# The hash of ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,
# bytes32 nonce), without the line's end.
RECEIVE_TYPE: constant(bytes32) = 0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8
CANCEL_TYPE: constant(bytes32) = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)")
HALF_ORDER: constant(uint256) = 57896044618658097711785492504343953926418782139537452191302581570759080747168
# What a contract returns by EIP-1271 for a signature of its own.
MAGIC: constant(bytes32) = 0x1626ba7e00000000000000000000000000000000000000000000000000000000

BLOCKED: constant(uint256) = 1 << 255

owner: public(address)
paused: public(bool)
totalSupply: public(uint256)
allowance: public(HashMap[address, HashMap[address, uint256]])
authorizationState: public(HashMap[address, HashMap[bytes32, bool]])
# The balance, and the blocklist in the highest bit, as in USDC: a transfer reads one word for both.
accounts: HashMap[address, uint256]


@deploy
def __init__():
    self.owner = msg.sender


@external
@view
def balanceOf(account: address) -> uint256:
    return self.accounts[account] & ~BLOCKED


@external
@view
def isBlacklisted(account: address) -> bool:
    return self.accounts[account] & BLOCKED != 0


@external
@view
def DOMAIN_SEPARATOR() -> bytes32:
    return self._domain()


@external
def mint(to: address, amount: uint256) -> bool:
    assert msg.sender == self.owner, "FiatToken: caller is not a minter"
    self._check(to)
    self.totalSupply += amount
    self._credit(to, amount)
    log Transfer(sender=empty(address), to=to, value=amount)
    return True


@external
def pause():
    assert msg.sender == self.owner, "Pausable: caller is not the pauser"
    self.paused = True


@external
def unpause():
    assert msg.sender == self.owner, "Pausable: caller is not the pauser"
    self.paused = False


@external
def blacklist(account: address):
    assert msg.sender == self.owner, "Blacklistable: caller is not the blacklister"
    self.accounts[account] |= BLOCKED


@external
def unBlacklist(account: address):
    assert msg.sender == self.owner, "Blacklistable: caller is not the blacklister"
    self.accounts[account] &= ~BLOCKED


@external
def approve(spender: address, amount: uint256) -> bool:
    # Since its version 2.2 USDC lets blocked accounts approve.
    self._checkPause()
    self.allowance[msg.sender][spender] = amount
    log Approval(owner=msg.sender, spender=spender, value=amount)
    return True


@external
def transfer(to: address, amount: uint256) -> bool:
    self._checkPause()
    self._move(msg.sender, to, amount)
    return True


@external
def transferFrom(sender: address, to: address, amount: uint256) -> bool:
    self._checkPause()
    self._check(msg.sender)
    allowed: uint256 = self.allowance[sender][msg.sender]
    assert amount <= allowed, "ERC20: transfer amount exceeds allowance"
    self._move(sender, to, amount)
    self.allowance[sender][msg.sender] = allowed - amount
    return True


@external
def receiveWithAuthorization(
    sender: address,
    to: address,
    amount: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: bytes32,
    signature: Bytes[2048],
):
    self._checkPause()
    assert to == msg.sender, "FiatTokenV2: caller must be the payee"
    assert block.timestamp > validAfter, "FiatTokenV2: authorization is not yet valid"
    assert block.timestamp < validBefore, "FiatTokenV2: authorization is expired"
    message: bytes32 = keccak256(abi_encode(RECEIVE_TYPE, sender, to, amount, validAfter, validBefore, nonce))
    self._use(sender, nonce, message, signature)
    log AuthorizationUsed(authorizer=sender, nonce=nonce)
    self._move(sender, to, amount)


@external
def cancelAuthorization(authorizer: address, nonce: bytes32, signature: Bytes[2048]):
    self._checkPause()
    self._use(authorizer, nonce, keccak256(abi_encode(CANCEL_TYPE, authorizer, nonce)), signature)
    log AuthorizationCanceled(authorizer=authorizer, nonce=nonce)


@internal
@view
def _checkPause():
    assert not self.paused, "Pausable: paused"


@internal
@view
def _check(account: address):
    assert self.accounts[account] & BLOCKED == 0, "Blacklistable: account is blacklisted"


@internal
def _credit(to: address, amount: uint256):
    balance: uint256 = self.accounts[to] + amount
    assert balance < BLOCKED, "FiatTokenV2_2: Balance exceeds (2^255 - 1)"
    self.accounts[to] = balance


@internal
def _move(sender: address, to: address, amount: uint256):
    self._check(sender)
    self._check(to)
    assert to != empty(address), "ERC20: transfer to the zero address"
    balance: uint256 = self.accounts[sender]
    assert amount <= balance, "ERC20: transfer amount exceeds balance"
    self.accounts[sender] = balance - amount
    self._credit(to, amount)
    log Transfer(sender=sender, to=to, value=amount)


@internal
def _use(signer: address, nonce: bytes32, message: bytes32, signature: Bytes[2048]):
    assert not self.authorizationState[signer][nonce], "FiatTokenV2: authorization is used or canceled"
    digest: bytes32 = keccak256(concat(x"1901", self._domain(), message))
    if signer.is_contract:
        assert self._isContractSignature(signer, digest, signature), "FiatTokenV2: invalid signature"
    else:
        assert self._recover(digest, signature) == signer, "FiatTokenV2: invalid signature"
    self.authorizationState[signer][nonce] = True


@internal
@view
def _domain() -> bytes32:
    return keccak256(abi_encode(DOMAIN_TYPE, keccak256(name), keccak256(version), chain.id, self))


@internal
@view
def _isContractSignature(signer: address, digest: bytes32, signature: Bytes[2048]) -> bool:
    success: bool = False
    answer: Bytes[32] = b""
    success, answer = raw_call(
        signer,
        abi_encode(digest, signature, method_id=method_id("isValidSignature(bytes32,bytes)")),
        max_outsize=32,
        is_static_call=True,
        revert_on_failure=False,
    )
    return success and len(answer) == 32 and convert(answer, bytes32) == MAGIC


@internal
@pure
def _recover(digest: bytes32, signature: Bytes[2048]) -> address:
    assert len(signature) == 65, "ECRecover: invalid signature length"
    r: uint256 = extract32(signature, 0, output_type=uint256)
    s: uint256 = extract32(signature, 32, output_type=uint256)
    v: uint256 = convert(slice(signature, 64, 1), uint256)
    assert s <= HALF_ORDER, "ECRecover: invalid signature 's' value"
    assert v == 27 or v == 28, "ECRecover: invalid signature 'v' value"
    signer: address = ecrecover(digest, v, r, s)
    assert signer != empty(address), "ECRecover: invalid signature"
    return signer
