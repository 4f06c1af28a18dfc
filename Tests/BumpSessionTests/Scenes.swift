import BumpClaims
import BumpTesting
import BumpWire
import Samples
import Testing

@testable import BumpSession

extension ReceiverSession.Input {
  /// What a store says that has come to this status.
  static func of(_ status: StoredStatus) -> Self {
    StoreResult(status).map { .stored($0) } ?? .notStored(Fixture.storeError)
  }
}

/// A sender's session, and a scripted receiver that talks to it.
struct SenderScene {
  var session: SenderSession
  let mode: Mode
  var peer: ScriptedPeer
  var now: Moment = .zero
  var heard: [ScriptedPeer.Heard] = []

  init(
    credential: Credential = .none, version: UInt8 = ProtocolVersion.current, asks: Bool = false,
    remembers: Bool = false,
    limit: Duration = .seconds(5)
  ) throws {
    let claim = try Fixture.claim()
    peer = ScriptedPeer(.receiver, version: version, credential: credential)
    mode = credential.mode
    session = SenderSession(
      claim: claim, offer: try Fixture.offer(of: claim), credential: credential, asks: asks,
      remembers: remembers, limit: limit, keys: SessionKeys(drawnFrom: .system), at: .zero)
  }

  /// Hands the session an input, and the peer what the session sends.
  @discardableResult mutating func handle(_ input: SenderSession.Input) throws -> [SenderSession.Output] {
    let outputs = session.handle(input, at: now)
    for case .send(let bytes) in outputs { heard += try peer.read(bytes) }
    return outputs
  }

  @discardableResult mutating func say(_ bytes: [UInt8]) throws -> [SenderSession.Output] {
    try handle(.received(bytes))
  }

  @discardableResult mutating func say(_ message: Message) throws -> [SenderSession.Output] {
    try say(peer.seal(message))
  }

  /// Where a session stands, in the order of its life.
  enum Step: CaseIterable { case opened, welcomed, offered, accepted, asked, claimed }

  mutating func go(to step: Step) throws {
    if step >= .welcomed { try say(peer.hello()) }
    if step >= .offered {
      if mode == .code { try say(peer.pake()) }
      try say(peer.noise())
    }
    if step >= .accepted { try say(.accept(try DisplayName(Fixture.bob))) }
    if step >= .asked { try handle(.chosen) }
    if step >= .claimed {
      try handle(.decided(true))
      try handle(.released)
    }
  }

  /// What the session ended with, and the reason it told the peer.
  func ending(_ outputs: [SenderSession.Output]) -> SenderSession.Ending? {
    for case .ended(let ending) in outputs { return ending }
    return nil
  }

  var toldReason: AbortReason? {
    guard case .frame(let frame) = heard.last, frame.type == .abort else { return nil }
    return frame.body.first.flatMap(AbortReason.init(rawValue:))
  }
}

extension SenderScene.Step: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    let order = allCases
    return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
  }
}

/// A receiver's session, and a scripted sender that talks to it.
struct ReceiverScene {
  var session: ReceiverSession
  let mode: Mode
  var peer: ScriptedPeer
  var now: Moment = .zero
  var heard: [ScriptedPeer.Heard] = []

  /// - Parameter theirs: the sender's credential, if it is another.
  init(
    credential: Credential = .none, theirs: Credential? = nil, asks: Bool = false, remembers: Bool = false,
    remembered: [RememberedSender] = [], limit: Duration = .seconds(5),
    unixTime: @escaping @Sendable () -> Int64 = { 0 },
    wants: @escaping @Sendable (DisplayName) -> Bool = { _ in true }
  ) throws {
    peer = ScriptedPeer(.sender, credential: theirs ?? credential)
    mode = (theirs ?? credential).mode
    session = ReceiverSession(
      .init(
        name: try DisplayName(Fixture.bob), asks: asks, remembers: remembers, remembered: remembered, limit: limit,
        unixTime: unixTime),
      credential: credential, wants: wants, keys: SessionKeys(drawnFrom: .system), at: .zero)
  }

  @discardableResult mutating func handle(_ input: ReceiverSession.Input) throws -> [ReceiverSession.Output] {
    let outputs = session.handle(input, at: now)
    for case .request(.send(let bytes)) in outputs { heard += try peer.read(bytes) }
    return outputs
  }

  @discardableResult mutating func say(_ bytes: [UInt8]) throws -> [ReceiverSession.Output] {
    try handle(.received(bytes))
  }

  @discardableResult mutating func say(_ message: Message) throws -> [ReceiverSession.Output] {
    try say(peer.seal(message))
  }

  enum Step: CaseIterable { case new, opened, welcomed, secured, offered, asked, accepted, storing }

  mutating func go(from: Step = .new, to step: Step) throws {
    func passes(_ other: Step) -> Bool { from < other && step >= other }
    if passes(.opened) { try handle(.opened) }
    if passes(.welcomed) { try say(peer.welcome()) }
    if passes(.secured) {
      if mode == .code { try say(peer.pake()) }
      try say(peer.noise())
    }
    if passes(.offered) { try say(.offer(try Fixture.offer(of: Fixture.claim()).json)) }
    if passes(.asked) { try handle(.chosen) }
    if passes(.accepted) { try handle(.decided(true)) }
    if passes(.storing) { try say(try claimMessage(Fixture.claim())) }
  }

  func claimMessage(_ claim: Claim) throws -> Message { try #require(peer.channel).claimMessage(claim) }

  func ending(_ outputs: [ReceiverSession.Output]) -> ReceiverSession.Ending? {
    for case .ended(let ending) in outputs { return ending }
    return nil
  }

  var toldReason: AbortReason? {
    guard case .frame(let frame) = heard.last, frame.type == .abort else { return nil }
    return frame.body.first.flatMap(AbortReason.init(rawValue:))
  }
}

extension ReceiverScene.Step: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    let order = allCases
    return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
  }
}
