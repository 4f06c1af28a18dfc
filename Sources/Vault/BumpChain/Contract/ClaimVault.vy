# pragma version 0.4.3
# pragma evm-version cancun
"""
@title ClaimVault
@notice Locks tokens until a claim's secret is proven, or until the claim expires.
@dev The rules of a claim are all here. The contract has no owner, no pause and no upgrade.

     A deposit locks an amount of one token under an id, which is the hash of the claim's terms. Whoever knows the
     secret can have the amount paid to a receiver before the expiry. From the expiry on, anybody can have it returned
     to the sender. Each id is used once.
"""

# What the contract calls of a token.
interface Token:
    def balanceOf(account: address) -> uint256: view
    def transfer(to: address, amount: uint256) -> bool: nonpayable
    def transferFrom(sender: address, to: address, amount: uint256) -> bool: nonpayable
    # EIP-3009, in the form that takes the signatures of contracts too
    def receiveWithAuthorization(
        sender: address,
        to: address,
        amount: uint256,
        validAfter: uint256,
        validBefore: uint256,
        nonce: bytes32,
        signature: Bytes[2048],
    ): nonpayable

event ClaimCreated:
    claimId: indexed(bytes32)
    sender: indexed(address)
    token: address
    amount: uint256
    expiry: uint40

event Claimed:
    claimId: indexed(bytes32)
    receiver: indexed(address)

event Refunded:
    claimId: indexed(bytes32)

# A claim as `claims` returns it.
struct Claim:
    sender: address
    token: address
    amount: uint256
    expiry: uint40
    status: uint8
    secretHash: bytes32

# A claim as it is stored, in three words.
struct Record:
    # sender << 96 | amount
    senderAndAmount: uint256
    # token << 48 | expiry << 8 | status
    tokenExpiryStatus: uint256
    secretHash: bytes32

PENDING: constant(uint256) = 1
CLAIMED: constant(uint256) = 2
REFUNDED: constant(uint256) = 3

DOMAIN_TYPE: constant(bytes32) = keccak256(
    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
)
NAME: constant(bytes32) = keccak256("ClaimVault")
VERSION: constant(bytes32) = keccak256("1")
CLAIM_TYPE: constant(bytes32) = keccak256("Claim(bytes32 claimId,address receiver)")

# Half of the order of secp256k1. Of the two forms that a signature has, only the one with the smaller s is taken.
HALF_ORDER: constant(uint256) = 57896044618658097711785492504343953926418782139537452191302581570759080747168

# How much of each token is locked in pending claims.
locked: public(HashMap[address, uint256])

records: HashMap[bytes32, Record]


@external
@nonreentrant
def deposit(claimId: bytes32, token: address, amount: uint256, secretHash: bytes32, expiry: uint40):
    """
    @notice Locks an amount that the caller has approved.
    @param claimId The hash of secretHash, token, amount and expiry
    @param secretHash The hash of the address of the claim's key
    @param expiry The time in seconds since 1970 from which the claim can be refunded
    """
    self._create(claimId, msg.sender, token, amount, secretHash, expiry)
    before: uint256 = staticcall Token(token).balanceOf(self)
    # A token that returns nothing reverts where it fails, and then the balance is looked at too.
    assert extcall Token(token).transferFrom(msg.sender, self, amount, default_return_value=True), "transfer failed"
    self._checkReceived(token, before, amount)


@external
@nonreentrant
def depositWithAuthorization(
    sender: address,
    claimId: bytes32,
    token: address,
    amount: uint256,
    secretHash: bytes32,
    expiry: uint40,
    validBefore: uint256,
    signature: Bytes[2048],
):
    """
    @notice Locks an amount of a sender who signed an EIP-3009 authorization for it. Anybody can carry it here.
    @dev The authorization's nonce is the claim's id, so it is good for these terms and no others.
    """
    self._create(claimId, sender, token, amount, secretHash, expiry)
    before: uint256 = staticcall Token(token).balanceOf(self)
    extcall Token(token).receiveWithAuthorization(sender, self, amount, 0, validBefore, claimId, signature)
    self._checkReceived(token, before, amount)


@external
@nonreentrant
def claim(claimId: bytes32, proof: Bytes[65], receiver: address):
    """
    @notice Pays a claim to the receiver that the proof names. Anybody can carry the proof here.
    @param proof The signature by the claim's key over the receiver, as EIP-712 in this contract's domain
    """
    self._checkPending(claimId)
    record: Record = self.records[claimId]
    token: address = self._token(record)
    assert receiver not in [empty(address), self, token], "wrong receiver"
    signer: address = self._signer(claimId, receiver, proof)
    assert signer != empty(address), "wrong proof"
    assert keccak256(slice(convert(signer, bytes32), 12, 20)) == record.secretHash, "wrong proof"
    assert block.timestamp < self._expiry(record), "expired"
    self._settle(claimId, record, CLAIMED)
    log Claimed(claimId=claimId, receiver=receiver)
    self._pay(token, receiver, record)


