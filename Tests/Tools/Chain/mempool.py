"""Transactions that wait for a block, by the rules of geth's pool, with its sentences."""

import heapq

from chain import GAS_LIMIT

# By how much both fees of a replacement are higher at least, in percent.
REPLACEMENT = 10


class Refused(Exception):
    """A transaction that the pool does not take."""


def fee_cap(transaction):
    return getattr(transaction, "max_fee_per_gas", None) or transaction.gas_price


def tip_cap(transaction):
    fee = getattr(transaction, "max_priority_fee_per_gas", None)
    return transaction.gas_price if fee is None else fee


def tip(transaction, base_fee):
    return min(tip_cap(transaction), fee_cap(transaction) - base_fee)


class Mempool:
    """At most one transaction for each sender and nonce. The next nonces and balances are asked of a state."""

    def __init__(self, chain_id):
        self.chain_id = chain_id
        self.waiting = {}  # of each sender, by nonce

    def __contains__(self, hash):
        return self.get(hash) is not None

    def get(self, hash):
        return next((each for each in self.all() if each.hash == hash), None)

    def all(self):
        return [nonces[nonce] for nonces in self.waiting.values() for nonce in sorted(nonces)]

    def add(self, transaction, state):
        """Takes a transaction in, or raises why not."""
        check(transaction, self.chain_id)
        if transaction.hash in self:
            raise Refused("already known")
        sender = transaction.sender
        next_nonce = state.get_nonce(sender)
        if transaction.nonce < next_nonce:
            raise Refused(f"nonce too low: next nonce {next_nonce}, tx nonce {transaction.nonce}")
        balance, cost = state.get_balance(sender), transaction.gas * fee_cap(transaction) + transaction.value
        if balance < cost:
            sums = f"balance {balance}, tx cost {cost}, overshot {cost - balance}"
            raise Refused(f"insufficient funds for gas * price + value: {sums}")
        old = self.waiting.get(sender, {}).get(transaction.nonce)
        if old:
            for fee in (fee_cap, tip_cap):
                if fee(transaction) * 100 < fee(old) * (100 + REPLACEMENT):
                    raise Refused("replacement transaction underpriced")
        self.waiting.setdefault(sender, {})[transaction.nonce] = transaction

    def remove(self, transaction):
        nonces = self.waiting.get(transaction.sender, {})
        if nonces.get(transaction.nonce) and nonces[transaction.nonce].hash == transaction.hash:
            del nonces[transaction.nonce]

    def settle(self, state):
        """Drops what can be in no block any more, since its nonce was used."""
        for sender, nonces in self.waiting.items():
            next_nonce = state.get_nonce(sender)
            for nonce in [nonce for nonce in nonces if nonce < next_nonce]:
                del nonces[nonce]

    def next_nonce(self, sender, state):
        """The nonce after those that wait without a gap."""
        nonce = state.get_nonce(sender)
        while nonce in self.waiting.get(sender, {}):
            nonce += 1
        return nonce

    def executable(self, state):
        """What could be mined now or after others here, and what waits for a nonce that is missing."""
        pending = [
            nonces[nonce]
            for sender, nonces in self.waiting.items()
            for nonce in sorted(nonces)
            if nonce < self.next_nonce(sender, state)
        ]
        return pending, [each for each in self.all() if each not in pending]

    def chosen(self, state, base_fee):
        """What a block takes, in its order: the highest tip first, each sender's by nonce."""
        heads, order = [], []

        def offer(sender, nonce):
            transaction = self.waiting[sender].get(nonce)
            if transaction and fee_cap(transaction) >= base_fee:
                heapq.heappush(heads, (-tip(transaction, base_fee), transaction.hash, sender, nonce))

        for sender in self.waiting:
            offer(sender, state.get_nonce(sender))
        gas = GAS_LIMIT
        while heads:
            _, _, sender, nonce = heapq.heappop(heads)
            transaction = self.waiting[sender][nonce]
            # A block's gas is bounded by what its transactions may use.
            if transaction.gas <= gas:
                gas -= transaction.gas
                order.append(transaction)
                offer(sender, nonce + 1)
        return order


def check(transaction, chain_id):
    """What can be said of a transaction alone."""
    try:
        transaction.validate()
        transaction.check_signature_validity()
        transaction.sender
    except Exception as error:  # py-evm and eth-keys have many classes for it
        raise Refused(f"invalid sender: {error}") from None
    if transaction.chain_id != chain_id:
        raise Refused(f"invalid sender: invalid chain id for signer: have {transaction.chain_id} want {chain_id}")
    if tip_cap(transaction) > fee_cap(transaction):
        raise Refused("max priority fee per gas higher than max fee per gas")
    if tip_cap(transaction) < 1:
        raise Refused("transaction underpriced: gas tip cap 0, minimum needed 1")
    if transaction.gas > GAS_LIMIT:
        raise Refused("exceeds block gas limit")
    if transaction.gas < transaction.intrinsic_gas:
        raise Refused(f"intrinsic gas too low: gas {transaction.gas}, minimum needed {transaction.intrinsic_gas}")
