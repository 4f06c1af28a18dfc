"""node.py [OPTION…]: a node of a chain of its own, which tests talk to as to one of Ethereum.

JSON-RPC over HTTP on loopback. py-evm executes; this file has what it lacks: a mempool, the control of mining,
reorganizations, lagging tags, and lies. Its first line of output is JSON with its URL. It ends with SIGTERM, and keeps
nothing. Calls that only tests have are named `test_…`, and are never faulty; Tests/Tools/Chain/README.md lists them.
"""

import argparse
import http.server
import json
import os
import signal
import socket
import threading
import time
import traceback

import abi
import artifacts
import eth_abi
from abi import address_of
from chain import GAS_LIMIT, Chain, Reverted, signed
from faults import Faults
from mempool import Mempool, Refused, tip

# The key of the token's issuer, who deploys what is asked for too.
ISSUER = 0xB0B
COIN = 10**18
SUGGESTED_TIP = 10**6
LONGEST_BODY = 1 << 20


class RPCError(Exception):
    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.code, self.message, self.data = code, message, data

    def fields(self):
        fields = {"code": self.code, "message": self.message}
        return fields if self.data is None else fields | {"data": self.data}


class Node:
    """The chain as JSON-RPC has it. One call at a time, whoever asks."""

    def __init__(self, chain_id, funded=(), safe=16, finalized=32, block_time=None):
        self.chain_id = chain_id
        self.offset = 0
        balances = {address_of(ISSUER): 10**6 * COIN} | dict.fromkeys(funded, 1000 * COIN)
        self.chain = Chain(chain_id, balances, self.now())
        self.pool = Mempool(chain_id)
        self.faults = Faults()
        self.lock = threading.RLock()
        self.mining = "automatic" if block_time is None else block_time
        self.base_fee = None
        self.lag = 0
        self.safe_lag, self.finalized_lag = safe, finalized
        self.finalized = 0
        self.forgotten = set()
        self.addresses = {}
        threading.Thread(target=self._mine_by_time, daemon=True).start()

    def now(self):
        return int(time.time()) + self.offset

    # Blocks

    def mine(self, transactions=None, timestamp=None, edit=None):
        """Appends a block with these transactions, or with those that the pool has for it."""
        head = self.chain.head
        if transactions is None:
            transactions = self.chosen()
        time = max(head.header.timestamp + 1, self.now() if timestamp is None else timestamp)
        block, refused = self.chain.build(transactions, time, self.base_fee, edit)
        self.pool.settle(self.chain.state(block))
        self.finalized = max(self.finalized, block.number - self.finalized_lag)
        return block, refused

    def chosen(self):
        """What the pool has for the next block."""
        return self.pool.chosen(self.chain.state(self.chain.head), self._base_fee_to_come())

    def exactly(self, transactions):
        """Appends a block with these transactions and no others, or raises why one cannot be in it."""
        block, refused = self.mine(transactions)
        if refused:
            raise RPCError(-32000, f"not in the block: {refused[0][1]}")
        return block

    def _base_fee_to_come(self, block=None):
        """The base fee of the block after that one, or after the head."""
        return self.chain.next_base_fee(block or self.chain.head) if self.base_fee is None else self.base_fee

    def _mine_by_time(self):
        while True:
            with self.lock:
                period = self.mining if isinstance(self.mining, (int, float)) else None
            time.sleep(period or 0.05)
            with self.lock:
                if period and self.mining == period:
                    self.mine()

    # What a reader sees

    @property
    def shown(self):
        """The number of the newest block that is shown."""
        return max(0, len(self.chain.blocks) - 1 - self.lag)

    def block_at(self, tag):
        """The block of a number or tag, or None."""
        if isinstance(tag, dict):
            if "blockHash" in tag:
                block = self.chain.by_hash.get(data(tag["blockHash"]))
                if block is None:
                    raise RPCError(-32000, "header for hash not found")
                return block
            tag = tag.get("blockNumber", "latest")
        tags = {
            "earliest": 0, "latest": self.shown, "pending": self.shown,
            "safe": max(self.finalized, self.shown - self.safe_lag, 0), "finalized": self.finalized,
        }  # fmt: skip
        number = tags[tag] if tag in tags else quantity(tag)
        # A node that lags has no finalized block above its own head either.
        if tag in ("safe", "finalized"):
            number = min(number, self.shown)
        return self.chain.blocks[number] if number <= self.shown else None

    def existing(self, tag):
        block = self.block_at(tag)
        if block is None:
            raise RPCError(-32000, "header not found")
        return block

    def place(self, hash):
        """The block and index of a mined transaction that is shown."""
        place = self.chain.places.get(hash)
        return None if place is None or place[0].number > self.shown or hash in self.forgotten else place

    # Calls of every node

    def eth_chainId(self):
        return self.chain_id

    def net_version(self):
        return str(self.chain_id)

    def web3_clientVersion(self):
        return "bump-test-node"

    def eth_syncing(self):
        return False

    def eth_blockNumber(self):
        return self.shown

    def eth_getBlockByNumber(self, tag, full=False):
        block = self.block_at(tag)
        return block and self.chain.block_fields(block, full)

    def eth_getBlockByHash(self, hash, full=False):
        block = self.chain.by_hash.get(data(hash))
        return self.chain.block_fields(block, full) if block and block.number <= self.shown else None

    def eth_getTransactionByHash(self, hash):
        hash = data(hash)
        place = self.place(hash)
        if place:
            return self.chain.transaction_fields(*place)
        # One in a block that is not shown yet waits, as far as a reader can see.
        hidden = self.chain.places.get(hash)
        waiting = self.pool.get(hash) or (hidden and hidden[0].transactions[hidden[1]])
        return None if waiting is None or hash in self.forgotten else self.chain.waiting_fields(waiting)

    def eth_getTransactionReceipt(self, hash):
        place = self.place(data(hash))
        return place and self.chain.receipt_fields(*place)

    def eth_getLogs(self, filter):
        if "blockHash" in filter:
            if "fromBlock" in filter or "toBlock" in filter:
                raise RPCError(-32602, "cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other")
            block = self.chain.by_hash.get(data(filter["blockHash"]))
            if block is None or block.number > self.shown:
                raise RPCError(-32000, "unknown block")
            blocks = [block]
        else:
            first, last = (self.block_at(filter.get(name, "latest")) for name in ("fromBlock", "toBlock"))
            if first is None:
                raise RPCError(-32000, "block range extends beyond current head block")
            blocks = self.chain.blocks[first.number : (last.number if last else self.shown) + 1]
        addresses = filter.get("address") or []
        addresses = {data(each) for each in ([addresses] if isinstance(addresses, str) else addresses)}
        wanted = [
            None if each is None else {data(topic) for topic in ([each] if isinstance(each, str) else each)}
            for each in filter.get("topics") or []
        ]

        def matches(log):
            topics = [topic.to_bytes(32, "big") for topic in log.topics]
            return (
                (not addresses or log.address in addresses)
                and len(wanted) <= len(topics)
                and all(not choice or topic in choice for choice, topic in zip(wanted, topics))
            )

        return [
            self.chain.log_fields(block, place, index, log)
            for block in blocks
            for place, index, log in block.logs()
            if matches(log)
        ]

    def eth_call(self, call, tag="latest"):
        output, _ = self._called(self.chain.call, call, tag)
        return output

    def eth_estimateGas(self, call, tag="latest"):
        return self._called(self.chain.estimate, call, tag)

    def _called(self, execute, call, tag):
        block = self.existing(tag)
        sender = data(call.get("from", "0x" + "00" * 20))
        to = data(call.get("to") or "0x")
        payload = data(call.get("input") or call.get("data") or "0x")
        options = {} if execute == self.chain.estimate else {"gas": quantity(call.get("gas", hex(GAS_LIMIT)))}
        try:
            return execute(block, sender, to, payload, quantity(call.get("value", "0x0")), **options)
        except Reverted as error:
            text = f": {error.reason}" if error.output else ""
            raise RPCError(3, f"execution reverted{text}", encoded(error.output)) from None
        except RPCError:
            raise
        except Exception as error:  # py-evm has many classes for what cannot be executed
            raise RPCError(-32000, f"{type(error).__name__}: {error}") from None

    def eth_getTransactionCount(self, account, tag="latest"):
        account = data(account)
        state = self.chain.state(self.existing(tag))
        return self.pool.next_nonce(account, state) if tag == "pending" else state.get_nonce(account)

    def eth_getBalance(self, account, tag="latest"):
        return self.chain.state(self.existing(tag)).get_balance(data(account))

    def eth_getCode(self, account, tag="latest"):
        return self.chain.state(self.existing(tag)).get_code(data(account))

    def eth_getStorageAt(self, account, slot, tag="latest"):
        return self.chain.state(self.existing(tag)).get_storage(data(account), quantity(slot)).to_bytes(32, "big")

    def eth_gasPrice(self):
        return self._base_fee_to_come(self.chain.blocks[self.shown]) + SUGGESTED_TIP

    def eth_maxPriorityFeePerGas(self):
        return SUGGESTED_TIP

    def eth_feeHistory(self, count, newest, percentiles=None):
        count = quantity(count) if isinstance(count, str) else count
        last = self.existing(newest)
        blocks = self.chain.blocks[max(0, last.number + 1 - count) : last.number + 1]
        following = self.chain.blocks[last.number + 1 : self.shown + 1]
        next_fee = following[0].header.base_fee_per_gas if following else self._base_fee_to_come(last)
        history = {
            "oldestBlock": blocks[0].number if blocks else 0,
            "baseFeePerGas": [block.header.base_fee_per_gas for block in blocks] + [next_fee],
            "gasUsedRatio": [block.header.gas_used / block.header.gas_limit for block in blocks],
        }
        if percentiles:
            history["reward"] = [rewards(block, percentiles) for block in blocks]
        return history

    def eth_sendRawTransaction(self, raw):
        transaction = self.decoded(raw)
        self.pool.add(transaction, self.chain.state(self.chain.head))
        if self.mining == "automatic" and self.chosen():
            self.mine()
        return transaction.hash

    def decoded(self, raw):
        try:
            return self.chain.decode(data(raw))
        except Exception as error:  # rlp has many classes for it
            raise RPCError(-32000, f"rlp: {error}") from None

    # Calls of tests: blocks

    def test_mining(self, how):
        """`automatic`: a block for each transaction; `manual`: none but by test_mine; a number: the seconds between."""
        if how not in ("automatic", "manual") and not isinstance(how, (int, float)):
            raise ValueError('"automatic", "manual" or a number of seconds')
        self.mining = how

    def test_mine(self, count=1, transactions=None, timestamp=None):
        """Appends blocks. `transactions` are those of the first, raw or by hash; an empty list makes an empty block."""
        hashes = []
        for number in range(count):
            if transactions is not None and number == 0:
                block = self.exactly([self._named(each) for each in transactions])
            else:
                block, _ = self.mine(timestamp=timestamp)
            hashes.append(block.hash)
        return hashes

    def test_reorganize(self, depth, blocks=(), length=None, keep=True):
        """Replaces the last blocks by a branch: `blocks` are lists of transactions, and empty ones follow.

        The branch is one block longer, unless `length` is given. With `keep` what was dropped waits again.
        """
        if depth < 1 or self.chain.head.number - depth < self.finalized:
            raise ValueError(f"a reorganization of {depth} blocks would undo a finalized one")
        length = max(len(blocks), depth + 1) if length is None else length
        # Named before the cut, while they can be found.
        branch = [[self._named(each) for each in block] for block in blocks]
        before = list(self.chain.blocks)
        dropped = self.chain.cut(depth)
        try:
            for number in range(length):
                self.exactly(branch[number] if number < len(branch) else [])
        except RPCError:
            self.chain.restore(before)
            raise
        for transaction in dropped if keep else ():
            try:
                self.pool.add(transaction, self.chain.state(self.chain.head))
            except Refused:
                pass
        return self.chain.head.hash

    def _named(self, text):
        if len(data(text)) != 32:
            return self.decoded(text)
        hash = data(text)
        place = self.chain.places.get(hash)
        transaction = place[0].transactions[place[1]] if place else self.pool.get(hash)
        if transaction is None:
            raise ValueError(f"no transaction {text}")
        return transaction

    def test_time(self, seconds=None, advance=0):
        """Sets the clock, or moves it on, and returns it. It runs on from there."""
        self.offset += (seconds - self.now() if seconds is not None else 0) + advance
        return self.now()

    def test_baseFee(self, fee):
        """The base fee of each block from the next one on; null leaves it to the chain's rules."""
        self.base_fee = None if fee is None else int(fee)

    def test_finality(self, safe, finalized):
        """By how many blocks the tags are behind. What is finalized stays so."""
        self.safe_lag, self.finalized_lag = safe, finalized
        self.finalized = max(self.finalized, self.chain.head.number - finalized)

    # Calls of tests: lies

    def test_fault(self, kind, methods=None, times=None, value=None):
        """Has calls fail: those of the methods, so many times; without them all calls, until test_honest."""
        self.faults.add(kind=kind, methods=methods, times=times, value=value)

    def test_lag(self, blocks):
        """Shows the chain without its last blocks."""
        self.lag = blocks

    def test_forget(self, hash):
        """Denies a transaction: it leaves the pool, or is not shown where it is mined."""
        transaction = self.pool.get(data(hash))
        if transaction:
            self.pool.remove(transaction)
        else:
            self.forgotten.add(data(hash))

    def test_honest(self):
        """Ends every lie."""
        self.faults.clear()
        self.lag = 0
        self.forgotten.clear()

    # Calls of tests: what no transaction of theirs could do

    def test_balance(self, account, wei):
        """Sets the coins of an account, in a block of its own."""
        self.mine([], edit=lambda state: state.set_balance(data(account), int(wei)))

    def test_code(self, account, code):
        """Sets the code of an account, in a block of its own: ef0100 and an address delegate it, as EIP-7702 has it."""
        self.mine([], edit=lambda state: state.set_code(data(account), data(code)))

    def test_issuer(self, signature, *arguments):
        """A call of the token by its issuer, in a block of its own, such as "mint(address,uint256)"."""
        values = [
            int(value) if kind.startswith("uint") else value for kind, value in zip(abi.types(signature), arguments)
        ]
        return self.issue(self.addresses["token"], abi.call(signature, *values))[0].hash

    def test_deploy(self, name, types=(), *arguments):
        """Deploys a contract that has its ABI and bytecode beside its source, and returns its address."""
        source = next(each for each in artifacts.COMMITTED if each.stem == name)
        creation = data(artifacts.committed(source)["bytecode"]) + eth_abi.encode(list(types), arguments)
        block, index = self.issue(b"", creation)
        return self.chain.receipt_fields(block, index)["contract_address"]

    def issue(self, to, payload):
        """A transaction of the issuer in a block of its own, which must succeed."""
        head = self.chain.head
        unsigned = self.chain.evm.get_transaction_builder().new_unsigned_dynamic_fee_transaction(
            chain_id=self.chain_id, nonce=self.chain.state(head).get_nonce(address_of(ISSUER)), gas=5_000_000,
            max_priority_fee_per_gas=1, max_fee_per_gas=10**12, to=to, value=0, data=payload, access_list=(),
        )  # fmt: skip
        block = self.exactly([signed(unsigned, ISSUER)])
        if not self.chain.receipt_fields(block, 0)["status"]:
            raise RPCError(-32000, "the issuer's transaction reverted")
        return block, 0

    def test_state(self):
        """What the node knows, without lies."""
        pending, queued = self.pool.executable(self.chain.state(self.chain.head))
        return {
            "head": self.chain.head.number, "hash": self.chain.head.hash, "finalized": self.finalized,
            "time": self.now(), "mining": str(self.mining), "lag": self.lag,
            "pending": [each.hash for each in pending], "queued": [each.hash for each in queued],
            "faults": list(self.faults), "addresses": self.addresses,
        }  # fmt: skip

    # One call

    def answer(self, method, parameters):
        """The result of a call, or an RPCError."""
        function = getattr(self, method, None) if method.startswith(("eth_", "net_", "web3_", "test_")) else None
        if function is None:
            raise RPCError(-32601, f"the method {method} does not exist/is not available")
        arguments = ((), parameters) if isinstance(parameters, dict) else (parameters, {})
        with self.lock:
            try:
                return encoded(function(*arguments[0], **arguments[1]))
            except Refused as error:
                raise RPCError(-32000, str(error)) from None
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, StopIteration) as error:
                raise RPCError(-32602, f"invalid argument: {type(error).__name__}: {error}") from None
            except RPCError:
                raise
            except Exception as error:  # py-evm has many classes, and a test is to see what happened
                traceback.print_exc()
                raise RPCError(-32603, f"internal error: {type(error).__name__}: {error}") from None