@external
@nonreentrant
def refund(claimId: bytes32):
    """
    @notice Returns the amount of an expired claim to its sender. Anybody can call this.
    """
    self._checkPending(claimId)
    record: Record = self.records[claimId]
    assert block.timestamp >= self._expiry(record), "not expired"
    self._settle(claimId, record, REFUNDED)
    log Refunded(claimId=claimId)
    self._pay(self._token(record), self._sender(record), record)


@external
@view
def claims(claimId: bytes32) -> Claim:
    """
    @notice Returns a claim. The status is 0 for none, 1 for pending, 2 for claimed and 3 for refunded.
    """
    record: Record = self.records[claimId]
    return Claim(
        sender=self._sender(record),
        token=self._token(record),
        amount=self._amount(record),
        expiry=convert(self._expiry(record), uint40),
        status=convert(record.tokenExpiryStatus & 255, uint8),
        secretHash=record.secretHash,
    )


@internal
def _create(claimId: bytes32, sender: address, token: address, amount: uint256, secretHash: bytes32, expiry: uint40):
    assert claimId == keccak256(abi_encode(secretHash, token, amount, expiry)), "wrong id"
    assert self.records[claimId].tokenExpiryStatus == 0, "id used"
    assert 0 < amount and amount < 2**96, "wrong amount"
    assert block.timestamp < convert(expiry, uint256), "expired"
    self.records[claimId] = Record(
        senderAndAmount=self._number(sender) << 96 | amount,
        tokenExpiryStatus=self._number(token) << 48 | convert(expiry, uint256) << 8 | PENDING,
        secretHash=secretHash,
    )
    self.locked[token] += amount
    log ClaimCreated(claimId=claimId, sender=sender, token=token, amount=amount, expiry=expiry)


@internal
@view
def _checkReceived(token: address, before: uint256, amount: uint256):
    # A token that keeps a fee would leave the vault with less than is locked.
    assert staticcall Token(token).balanceOf(self) >= before + amount, "amount not received"


@internal
@view
def _checkPending(claimId: bytes32):
    # Reads one word alone, since a claim that comes too late costs whoever carries it.
    assert self.records[claimId].tokenExpiryStatus & 255 == PENDING, "not pending"


@internal
def _settle(claimId: bytes32, record: Record, status: uint256):
    # From pending to the other status, with the other bits as they were.
    self.records[claimId].tokenExpiryStatus = record.tokenExpiryStatus - PENDING + status
    self.locked[self._token(record)] -= self._amount(record)


@internal
def _pay(token: address, receiver: address, record: Record):
    # Where the token refuses the receiver all is undone, and the claim stays pending.
    assert extcall Token(token).transfer(
        receiver, self._amount(record), default_return_value=True
    ), "transfer failed"


@internal
@view
def _signer(claimId: bytes32, receiver: address, proof: Bytes[65]) -> address:
    """
    @dev Returns the zero address where nobody signed, or where the signature has not the one form that is taken.
    """
    if len(proof) != 65:
        return empty(address)
    r: uint256 = extract32(proof, 0, output_type=uint256)
    s: uint256 = extract32(proof, 32, output_type=uint256)
    v: uint256 = convert(slice(proof, 64, 1), uint256)
    if s > HALF_ORDER or (v != 27 and v != 28):
        return empty(address)
    # Computed at each call, so that a proof is good on one side of a fork only.
    domain: bytes32 = keccak256(abi_encode(DOMAIN_TYPE, NAME, VERSION, chain.id, self))
    message: bytes32 = keccak256(abi_encode(CLAIM_TYPE, claimId, receiver))
    return ecrecover(keccak256(concat(x"1901", domain, message)), v, r, s)


@internal
@pure
def _number(account: address) -> uint256:
    return convert(convert(account, uint160), uint256)


@internal
@pure
def _sender(record: Record) -> address:
    return convert(convert(record.senderAndAmount >> 96, uint160), address)


@internal
@pure
def _amount(record: Record) -> uint256:
    return record.senderAndAmount & (2**96 - 1)


@internal
@pure
def _token(record: Record) -> address:
    return convert(convert(record.tokenExpiryStatus >> 48, uint160), address)


@internal
@pure
def _expiry(record: Record) -> uint256:
    return record.tokenExpiryStatus >> 8 & (2**40 - 1)
