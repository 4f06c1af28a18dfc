import BumpClaims
import BumpTesting
import BumpWire
import Samples
import Testing

@testable import BumpSession

/// Cards and links between two sessions, honest and not.
@Suite struct DocumentSessionTests {
  private let bob: DisplayName

  init() throws {
    bob = try DisplayName(Fixture.bob)
  }

  private func isProtocolViolation(_ ending: ReceiverSession.Ending?) -> Bool {
    ending == .failed(.protocolViolation)
  }

  // MARK: What goes well

  @Test(arguments: [100, 1056, 1057, 16 * 1056, 16 * 1056 + 1, 32 * 1056, 33 * 1056 + 1, 262_144])
  func `a card of any length arrives whole`(length: Int) throws {
    let card = try SampleDocument.card(of: length)
    #expect(card.bytes.count == length)
    var duet = try DocumentSessionPair(card)
    duet.talk()
    #expect(duet.saved.map(\.document) == [card] && duet.saved.map(\.from.text) == ["alice"])
    #expect(duet.senderEnding == .delivered(.stored, bob))
    guard case .saved = duet.receiverEnding else { throw Unexpected() }
  }

  @Test func `a link arrives, with a code and with a key too`() throws {
    let key = try #require(SharedKey([UInt8](repeating: 7, count: SharedKey.length)))
    for credential in [Credential.none, .code(try OneTimeCode("27-482915")), .key(key)] {
      for asks in [false, true] {
        var duet = try DocumentSessionPair(SampleDocument.link(), credential: credential, asks: asks)
        duet.talk()
        #expect(duet.saved.map(\.document) == [try SampleDocument.link()])
        #expect(duet.senderEnding == .delivered(.stored, bob))
      }
    }
  }

  @Test func `no more than 32 chunks are on the way at once`() throws {
    var duet = try DocumentSessionPair(SampleDocument.card(of: 262_144))
    duet.talk()
    #expect(duet.mostOnTheWay <= WireLimits.firstChunks + 2)
    #expect(duet.senderEnding == .delivered(.stored, bob))
  }

  @Test func `a document that is there is said to be there`() throws {
    var duet = try DocumentSessionPair(SampleDocument.link())
    duet.saves = .success(true)
    duet.talk()
    #expect(duet.senderEnding == .delivered(.duplicate, bob))
  }

  @Test func `a document that cannot be saved is not delivered`() throws {
    var duet = try DocumentSessionPair(SampleDocument.link())
    let error = DocumentError(.notSaved, "the disk is full")
    duet.saves = .failure(error)
    duet.talk()
    #expect(duet.senderEnding == .failed(.notTaken) && duet.receiverEnding == .notSaved(error))
  }

  @Test func `a slow receiver has five seconds for each sixteen chunks, and a minute in all`() throws {
    var duet = try DocumentSessionPair(SampleDocument.card(of: 262_144))
    // Until the sender waits for the first MORE.
    duet.talk(frames: 6)
    let first = try #require(duet.sender.deadline)
    #expect(first == .seconds(5))
    duet.now = .seconds(4)
    while duet.senderEnding == nil, duet.sender.deadline == first { duet.step() }
    #expect(duet.sender.deadline == .seconds(9))
    duet.now = .seconds(8)
    let second = duet.sender.deadline
    while duet.senderEnding == nil, duet.sender.deadline == second { duet.step() }
    #expect(duet.sender.deadline == .seconds(13))
  }

  @Test func `however steadily it comes, a document is not waited for longer than a minute`() throws {
    var duet = try DocumentSessionPair(SampleDocument.card(of: 262_144))
    duet.talk(frames: 6)
    for _ in 0..<40 where duet.receiverEnding == nil {
      duet.now += .seconds(4)
      duet.step()
    }
    #expect(duet.receiverEnding == .failed(.timedOut) && duet.now <= Moment(Times.transfer) + .seconds(4))
    #expect(duet.saved.isEmpty)
  }

  // MARK: Who takes documents

  @Test func `a receiver that takes no documents gets none, and the sender knows why`() throws {
    var duet = try DocumentSessionPair(SampleDocument.link(), takesDocuments: false)
    duet.talk()
    #expect(duet.receiverEnding == .failed(.takesNoDocuments))
    #expect(duet.senderEnding == .failed(.aborted(.documents)))
    #expect(duet.saved.isEmpty)
  }

  @Test func `a receiver that takes documents takes claims too`() throws {
    for credential in [Credential.none, .code(try OneTimeCode("27-482915"))] {
      var scene = try SenderScene(credential: credential)
      try scene.go(to: .claimed)
      #expect(scene.ending(try scene.say(.stored(.stored))) == .delivered(.stored, bob))
    }
  }

  // MARK: A hostile sender