def rewards(block, percentiles):
    """The tips at these percentiles of a block's gas."""
    base_fee, before, parts = block.header.base_fee_per_gas, 0, []
    for transaction, receipt in zip(block.transactions, block.receipts):
        parts.append((tip(transaction, base_fee), receipt.gas_used - before))
        before = receipt.gas_used
    parts.sort()
    return [at_percentile(parts, before * percentile / 100) for percentile in percentiles]


def at_percentile(parts, gas):
    used = 0
    for fee, part in parts:
        used += part
        if used >= gas:
            return fee
    return parts[-1][0] if parts else 0


# JSON-RPC's numbers and bytes


def data(text):
    if not isinstance(text, str) or not text.startswith("0x"):
        raise ValueError(f"{text!r} is no hex string with 0x")
    return bytes.fromhex(text[2:])


def quantity(text):
    if not isinstance(text, str) or not text.startswith("0x"):
        raise ValueError(f"{text!r} is no hex number with 0x")
    return int(text, 16)


def encoded(value):
    """A value as JSON-RPC has it: numbers and bytes in hex, names in camel case."""
    if isinstance(value, bytes):
        return "0x" + value.hex()
    if isinstance(value, bool) or value is None or isinstance(value, (str, float)):
        return value
    if isinstance(value, int):
        return hex(value)
    if isinstance(value, dict):
        return {camel(name): encoded(each) for name, each in value.items()}
    return [encoded(each) for each in value]


