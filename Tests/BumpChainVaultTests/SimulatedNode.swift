import BumpChainVault
import BumpNode
import BumpText
import BumpVaultAPI
import BumpWallet
import Synchronization

@testable import BumpChain

/// A node of a simulated chain, without HTTP. It misbehaves as a test wants.
final class SimulatedNode: NodeTransport {
  /// What is wrong with a node's answers.
  enum Fault: Hashable {
    /// It is of another chain.
    case otherChain(UInt64)
    /// Its latest block is so many blocks behind.
    case lag(Int)
    /// It answers null, something that is no JSON, or that there were too many requests.
    case null, garbage, tooManyRequests(Int64)
    /// No answer comes: not sent; or sent, and the answer is lost.
    case unsent, lost
    /// It answers only once it is released, or after a time.
    case hang, slow(Duration)
    /// It has blocks, and not their logs; or not the state behind them.
    case noLogs, noState
  }

  private struct State {
    var faults: [(method: String?, fault: Fault)] = []
    var asked: [String] = []
    var hanging: [CheckedContinuation<Void, Never>] = []
  }

  let chain: SimulatedChain
  private let codes: [Address: [UInt8]]
  private let separators: [Address: Bytes32]
  private let state = Mutex(State())

  init(_ chain: SimulatedChain, codes: [Address: [UInt8]], separators: [Address: Bytes32]) {
    (self.chain, self.codes, self.separators) = (chain, codes, separators)
  }

  /// The methods that were asked for, in their order.
  var asked: [String] { state.withLock(\.asked) }

  /// Lets the node misbehave, with one method or all.
  func misbehave(_ fault: Fault, at method: String? = nil) { state.withLock { $0.faults.append((method, fault)) } }

  func behave() {
    state.withLock { $0.faults = [] }
    release()
  }

  /// Answers what hangs.
  func release() {
    let all = state.withLock { state in
      defer { state.hanging = [] }
      return state.hanging
    }
    for one in all { one.resume() }
  }

