# pragma version 0.4.3
# pragma evm-version cancun
"""
@title SmartWallet
@notice A sender that is a contract: its signatures are those of its owner's key (EIP-1271).
"""

owner: address


@deploy
def __init__(owner: address):
    self.owner = owner


@external
@view
def isValidSignature(digest: bytes32, signature: Bytes[65]) -> bytes4:
    r: uint256 = extract32(signature, 0, output_type=uint256)
    s: uint256 = extract32(signature, 32, output_type=uint256)
    v: uint256 = convert(slice(signature, 64, 1), uint256)
    if ecrecover(digest, v, r, s) == self.owner:
        return 0x1626ba7e
    return 0xffffffff