def camel(name):
    first, *others = name.split("_")
    return first + "".join(each.capitalize() for each in others)


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection. It is kept for further requests."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > LONGEST_BODY:
            self.close_connection = True
            return self.reply(413, b"")
        body = self.rfile.read(length)
        try:
            request = json.loads(body)
        except ValueError:
            error = {"code": -32700, "message": "parse error"}
            return self.reply(200, json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode())
        calls = request if isinstance(request, list) else [request]
        answers = []
        for call in calls:
            method = call.get("method", "")
            fault = None if method.startswith("test_") else self.server.node.faults.take(method)
            if fault and self.failed(fault, call):
                return None
            answers.append(self.answered(call, fault))
        text = json.dumps(answers if isinstance(request, list) else answers[0]).encode()
        return self.reply(200, text)

    def failed(self, fault, call):
        """Whether a fault leaves nothing to be answered, or has answered."""
        kind, value = fault.kind, fault.value
        if kind == "hang":
            fault.cleared.wait()
        if kind == "lost":
            self.answered(call, None)
        if kind in ("hang", "lost", "close"):
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        elif kind == "truncated":
            self.close_connection = True
            self.head(200, 1000)
            self.wfile.write(b'{"jsonrpc":"2.0","id":')
        elif kind == "garbage":
            self.reply(200, (value or "<html>502 Bad Gateway</html>").encode())
        elif kind == "status":
            error = {"code": -32005, "message": "too many requests"}
            text = json.dumps({"jsonrpc": "2.0", "id": call.get("id"), "error": error}).encode()
            self.reply(value or 429, text, {"Retry-After": "1"})
        else:
            return False
        return True

    def answered(self, call, fault):
        answer = {"jsonrpc": "2.0", "id": call.get("id")}
        kind = fault.kind if fault else None
        if kind == "null":
            return answer | {"result": None}
        if kind == "result":
            return answer | {"result": fault.value}
        if kind == "error":
            return answer | {"error": fault.value or {"code": -32603, "message": "internal error"}}
        node = self.server.node
        try:
            if kind == "swallow":
                return answer | {"result": encoded(node.decoded(call["params"][0]).hash)}
            result = node.answer(call.get("method", ""), call.get("params") or [])
        except RPCError as error:
            return answer | {"error": error.fields()}
        if kind == "other id":
            answer["id"] = f"not {call.get('id')}"
        return answer | {"result": result}

    def reply(self, status, body, headers=None):
        self.head(status, len(body), headers)
        self.wfile.write(body)

    def head(self, status, length, headers=None):
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": length, **(headers or {})}.items():
            self.send_header(name, str(value))
        self.end_headers()

    def log_message(self, format, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, node, port):
        super().__init__(("127.0.0.1", port), Handler)
        self.node = node

    def handle_error(self, request, client_address):
        # Of a client that has gone nothing is said.
        pass


def main():
    parser = argparse.ArgumentParser(description="A test node of a chain of its own.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--chain-id", type=int, default=31337)
    parser.add_argument("--fund", action="append", default=[], type=data, metavar="ADDRESS", help="has 1000 coins")
    parser.add_argument("--token", action="store_true", help="deploys the test token")
    parser.add_argument("--vault", action="store_true", help="deploys ClaimVault")
    parser.add_argument("--block-time", type=float, help="seconds between blocks; without it each transaction has one")
    parser.add_argument("--safe", type=int, default=16, help="by how many blocks `safe` is behind")
    parser.add_argument("--finalized", type=int, default=32, help="by how many blocks `finalized` is behind")
    options = parser.parse_args()
    node = Node(options.chain_id, options.fund, options.safe, options.finalized, options.block_time)
    for name, contract, wanted in (("token", "TestToken", options.token), ("vault", "ClaimVault", options.vault)):
        if wanted:
            node.addresses[name] = node.test_deploy(contract)
    server = Server(node, options.port)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    line = {"url": f"http://127.0.0.1:{server.server_address[1]}", "chainId": options.chain_id}
    print(json.dumps(line | encoded(node.addresses)), flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