  @Test func `a byte of a chunk that is changed on the way ends it`() throws {
    for index in 6..<9 {
      var duet = try DocumentSessionPair(SampleDocument.card(of: 3000))
      duet.alter = { number, frame, _ in number == index ? frame.with(frame[10] ^ 1, at: 10) : frame }
      duet.talk()
      #expect(duet.saved.isEmpty && duet.receiverEnding == .failed(.authentication))
    }
  }

  /// What a sender that has the channel says in place of the CHUNKs of a card of 3000 bytes.
  struct Cheat: Sendable, CustomStringConvertible {
    let description: String
    /// What is offered.
    var whole = bytes
    let says: [Message]
    let ending: ReceiverSession.Ending?
  }

  static let cheats: [Cheat] = [
    Cheat(description: "another digest", says: chunks(bytes.with(0x79, at: 2985)), ending: .invalidDocument),
    Cheat(description: "no card", whole: junk, says: chunks(junk), ending: .invalidDocument),
    Cheat(description: "nothing more", says: [chunks(bytes)[0]], ending: nil),
    Cheat(description: "a DECLINE", says: [.decline], ending: .declinedThere),
    outOfTurn("a shorter chunk", [.chunk(Array(bytes.prefix(1055)))]),
    outOfTurn("a shorter last chunk", chunks(Array(bytes.dropLast()))),
    outOfTurn("a longer last chunk", chunks(bytes + [0])),
    outOfTurn("a DECLINE behind a chunk", [chunks(bytes)[0], .decline]),
    outOfTurn("a HOLD behind a chunk", [chunks(bytes)[0], .hold(seconds: 1)]),
    outOfTurn("a second HOLD", [.hold(seconds: 1), .hold(seconds: 1)]),
    outOfTurn("a CLAIM", [.claim(mac: [UInt8](repeating: 0, count: 32), payload: [1])]),
    outOfTurn("a MORE", [.more]), outOfTurn("a STORED", [.stored(.stored)]),
    outOfTurn("a REMEMBER", [.remember(.yes)]), outOfTurn("an OFFER", [.offer([1])]),
  ]

  private static func outOfTurn(_ what: String, _ says: [Message]) -> Cheat {
    Cheat(description: what, says: says, ending: .failed(.protocolViolation))
  }

  private static let bytes = (try? SampleDocument.card(of: 3000).bytes) ?? []
  private static let junk = [UInt8](repeating: 0x20, count: 3000)

  private static func chunks(_ bytes: [UInt8]) -> [Message] {
    stride(from: 0, to: bytes.count, by: WireLimits.chunk).map { .chunk(Array(bytes[$0...].prefix(WireLimits.chunk))) }
  }

  @Test(arguments: cheats)
  func `whoever sends another document than it offered has nothing saved`(cheat: Cheat) throws {
    var scene = try DocumentReceiver()
    try scene.accept(
      DocumentOffer(
        kind: .card, length: cheat.whole.count, digest: Document.digest(of: cheat.whole), from: DisplayName("alice")))
    for message in cheat.says { try scene.say(message) }
    #expect(scene.ending == cheat.ending)
    #expect(scene.saved == 0)
    guard cheat.ending == nil else { return }
    // A sender that stops in the middle is not waited for.
    scene.now = try #require(scene.session.deadline)
    #expect(try scene.ending(scene.handle(.deadline)) == .failed(.timedOut) && scene.saved == 0)
  }

  @Test func `a connection that is closed in the middle leaves nothing`() throws {
    var scene = try DocumentReceiver()
    let offer = try OfferedDocument(SampleDocument.card(of: 3000), from: DisplayName("alice")).offer
    try scene.accept(offer)
    try scene.say(Self.chunks(Self.bytes)[0])
    #expect(try scene.ending(scene.handle(.closed)) == .failed(.closed) && scene.saved == 0)
  }

  @Test func `a CHUNK in a session with a claim's offer is out of turn`() throws {
    var scene = try DocumentReceiver()
    try scene.secure()
    let offered = try scene.say(.offer(try Fixture.offer(of: Fixture.claim()).json))
    #expect(offered == [.offered(try Fixture.offer(of: Fixture.claim()))])
    try scene.handle(.chosen)
    #expect(isProtocolViolation(try scene.ending(scene.say(.chunk([1])))) && scene.saved == 0)
  }

  // MARK: A hostile receiver

  struct Answer: Sendable, CustomStringConvertible {
    let description: String
    let length: Int
    let says: [Message]
  }