  func send(_ message: [UInt8]) async -> NodeReply {
    guard
      case .object(let members)? = try? JSONParser.parse(message, within: .init(count: 1 << 20, depth: 8)),
      case .string(let method)? = members.first(where: { $0.name == "method" })?.value,
      case .integer(let id)? = members.first(where: { $0.name == "id" })?.value,
      case .array(let parameters)? = members.first(where: { $0.name == "params" })?.value
    else { return .answer(status: 400, retryAfter: nil, body: []) }
    let faults = state.withLock { state in
      state.asked.append(method)
      return state.faults.filter { $0.method == nil || $0.method == method }.map(\.fault)
    }
    for case .slow(let time) in faults { try? await Task.sleep(for: time) }
    if faults.contains(.hang) {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          // It may have been released meanwhile.
          guard state.faults.contains(where: { $0.fault == .hang }) else { return true }
          state.hanging.append(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    }
    if faults.contains(.unsent) { return .unsent("the connection is refused") }
    let answer = answer(method, parameters, faults)
    if faults.contains(.lost) { return .lost("the connection was closed") }
    if faults.contains(.garbage) { return .answer(status: 200, retryAfter: nil, body: Array("<html>".utf8)) }
    for case .tooManyRequests(let seconds) in faults { return .answer(status: 429, retryAfter: seconds, body: []) }
    let body: JSONValue =
      switch answer {
      case .result(let result):
        ["jsonrpc": "2.0", "id": .integer(id), "result": faults.contains(.null) ? .null : result]
      case .error(let message, let data):
        [
          "jsonrpc": "2.0", "id": .integer(id),
          "error": [
            "code": .integer(data == nil ? -32000 : 3), "message": .string(message), "data": data.map { .string($0) },
          ],
        ]
      }
    return .answer(status: 200, retryAfter: nil, body: body.encoded)
  }

  private enum Answer {
    case result(JSONValue)
    case error(String, data: String? = nil)
  }

  private func answer(_ method: String, _ parameters: [JSONValue], _ faults: [Fault]) -> Answer {
    func text(_ place: Int) -> String {
      if parameters.count > place, case .string(let text) = parameters[place] { text } else { "" }
    }
    func member(_ name: String) -> String {
      guard case .object(let members)? = parameters.first,
        case .string(let text)? = members.first(where: { $0.name == name })?.value
      else { return "" }
      return text
    }
    var lag = 0
    for case .lag(let blocks) in faults { lag = blocks }
    let all = chain.contents.withLock(\.blocks)
    let blocks = Array(all.prefix(max(1, all.count - lag)))
    let tip = blocks[blocks.count - 1]
    func block(_ tag: String) -> SimulatedChain.Block? {
      switch tag {
      case "latest", "pending": tip
      case "finalized": all[chain.contents.withLock(\.finalized)]
      default: blocks.first { Quantity.text($0.header.number) == tag }
      }
    }
    switch method {
    case "eth_chainId":
      for case .otherChain(let id) in faults { return .result(.string(Quantity.text(id))) }
      return .result(.string(Quantity.text(SimulatedChain.chainID)))
    case "eth_blockNumber": return .result(.string(Quantity.text(tip.header.number)))
    case "eth_getBlockByNumber": return .result(block(text(0)).map { Self.json($0.header) } ?? .null)
    case "eth_getBlockByHash":
      return .result(blocks.first { $0.header.hash.description == text(0) }.map { Self.json($0.header) } ?? .null)
    case "eth_getLogs":
      guard let block = blocks.first(where: { $0.header.hash.description == member("blockHash") }) else {
        return .error("unknown block")
      }
      if faults.contains(.noLogs) { return .result([]) }
      let (all, contract) = (block.logs, member("address"))
      let logs = contract.isEmpty ? all : all.filter { $0.address.description == contract }
      return .result(.array(logs.map(Self.json)))
    case "eth_getCode":
      let code = (try? Address(text(0))).flatMap { codes[$0] } ?? []
      return .result(.string(Hex.prefixed(code)))
    case "eth_getTransactionCount":
      guard let account = try? Address(text(0)), let block = block(text(1)) else { return .error("no such block") }
      return .result(.string(Quantity.text(block.state.nonces[account, default: 0])))
    case "eth_getBalance":
      return .result(.string(Quantity.text((try? Address(text(0))).flatMap { tip.state.wei[$0] } ?? 0)))
    case "eth_feeHistory":
      let fee = chain.contents.withLock(\.baseFee)
      return .result([
        "oldestBlock": "0x1", "baseFeePerGas": [.string(Quantity.text(fee)), .string(Quantity.text(fee))],
        "reward": [["0x2"]],
      ])
    case "eth_sendRawTransaction":
      guard let bytes = Hex.decode(prefixed: text(0)) else { return .error("invalid") }
      if let refusal = chain.send(bytes) { return .error(refusal) }
      return .result(.string(Keccak256.hash(bytes).description))
    case "eth_getTransactionReceipt": return .result(receipt(text(0), blocks))
    case "eth_call", "eth_estimateGas":
      guard let to = try? Address(member("to")), let data = Hex.decode(prefixed: member("data")) else {
        return .error("invalid")
      }
      if parameters.count > 1, case .object(let members) = parameters[1] {
        let behind = blocks.first { [.init("blockHash", .string($0.header.hash.description))] == members }
        guard let behind, !faults.contains(.noState) else { return .error("missing trie node") }
        // The contract holds one token, and for claims alone.
        guard data == ClaimVaultCall.locked(VaultScene.token).data else { return .error("not simulated") }
        return .result(.string(Bytes32.word(behind.state.balances[to, default: 0]).description))
      }
      return call(data, to, tip, isEstimate: method == "eth_estimateGas")
    default: return .error("the method does not exist")
    }
  }

  private func call(_ data: [UInt8], _ to: Address, _ tip: SimulatedChain.Block, isEstimate: Bool) -> Answer {
    if to != chain.pinned.vault.address {
      if let separator = separators[to], data == TokenCall.domainSeparator.data {
        return .result(.string(separator.description))
      }
      let account = Address(data.suffix(20)) ?? .zero
      return .result(.string(Bytes32.word(tip.state.balances[account, default: 0]).description))
    }
    var state = tip.state
    do {
      _ = try state.execute(data, at: chain.contents.withLock(\.time) + 1)
      let gas = chain.contents.withLock(\.gas)
      return .result(.string(isEstimate ? Quantity.text(gas) : "0x"))
    } catch {
      let text = Array(error.reason.utf8)
      let padding = [UInt8](repeating: 0, count: (32 - text.count % 32) % 32)
      let words = Bytes32.word(32 as UInt64).bytes + Bytes32.word(UInt64(text.count)).bytes
      return .error(
        "execution reverted: \(error.reason)", data: Hex.prefixed([0x08, 0xC3, 0x79, 0xA0] + words + text + padding))
    }
  }

  private func receipt(_ hash: String, _ blocks: [SimulatedChain.Block]) -> JSONValue {
    for block in blocks.reversed() {
      guard let mined = block.mined.first(where: { $0.transaction.hash.description == hash }) else { continue }
      return [
        "transactionHash": .string(hash), "blockHash": .string(block.header.hash.description),
        "blockNumber": .string(Quantity.text(block.header.number)), "status": mined.isSuccessful ? "0x1" : "0x0",
        "gasUsed": .string(Quantity.text(mined.gasUsed)), "effectiveGasPrice": .string(Quantity.text(mined.gasPrice)),
      ]
    }
    return .null
  }

  private static func json(_ header: BlockHeader) -> JSONValue {
    [
      "number": .string(Quantity.text(header.number)), "hash": .string(header.hash.description),
      "parentHash": .string(header.parent.description), "timestamp": .string(Quantity.text(header.time)),
      "logsBloom": .string(Hex.prefixed(header.bloom.bytes)),
    ]
  }

  private static func json(_ log: ChainLog) -> JSONValue {
    [
      "address": .string(log.address.description), "topics": .array(log.topics.map { .string($0.description) }),
      "data": .string(Hex.prefixed(log.data)), "blockHash": .string(log.blockHash.description),
      "transactionHash": .string(log.transaction.description), "logIndex": .string(Quantity.text(log.index)),
      "removed": false,
    ]
  }
}
