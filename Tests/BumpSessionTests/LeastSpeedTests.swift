import BumpClaims
import BumpTesting
import BumpWire
import Samples
import Testing

@testable import BumpSession

/// Documents that come or are read so slowly that others wait.
@Suite struct LeastSpeedTests {
  /// The length of the slow sender's card: 40 CHUNKs.
  private static let length = 40 * WireLimits.chunk

  /// A till, to which a sender says one CHUNK each 1.5 s.
  private struct SlowCard {
    var scene: ReceiverBumpScene
    let mallory: ConnectionID
    private var said = 0
    private let bytes: [UInt8]

    init() throws {
      let card = try SampleDocument.card(of: length)
      bytes = card.bytes
      // With a code several sessions are open at once.
      let code = Credential.code(try OneTimeCode("27-482915"))
      scene = try ReceiverBumpScene(credential: code, keeps: true, documents: .ofKeptReceive)
      mallory = try scene.meet("mallory", credential: code)
      try scene.go(mallory, to: .secured)
      try scene.say(mallory, .offer(OfferedDocument(card, from: DisplayName("mallory")).offer.json))
    }

    var isOver: Bool { scene.closed.contains(mallory) }

    /// Lets the sender say CHUNKs until the session ends, or all are said.
    ///
    /// - Returns: how long that took.
    mutating func play(from first: Int = 0, to last: Int = 40) throws -> Duration {
      let begin = scene.now
      while said < last, !isOver {
        let start = said * WireLimits.chunk
        try scene.say(mallory, .chunk(Array(bytes[start..<(start + WireLimits.chunk)])))
        said += 1
        try scene.pass(.milliseconds(1500))
      }
      return scene.now - begin
    }

    /// Another sender's offer comes.
    mutating func offer(_ name: String) throws -> ConnectionID {
      let id = try scene.meet(name, credential: .code(OneTimeCode("27-482915")))
      try scene.go(id, to: .offered)
      return id
    }

    /// Whether a sender's offer was accepted.
    func isAccepted(_ id: ConnectionID) -> Bool { scene.accepted.contains(id) }
  }

  @Test func `a document that comes slower than 64 KiB a second ends after five seconds while another sender waits`()
    throws
  {
    var slow = try SlowCard()
    let alice = try slow.offer("alice")
    #expect(!slow.isAccepted(alice), "one at a time")
    // 5 s and 42,240 bytes at 64 KiB a second: between the fourth and the fifth pause.
    #expect(try slow.play() == .seconds(6))
    #expect(slow.scene.told(slow.mallory) == .timedOut && slow.isAccepted(alice))
    try slow.scene.go(alice, from: .accepted, to: .storing)
    #expect(slow.scene.storing == [alice])
  }

  @Test func `a document that others begin to wait for late ends at once where its time is over`() throws {
    var slow = try SlowCard()
    #expect(try slow.play(to: 20) == .seconds(30) && !slow.isOver)
    let alice = try slow.offer("alice")
    try slow.scene.pass(.zero)
    #expect(slow.isOver && slow.isAccepted(alice))
  }

  @Test func `a document for which nobody waits has a minute, however slowly it comes`() throws {
    var slow = try SlowCard()
    #expect(try slow.play() == .seconds(60) && !slow.isOver)
    let saved = slow.scene.actions.contains { if case .session(_, .save) = $0 { true } else { false } }
    #expect(saved, "its last piece came in time")
  }

  @Test(arguments: [true, false])
  func `a receiver that lets a document come slowly keeps others waiting for seconds, not for a minute`(
    othersWait: Bool
  ) throws {
    // 249 CHUNKs: 5 s and 4 s.
    var scene = try SenderBumpScene(SampleDocument.card(of: 262_144))
    try scene.open(1, to: .accepted)
    var mores = 0
    while !scene.closed.contains(1), mores < 12 {
      if othersWait, scene.told(2) != nil || mores == 0 {
        // An honest receiver whose offer has become too old comes again.
        try scene.open(2, to: .accepted)
      }
      let next = scene.now + .milliseconds(4500)
      while let deadline = scene.bump.deadline, deadline <= next {
        scene.now = max(scene.now, deadline)
        try scene.handle(.deadline)
      }
      scene.now = next
      if !scene.closed.contains(1) { try scene.say(1, .more) }
      mores += 1
    }
    #expect(scene.closed.contains(1) == othersWait)
    guard othersWait else { return }
    #expect(scene.now == .milliseconds(13_500) && scene.told(1) == .timedOut && scene.bump.chosen == 2)
  }
}
