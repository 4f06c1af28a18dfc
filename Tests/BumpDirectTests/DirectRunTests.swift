import BumpNode
import BumpWallet
import Synchronization
import Testing

@testable import BumpDirect

/// The driver: what the owner and the store are asked before a byte is sent.
@Suite struct DirectRunTests {
  /// The scripted chain as a node, with a log that others write into, too.
  private final class Node: NodeTransport {
    private let chain: Mutex<ScriptedChain>
    private let extra = Mutex<[String]>([])

    init(_ chain: ScriptedChain) { self.chain = Mutex(chain) }

    func send(_ message: [UInt8]) async -> NodeReply {
      chain.withLock { (try? $0.reply(to: message)) ?? .lost("not understood") }
    }

    func note(_ text: String) { extra.withLock { $0.append("\(text) after \(sent.count)") } }
    var notes: [String] { extra.withLock(\.self) }
    var sent: [Bytes32] { chain.withLock(\.sent) }
  }

  private struct Refused: Error {}

  private func run(
    _ node: Node, known: [Bytes32] = [], agrees: Bool = true, records: Bool = true, isInterrupted: Bool = false
  ) async throws -> DirectPayment {
    let session = try ScriptedChain().session(known: known)
    let run = DirectRun(over: node) { node.note("pause") }
    return try await run.carry(
      session,
      agree: { _ in
        node.note("agree")
        if !agrees { throw Refused() }
      },
      record: { _ in
        node.note("record")
        if !records { throw Refused() }
        if isInterrupted { withUnsafeCurrentTask { $0?.cancel() } }
        return { node.note("withdraw") }
      })
  }

  @Test func `a transaction is sent after its owner has agreed and the store has it`() async throws {
    let node = Node(try ScriptedChain())
    let payment = try await run(node)
    #expect(payment.isNew && node.sent == [payment.transaction])
    #expect(node.notes == ["agree after 0", "record after 0", "pause after 1", "pause after 1"])
  }

  @Test(arguments: [true, false])
  func `nothing is sent where the owner does not agree, or the store cannot have it`(agrees: Bool) async throws {
    let node = Node(try ScriptedChain())
    await #expect(throws: Refused.self) { try await run(node, agrees: agrees, records: false) }
    #expect(node.sent.isEmpty && node.notes.count == (agrees ? 2 : 1))
  }

  @Test(arguments: [[], [ScriptedChain.earlier]])
  func `the record of a transaction is taken back where no byte of it was sent`(known: [Bytes32]) async throws {
    var chain = try ScriptedChain()
    chain.replies["eth_sendRawTransaction"] = .unsent("refused")
    let unsent = Node(chain)
    let failure = await #expect(throws: DirectFailure.self) { try await run(unsent, known: known) }
    // An earlier one may have been carried out all the same.
    #expect(failure?.code == (known.isEmpty ? .notSent : .perhapsSent) && failure?.transaction == known.last)
    #expect(unsent.notes.map(Self.word(of:)) == ["agree", "record", "withdraw"])
    let node = Node(try ScriptedChain())
    let task = Task { try await run(node, known: known, isInterrupted: true) }
    await #expect(throws: DirectFailure.self) { try await task.value }
    #expect(node.sent.isEmpty && node.notes.map(Self.word(of:)) == ["agree", "record", "withdraw"])
  }

  @Test(arguments: [NodeReply.lost("closed"), .answer(status: 503, retryAfter: nil, body: [])])
  func `the record of a transaction stays where a byte of it may have been sent`(reply: NodeReply) async throws {
    var chain = try ScriptedChain()
    (chain.replies["eth_sendRawTransaction"], chain.blocks) = (reply, nil)
    let node = Node(chain)
    let failure = await #expect(throws: DirectFailure.self) { try await run(node) }
    #expect(failure?.code == .perhapsSent && failure?.transaction == node.sent.first)
    #expect(!node.notes.map(Self.word(of:)).contains("withdraw"))
    // That of a transaction which a block has stays, too.
    let landed = Node(try ScriptedChain())
    _ = try await run(landed)
    #expect(!landed.notes.map(Self.word(of:)).contains("withdraw"))
  }

  /// The first word of a note.
  private static func word(of note: String) -> String { note.split(separator: " ").first.map(String.init) ?? "" }

  @Test func `a task that is cancelled while it is agreed to sends nothing`() async throws {
    let node = Node(try ScriptedChain())
    let session = try ScriptedChain().session()
    let task = Task {
      try await DirectRun(over: node) {}.carry(
        session, agree: { _ in withUnsafeCurrentTask { $0?.cancel() } },
        record: { _ in
          node.note("record")
          return {}
        })
    }
    await #expect(throws: DirectFailure.self) { try await task.value }
    #expect(node.sent.isEmpty && node.notes.isEmpty)
  }
}
