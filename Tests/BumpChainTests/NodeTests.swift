import BumpText
import BumpWallet
import Samples
import Testing

@testable import BumpChain

/// Answers of nodes: those of the execution API, and hostile ones.
@Suite struct NodeTests {
  private static let hash = "0x" + String(repeating: "ab", count: 32)

  private func answer(_ result: String, id: String = "7") -> [UInt8] {
    Array(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#.utf8)
  }

  private func refusal(_ error: String, id: String = "7") -> [UInt8] {
    Array(#"{"jsonrpc":"2.0","id":\#(id),"error":\#(error)}"#.utf8)
  }

  private func header(
    number: String = #""0x1b4""#, hash: String = #""\#(NodeTests.hash)""#, bloom: Int = 512
  ) -> String {
    """
    {"number":\(number),"hash":\(hash),"parentHash":"0x\(String(repeating: "01", count: 32))","timestamp":"0x5",\
    "logsBloom":"0x\(String(repeating: "0", count: bloom))","baseFeePerGas":"0x7","transactions":["0x1"],\
    "withdrawals":null,"size":1.5e3}
    """
  }

  // MARK: - Requests

  @Test func `a request has its id, method and parameters`() throws {
    let call = NodeCall.call([0xAB], to: .zero, at: .number(16))
    #expect(
      String(decoding: call.message(id: 3), as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":3,"method":"eth_call","params":[{"to":"\#(Address.zero)","data":"0xab"},"0x10"]}"#)
    let logs = NodeCall.logs(of: .zero, inBlock: try Bytes32(Self.hash))
    #expect(
      String(decoding: logs.message(id: 1), as: UTF8.self).hasSuffix(
        #""params":[{"blockHash":"\#(Self.hash)","address":"\#(Address.zero)"}]}"#))
  }

  // MARK: - The envelope

  @Test func `a result is read`() throws {
    #expect(try NodeCall.chainID.result(answer(#""0x2105""#), id: 7) == 8453)
    // Some nodes send both.
    let both = Array(#"{"id":7,"jsonrpc":"2.0","result":"0x1","error":null,"more":[1.5]}"#.utf8)
    #expect(try NodeCall.chainID.result(both, id: 7) == 1)
  }

  @Test(arguments: ["8", #""7""#, "null", "7.0"])
  func `an answer with another id is refused`(id: String) {
    #expect(throws: NodeError(.otherAnswer, "")) { try NodeCall.chainID.result(answer(#""0x1""#, id: id), id: 7) }
  }

  @Test(arguments: [
    "", "null", "[]", "true", "<html></html>", #"{"jsonrpc":"2.0","id":7}"#, #"{"id":7,"result":"0x1"}"#,
    #"{"jsonrpc":"1.0","id":7,"result":"0x1"}"#, #"{"jsonrpc":"2.0","id":7,"result":"0x1","error":{}}"#,
    #"{"jsonrpc":"2.0","id":7,"result":"0x1","result":"0x2"}"#, #"{"jsonrpc":"2.0","id":7,"result":"0x1"} x"#,
    #"{"jsonrpc":"2.0","id":7,"result":"0x1""#, #"{"jsonrpc":"2.0","id":7,"error":{}}"#,
    #"{"jsonrpc":"2.0","id":7,"error":{"code":1.5,"message":"x"}}"#,
    #"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":null}}"#, #"{"jsonrpc":"2.0","id":7,"error":"no"}"#,
  ])
  func `what is no answer of JSON-RPC is refused`(body: String) {
    let error = #expect(throws: NodeError.self) { try NodeCall.chainID.result(Array(body.utf8), id: 7) }
    #expect([.malformed, .badResult].contains(error?.code))
  }

  @Test func `an answer that is too large or nested too deep is refused`() {
    let large = answer(#""0x\#(String(repeating: "0", count: 8 << 20))""#)
    #expect(throws: NodeError(.tooLarge, "")) { try NodeCall.chainID.result(large, id: 7) }
    let deep = answer(String(repeating: "[", count: 100_000))
    #expect(throws: NodeError(.malformed, "")) { try NodeCall.chainID.result(deep, id: 7) }
  }

  // MARK: - Quantities

  @Test(arguments: [
    "0x", "0x00", "0x01", "1", #""#, "0X1", "0x1g", "0x-1", "0x+1", "0x 1", "x1", "-0x1", "0x10000000000000000",
    "0x１",
  ])
  func `a quantity of another form is refused`(text: String) {
    #expect(throws: NodeError(.badResult, "")) { try NodeCall.chainID.result(answer(#""\#(text)""#), id: 7) }
  }

  @Test(arguments: ["1", "null", "true", "[]", "{}"])
  func `what is no string is no quantity`(value: String) {
    #expect(throws: NodeError(.badResult, "")) { try NodeCall.chainID.result(answer(value), id: 7) }
  }

  @Test func `the greatest quantities are read`() throws {
    #expect(try NodeCall.chainID.result(answer(#""0xffffffffffffffff""#), id: 7) == .max)
    let greatest = answer(#""0x\#(String(repeating: "F", count: 32))""#)
    #expect(try NodeCall.balance(of: .zero).result(greatest, id: 7) == .max)
    #expect(try NodeCall.chainID.result(answer(#""0x0""#), id: 7) == 0)
  }

  // MARK: - Refusals

  @Test(arguments: [
    ("already known", NodeRefusal.Kind.alreadyKnown), ("AlreadyKnown", .alreadyKnown),
    ("Known transaction", .alreadyKnown), ("INTERNAL_ERROR: existing tx with same hash", .alreadyKnown),
    ("nonce too low: next nonce 7, tx nonce 6", .nonceTooLow), ("Transaction nonce is too low.", .nonceTooLow),
    ("OldNonce", .nonceTooLow), ("nonce too high", .nonceTooHigh),
    ("replacement transaction underpriced", .replacementUnderpriced), ("FeeTooLowToCompete", .replacementUnderpriced),
    ("ReplacementNotAllowed", .replacementUnderpriced), ("transaction underpriced", .underpriced),
    ("FeeTooLow", .underpriced), ("max fee per gas less than block base fee: address 0x", .underpriced),
    ("insufficient funds for gas * price + value", .insufficientFunds), ("txpool is full", .poolIsFull),
    ("execution reverted: not pending", .reverted), ("rate limit exceeded", .tooManyRequests),
    ("something else", .other),
  ])
  func `texts of nodes have their meaning`(text: String, kind: NodeRefusal.Kind) throws {
    let error = #expect(throws: NodeError(.refused, "")) {
      try NodeCall.chainID.result(refusal(#"{"code":-32000,"message":"\#(text)"}"#), id: 7)
    }
    #expect(error?.refusal?.kind == kind)
  }

  @Test func `a refusal without a text that is known is told by its code`() throws {
    for (code, kind) in [
      (-32601, NodeRefusal.Kind.unknownMethod), (-32005, .tooManyRequests), (3, .reverted), (-32000, .other),
    ] {
      let error = #expect(throws: NodeError(.refused, "")) {
        try NodeCall.chainID.result(refusal(#"{"code":\#(code),"message":"x"}"#, id: "null"), id: 7)
      }
      #expect(error?.refusal?.kind == kind)
    }
  }

  @Test func `what a reverted call returned is kept, and a node's text is harmless`() throws {
    let body = refusal(#"{"code":3,"message":"execution reverted\u001b[2J","data":"0x08c379a0"}"#)
    let error = #expect(throws: NodeError(.refused, "")) { try NodeCall.chainID.result(body, id: 7) }
    #expect(error?.refusal?.data == [0x08, 0xC3, 0x79, 0xA0])
    #expect(error?.refusal?.message.contains("\u{1B}") == false)
    let long = refusal(#"{"code":1,"message":"\#(String(repeating: "x", count: 100_000))","data":{"a":1}}"#)
    let other = #expect(throws: NodeError(.refused, "")) { try NodeCall.chainID.result(long, id: 7) }
    #expect(other?.refusal?.message.count == 200)
  }

  // MARK: - Results

  @Test func `a header is read, and what else a block has is not looked at`() throws {
    let read = try #require(try NodeCall.header(.latest).result(answer(header()), id: 7))
    #expect(read.number == 436 && read.time == 5)
    #expect(try read.hash == Bytes32(Self.hash))
    #expect(try NodeCall.header(.finalized).result(answer("null"), id: 7) == nil)
  }

  @Test func `a block that is not in the chain yet, or has half a filter, is refused`() {
    for block in [header(number: "null"), header(hash: "null"), header(bloom: 510), "[]", #""0x""#] {
      #expect(throws: NodeError(.badResult, "")) { try NodeCall.header(.pending).result(answer(block), id: 7) }
    }
  }

  @Test func `another block than was asked for is refused`() throws {
    #expect(throws: NodeError(.contradiction, "")) {
      try NodeCall.header(.number(435)).result(answer(header()), id: 7)
    }
    let other = Bytes32(rightAligned: [1])
    #expect(throws: NodeError(.contradiction, "")) { try NodeCall.header(hash: other).result(answer(header()), id: 7) }
    #expect(try NodeCall.header(hash: other).result(answer("null"), id: 7) == nil)
  }

  private func log(
    block: String = NodeTests.hash, index: String = "0x0", removed: String = "false", topics: Int = 1
  ) -> String {
    let topics = Array(repeating: #""\#(Self.hash)""#, count: topics).joined(separator: ",")
    return """
      {"address":"0x0000000000000000000000000000000000000000","topics":[\(topics)],"data":"0x",\
      "blockHash":"\(block)","transactionHash":"\(Self.hash)","logIndex":"\(index)","removed":\(removed)}
      """
  }

  @Test func `logs of another block or contract, taken back, or out of order are refused`() throws {
    let call = NodeCall.logs(of: .zero, inBlock: try Bytes32(Self.hash))
    #expect(try call.result(answer("[\(log()),\(log(index: "0x2"))]"), id: 7).map(\.index) == [0, 2])
    #expect(try call.result(answer("[]"), id: 7).isEmpty)
    let other = "0x" + String(repeating: "cd", count: 32)
    for logs in [log(block: other), log(removed: "true"), "\(log(index: "0x1")),\(log())", "\(log()),\(log())"] {
      #expect(throws: NodeError(.contradiction, "")) { try call.result(answer("[\(logs)]"), id: 7) }
    }
    let vault = try #require(Address([UInt8](repeating: 1, count: 20)))
    #expect(throws: NodeError(.contradiction, "")) {
      try NodeCall.logs(of: vault, inBlock: Bytes32(Self.hash)).result(answer("[\(log())]"), id: 7)
    }
    #expect(throws: NodeError(.badResult, "")) { try call.result(answer("[\(log(topics: 5))]"), id: 7) }
    #expect(throws: NodeError(.badResult, "")) { try call.result(answer("null"), id: 7) }
  }

  private func receipt(status: String = #""0x1""#, more: String = "") -> String {
    """
    {"transactionHash":"\(Self.hash)","blockHash":"\(Self.hash)","blockNumber":"0x9","status":\(status),\
    "gasUsed":"0x64","effectiveGasPrice":"0x3"\(more)}
    """
  }

  @Test func `a receipt says what the transaction cost, with what a rollup charges for its data`() throws {
    let call = NodeCall.receipt(of: try Bytes32(Self.hash))
    let plain = try #require(try call.result(answer(receipt()), id: 7))
    #expect(plain.cost == 300 && plain.isSuccessful && plain.blockNumber == 9)
    #expect(try call.result(answer(receipt(more: #","l1Fee":"0x5""#)), id: 7)?.cost == 305)
    #expect(try call.result(answer(receipt(status: #""0x0""#)), id: 7)?.isSuccessful == false)
    #expect(try call.result(answer("null"), id: 7) == nil)
    let all = String(repeating: "f", count: 32)
    #expect(try call.result(answer(receipt(more: #","l1Fee":"0x\#(all)""#)), id: 7)?.cost == .max)
  }

  @Test func `a receipt without a status, or of another transaction, is refused`() throws {
    let call = NodeCall.receipt(of: try Bytes32(Self.hash))
    for status in ["null", #""0x2""#, "1"] {
      #expect(throws: NodeError(.badResult, "")) { try call.result(answer(receipt(status: status)), id: 7) }
    }
    #expect(throws: NodeError(.contradiction, "")) {
      try NodeCall.receipt(of: Bytes32(rightAligned: [1])).result(answer(receipt()), id: 7)
    }
  }

  @Test func `a node that names another transaction than was sent is not believed`() throws {
    let sent = SignedTransaction([2])
    #expect(try NodeCall.send(sent).result(answer(#""\#(sent.hash)""#), id: 7) == sent.hash)
    #expect(throws: NodeError(.contradiction, "")) {
      try NodeCall.send(sent).result(answer(#""\#(Self.hash)""#), id: 7)
    }
    #expect(throws: NodeError(.badResult, "")) { try NodeCall.send(sent).result(answer("null"), id: 7) }
  }

  @Test func `a history of fees has the next base fee and a reward for each block`() throws {
    let result =
      #"{"oldestBlock":"0x1","baseFeePerGas":["0x5","0x6","0x7"],"gasUsedRatio":[0.5,1e-3],"reward":[["0x2"],["0x3"]]}"#
    #expect(
      try NodeCall.feeHistory(blocks: 2).result(answer(result), id: 7) == FeeHistory(nextBaseFee: 7, rewards: [2, 3]))
    #expect(throws: NodeError(.badResult, "")) { try NodeCall.feeHistory(blocks: 1).result(answer(result), id: 7) }
    let empty = #"{"baseFeePerGas":["0x5"],"reward":null}"#
    #expect(
      try NodeCall.feeHistory(blocks: 2).result(answer(empty), id: 7) == FeeHistory(nextBaseFee: 5, rewards: []))
    #expect(throws: NodeError(.badResult, "")) {
      try NodeCall.feeHistory(blocks: 2).result(answer(#"{"baseFeePerGas":[]}"#), id: 7)
    }
  }

  // MARK: - Any bytes

  @Test func `no change of a byte in an answer makes the reader fail otherwise than by name`() throws {
    var random = SplitMix64(seed: 48)
    let bodies = [
      answer(header()), answer("[\(log())]"), answer(receipt()), refusal(#"{"code":3,"message":"x","data":"0x00"}"#),
    ]
    let hash = try Bytes32(Self.hash)
    for _ in 0..<4000 {
      var body = bodies[Int.random(in: bodies.indices, using: &random)]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        body[Int.random(in: body.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { body = Array(body.prefix(Int.random(in: 0...body.count, using: &random))) }
      // Each throws a NodeError, by its type, or returns a value.
      _ = Result { () throws(NodeError) in try NodeCall.header(.latest).result(body, id: 7) }
      _ = Result { () throws(NodeError) in try NodeCall.logs(of: .zero, inBlock: hash).result(body, id: 7) }
      _ = Result { () throws(NodeError) in try NodeCall.receipt(of: hash).result(body, id: 7) }
    }
  }
}
