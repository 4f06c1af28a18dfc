# pragma version 0.4.3
# pragma evm-version cancun
"""
@title HostileToken
@notice A token that behaves as its test chooses: it returns false, nothing or a number that is no bool, moves less than
        it says, or calls another contract in the middle of a transfer.
"""

balanceOf: public(HashMap[address, uint256])
# What each transfer returns.
answer: Bytes[32]
# What each transfer keeps for itself.
fee: uint256
# Whether a transfer moves anything.
moves: bool
# What is called in the middle of a transfer.
target: address
data: Bytes[1024]
# Whether that call succeeded.
succeeded: public(bool)


@deploy
def __init__():
    self.moves = True
    self.answer = abi_encode(True)


@external
def mint(to: address, amount: uint256):
    self.balanceOf[to] += amount


@external
def behave(answer: Bytes[32], fee: uint256, moves: bool):
    self.answer = answer
    self.fee = fee
    self.moves = moves


@external
def callBack(target: address, data: Bytes[1024]):
    self.target = target
    self.data = data


@external
@raw_return
def transfer(to: address, amount: uint256) -> Bytes[32]:
    return self._move(msg.sender, to, amount)


@external
@raw_return
def transferFrom(sender: address, to: address, amount: uint256) -> Bytes[32]:
    return self._move(sender, to, amount)


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
    self._move(sender, to, amount)


@internal
def _move(sender: address, to: address, amount: uint256) -> Bytes[32]:
    if self.target != empty(address):
        self.succeeded = raw_call(self.target, self.data, revert_on_failure=False)
    if self.moves:
        self.balanceOf[sender] -= amount
        self.balanceOf[to] += amount - self.fee
    return self.answer