  static let answers = [
    Answer(description: "MORE where none is due", length: 100, says: [.more]),
    Answer(description: "STORED before the last chunk", length: 262_144, says: [.stored(.stored)]),
    Answer(description: "STORED beside another", length: 100, says: [.stored(.storedBesideAnother)]),
    Answer(description: "a CHUNK", length: 100, says: [.chunk([1])]),
    Answer(description: "a REMEMBER", length: 100, says: [.remember(.yes)]),
    Answer(description: "an ACCEPT", length: 100, says: [.accept(.somebody)]),
    Answer(description: "a HOLD", length: 100, says: [.hold(seconds: 9)]),
    Answer(description: "a DECLINE", length: 100, says: [.decline]),
  ]

  @Test(arguments: answers)
  func `a receiver's answer out of turn ends it`(answer: Answer) throws {
    var scene = try DocumentSenderScene(SampleDocument.card(of: answer.length))
    try scene.go()
    for message in answer.says { try scene.say(message) }
    let isOver = answer.length <= 32 * WireLimits.chunk
    #expect(scene.ending == (isOver ? .unknown(bob, nil) : .failed(.protocolViolation)))
  }

  @Test func `a receiver that wishes to remember gets no document`() throws {
    var scene = try DocumentSenderScene(SampleDocument.link(), credential: .code(OneTimeCode("27-482915")))
    try scene.secure()
    try scene.say(.remember(.yes))
    #expect(scene.ending == .failed(.protocolViolation))
  }

  @Test func `what was sent whole and not answered may be there, and what was not is not`() throws {
    var whole = try DocumentSenderScene(SampleDocument.link())
    try whole.go()
    whole.now = try #require(whole.session.deadline)
    try whole.handle(.deadline)
    #expect(whole.ending == .unknown(bob, nil))
    var part = try DocumentSenderScene(SampleDocument.card(of: 262_144))
    try part.go()
    part.now = try #require(part.session.deadline)
    try part.handle(.deadline)
    #expect(part.ending == .failed(.timedOut))
  }
}

/// A receiver's session that takes documents, and a scripted sender.
private struct DocumentReceiver {
  var session: ReceiverSession
  var peer = ScriptedPeer(.sender)
  var now: Moment = .zero
  private(set) var ending: ReceiverSession.Ending?
  private(set) var saved = 0

  init() throws {
    session = ReceiverSession(
      .init(name: try DisplayName(Fixture.bob), asks: false, limit: .seconds(5), unixTime: { 0 }),
      takesDocuments: true, keys: SessionKeys(drawnFrom: .system), at: .zero)
  }

  @discardableResult mutating func handle(_ input: ReceiverSession.Input) throws -> [ReceiverSession.Output] {
    let outputs = session.handle(input, at: now)
    for output in outputs {
      switch output {
      case .request(.send(let bytes)): _ = try peer.read(bytes)
      case .request(.save): saved += 1
      case .ended(let ending): self.ending = ending
      default: break
      }
    }
    return outputs
  }

  @discardableResult mutating func say(_ message: Message) throws -> [ReceiverSession.Output] {
    try handle(.received(peer.seal(message)))
  }

  mutating func secure() throws {
    try handle(.opened)
    try handle(.received(peer.welcome()))
    try handle(.received(peer.noise()))
  }

  mutating func accept(_ offer: DocumentOffer) throws {
    try secure()
    try say(.offer(offer.json))
    try handle(.chosen)
  }

  func ending(_ outputs: [ReceiverSession.Output]) -> ReceiverSession.Ending? {
    for case .ended(let ending) in outputs { return ending }
    return nil
  }
}

/// A sender's session with a document, and a scripted receiver.
private struct DocumentSenderScene {
  var session: SenderSession
  let mode: Mode
  var peer: ScriptedPeer
  var now: Moment = .zero
  private(set) var ending: SenderSession.Ending?

  init(_ document: Document, credential: Credential = .none) throws {
    mode = credential.mode
    peer = ScriptedPeer(.receiver, credential: credential)
    session = SenderSession(
      .document(try OfferedDocument(document, from: DisplayName("alice"))), credential: credential, asks: false,
      limit: .seconds(5), keys: SessionKeys(drawnFrom: .system), at: .zero)
  }

  mutating func handle(_ input: SenderSession.Input) throws {
    for output in session.handle(input, at: now) {
      switch output {
      case .send(let bytes): _ = try peer.read(bytes)
      case .ended(let ending): self.ending = ending
      default: break
      }
    }
  }

  mutating func say(_ message: Message) throws { try handle(.received(peer.seal(message))) }

  mutating func secure() throws {
    try handle(.received(peer.hello()))
    if mode == .code { try handle(.received(peer.pake())) }
    try handle(.received(peer.noise()))
  }

  /// Lets the session send as much as it may.
  mutating func go() throws {
    try secure()
    try say(.accept(DisplayName(Fixture.bob)))
    try handle(.chosen)
  }
}

extension [UInt8] {
  fileprivate func with(_ byte: UInt8, at index: Int) -> [UInt8] {
    var bytes = self
    bytes[index] = byte
    return bytes
  }
}
