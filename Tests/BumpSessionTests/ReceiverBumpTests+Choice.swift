import BumpClaims
import BumpDiscovery
import Testing

@testable import BumpSession
@testable import BumpWire

/// Where several senders are near, and somebody chooses.
extension ReceiverBumpTests {
  private func id(_ name: String) -> SenderConnector.SenderID { .instance("\(name)-0123456789abcdef") }

  /// Three senders that were found, and the 300 ms in which they were.
  private func gathered() throws -> ReceiverBumpScene {
    var scene = try ReceiverBumpScene(asks: true, canEnterCode: true, choosesSender: true)
    for (name, mode) in [("carol", Mode.code), ("alice", .open), ("bert", .open)] { try scene.reach(name, mode: mode) }
    #expect(scene.connecting.isEmpty && scene.lists.isEmpty)
    try scene.pass(.milliseconds(299))
    #expect(scene.connecting.isEmpty && scene.lists.isEmpty)
    try scene.pass(.milliseconds(1))
    return scene
  }

  @Test func `senders that are found within 300 ms are listed by name, and none is connected to`() throws {
    let scene = try gathered()
    #expect(scene.lists.map { $0.map(\.shown) } == [["alice", "bert", "carol"]])
    #expect(scene.lists[0].map(\.mode) == [.open, .open, .code])
    #expect(scene.connecting.isEmpty)
  }

  @Test func `the one that is chosen is tried, and nobody else`() throws {
    var scene = try gathered()
    try scene.handle(.chose(id("bert")))
    #expect(scene.connectedTo == ["bert"])
    let bert = try scene.connect("bert")
    try scene.reach("dora", mode: .open)
    try scene.pass(.seconds(1))
    #expect(scene.connecting.count == 1)
    try scene.go(bert, to: .offered)
    #expect(scene.asking == [bert])
    try scene.handle(.session(bert, .decided(false)))
    #expect(scene.outcome == .declinedHere, "there is nobody else to ask about")
  }

  @Test func `one sender alone is nothing to choose from, and is connected to after 300 ms at the most`() throws {
    var scene = try ReceiverBumpScene(asks: true, choosesSender: true)
    try scene.reach("alice", mode: .open)
    try scene.pass(.milliseconds(300))
    #expect(scene.lists.isEmpty)
    #expect(scene.connecting.count == 1)
    // Who comes later is tried too, as where nobody can be asked.
    try scene.reach("bert", mode: .open)
    #expect(scene.connecting.count == 2)
  }

  @Test func `where nobody can be asked nobody waits`() throws {
    var scene = try ReceiverBumpScene()
    try scene.reach("alice")
    #expect(scene.connecting.count == 1)
  }

  @Test func `a receiver that has the sender's code, or that keeps receiving, offers no choice`() throws {
    let code = Credential.code(try OneTimeCode("27-482915"))
    for var scene in [
      try ReceiverBumpScene(credential: code, choosesSender: true),
      try ReceiverBumpScene(choosesSender: true, keeps: true),
      try ReceiverBumpScene(credential: code, from: "alice", refusesNamesakes: true),
      try ReceiverBumpScene(from: "alice", refusesNamesakes: true, keeps: true),
      try ReceiverBumpScene(refusesNamesakes: true),
    ] {
      try scene.reach("alice")
      #expect(scene.connecting.count == 1, "no other sender is waited for")
    }
  }

  @Test func `an entry that does not resolve is not listed, and begins no waiting`() throws {
    var scene = try ReceiverBumpScene(asks: true, choosesSender: true)
    try scene.find("gone")
    try scene.pass(.seconds(3))
    try scene.reach("alice", mode: .open)
    try scene.pass(.milliseconds(300))
    #expect(scene.lists.isEmpty && scene.connecting.count == 1)
  }

  @Test func `a list has the senders whose records name another mode, which may be forged`() throws {
    var scene = try ReceiverBumpScene(asks: true, choosesSender: true)
    for (name, mode) in [("alice", Mode.open), ("bert", .open), ("carol", .code), ("dora", .key)] {
      try scene.reach(name, mode: mode)
    }
    try scene.pass(.milliseconds(300))
    #expect(scene.lists.map { $0.map(\.shown) } == [["alice", "bert", "carol", "dora"]])
    #expect(scene.lists.map { $0.map(\.mode) } == [[.open, .open, .code, .key]])
    try scene.handle(.chose(id("dora")))
    #expect(scene.connectedTo == ["dora"])
  }

  @Test func `where one sender will do, nobody is asked about those of another mode`() throws {
    var scene = try ReceiverBumpScene(asks: true, choosesSender: true)
    for (name, mode) in [("alice", Mode.open), ("dora", .key)] { try scene.reach(name, mode: mode) }
    try scene.pass(.milliseconds(300))
    #expect(scene.lists.isEmpty && scene.connectedTo.contains("alice"))
  }

  @Test func `a sender whose record says that it wants a key is tried where nobody else comes`() throws {
    var scene = try ReceiverBumpScene(asks: true, choosesSender: true)
    try scene.reach("dora", mode: .key)
    try scene.pass(.milliseconds(2999))
    #expect(scene.connecting.isEmpty)
    try scene.pass(.milliseconds(1))
    #expect(scene.connectedTo == ["dora"], "the record may be forged")
  }

  @Test func `two that look alike are told apart`() throws {
    var scene = try ReceiverBumpScene(asks: true, choosesSender: true)
    try scene.reachAlice("1111000000000000", "2222000000000000")
    try scene.pass(.milliseconds(300))
    #expect(scene.lists.map { $0.map(\.shown) } == [["alice-1111", "alice-2222"]])
  }

  @Test func `of one that has copied the digits that are shown the whole name is`() throws {
    var scene = try ReceiverBumpScene(asks: true, choosesSender: true)
    try scene.reachAlice("1111000000000000", "1111222222222222", "3333000000000000")
    try scene.pass(.milliseconds(300))
    let list = ["alice-1111000000000000", "alice-1111222222222222", "alice-3333"]
    #expect(scene.lists.map { $0.map(\.shown) } == [list])
  }

  /// A sender's own screen says "alice-1111".
  @Test(arguments: [nil, "alice-1111"])
  func `one that calls itself as another's screen says is not listed by that name`(from: String?) throws {
    var scene = try ReceiverBumpScene(asks: true, from: from, choosesSender: true)
    try scene.reach("alice-1111", mode: .open)
    try scene.reachAlice("1111000000000000")
    try scene.pass(.milliseconds(300))
    let whole = scene.lists.map { $0.map(\.name) }
    #expect(whole == [["alice-1111000000000000", "alice-1111-0123456789abcdef"]])
    #expect(scene.lists.map { $0.map(\.shown) } == [["alice-1111", "alice-1111-0123"]])
  }

  @Test func `one that calls itself by another's whole name is listed with its own digits`() throws {
    var scene = try ReceiverBumpScene(asks: true, choosesSender: true)
    try scene.reach("alice-1111000000000000", mode: .open)
    try scene.reachAlice("1111000000000000")
    try scene.pass(.milliseconds(300))
    #expect(scene.lists.map { $0.map(\.shown) } == [["alice-1111", "alice-1111000000000000-0123"]])
  }

  // MARK: Several senders of the wanted name

  @Test func `of several senders of the wanted name a person chooses, and no other sender is listed`() throws {
    var scene = try ReceiverBumpScene(asks: true, canEnterCode: true, from: "alice", choosesSender: true)
    try scene.reach("bert", mode: .open)
    try scene.reachAlice("1111000000000000", mode: .code)
    try scene.reachAlice("2222000000000000", mode: .open)
    #expect(scene.connectedTo.isEmpty, "none is tried, so none asks for a code")
    try scene.pass(.milliseconds(300))
    #expect(scene.lists.map { $0.map(\.shown) } == [["alice-1111", "alice-2222"]])
    #expect(scene.lists.map { $0.map(\.mode) } == [[.code, .open]])
    try scene.handle(.chose(.instance("alice-2222000000000000")))
    #expect(scene.connectedTo == ["2222000000000000"])
  }

  /// The record of one of them may be forged, too.
  @Test(arguments: [Mode.open, .code, .key])
  func `where nobody can be asked which sender of the name is meant none is tried`(mode: Mode) throws {
    var scene = try ReceiverBumpScene(from: "alice", refusesNamesakes: true)
    try scene.reachAlice("1111000000000000", mode: mode)
    try scene.reachAlice("2222000000000000", mode: .open)
    try scene.pass(.milliseconds(300))
    guard case .nobody(.namesakes(let candidates), let found) = scene.outcome else {
      Issue.record("\(String(describing: scene.outcome))")
      return
    }
    #expect(candidates.map(\.shown) == ["alice-1111", "alice-2222"] && candidates.map(\.mode) == [mode, .open])
    #expect(found.map(\.name) == candidates.map(\.name) && found.allSatisfy { $0.reason == .notTried })
    #expect(scene.connectedTo.isEmpty && scene.lists.isEmpty)
  }

  @Test(arguments: ["alice-1111", "alice-1111000000000000"])
  func `a name with its digits is that of one sender`(name: String) throws {
    var scene = try ReceiverBumpScene(from: name, refusesNamesakes: true)
    try scene.reachAlice("1111000000000000", "2222000000000000")
    try scene.pass(.milliseconds(300))
    #expect(scene.connectedTo == ["1111000000000000"] && scene.outcome == nil)
  }

  @Test func `a sender whose name is only the beginning of the wanted one is another`() throws {
    var scene = try ReceiverBumpScene(from: "alice and bob", refusesNamesakes: true)
    for name in ["alice", "alice and bob"] { try scene.reach(name, mode: .open) }
    try scene.pass(.milliseconds(300))
    #expect(scene.connectedTo == ["alice and bob"] && scene.outcome == nil)
  }

  @Test func `a sender whose name is too long for its instance's name is wanted by its beginning`() throws {
    let name = String(repeating: "alexander", count: 6)
    let beginning = String(name.prefix(InstanceName.room))
    var scene = try ReceiverBumpScene(from: name, refusesNamesakes: true)
    for name in ["bert", beginning] { try scene.reach(name, mode: .open) }
    try scene.pass(.milliseconds(300))
    #expect(scene.connectedTo == [beginning] && scene.outcome == nil)
    // Its offer has the whole name.
    let isWanted = scene.bump.wants(from: id(beginning))
    #expect(try isWanted(DisplayName(name)) && !isWanted(DisplayName(beginning)))
  }

  @Test func `one sender of the wanted name alone is tried, and waits for namesakes for 300 ms`() throws {
    var scene = try ReceiverBumpScene(from: "alice", refusesNamesakes: true)
    try scene.reach("alice", mode: .open)
    try scene.pass(.milliseconds(299))
    #expect(scene.connectedTo.isEmpty)
    try scene.pass(.milliseconds(1))
    #expect(scene.connectedTo == ["alice"])
  }

  @Test func `the time in which a person chooses does not count`() throws {
    var scene = try gathered()
    try scene.pass(.seconds(60))
    #expect(scene.bump.deadline == nil && scene.outcome == nil)
    try scene.handle(.chose(id("bert")))
    try scene.pass(.milliseconds(9600))
    #expect(scene.outcome == nil)
    try scene.pass(.milliseconds(100))
    #expect(scene.outcome != nil)
  }

  @Test func `a list that has changed is asked about again, and only who was on it can be chosen`() throws {
    var scene = try gathered()
    try scene.reach("dora", mode: .open)
    try scene.lose("alice")
    #expect(scene.lists.dropFirst().map { $0.map(\.shown) } == [["bert", "carol"]])
    try scene.handle(.chose(id("carol")))
    #expect(scene.connectedTo == ["carol"])
  }

  @Test func `of a list of which one is left nobody has to choose`() throws {
    var scene = try gathered()
    try scene.lose("alice")
    try scene.lose("bert")
    #expect(scene.withdrawals == 1 && scene.lists.count == 2)
    #expect(scene.connectedTo == ["carol"])
  }

  @Test func `where all have gone away others are waited for, and chosen from`() throws {
    var scene = try ReceiverBumpScene(asks: true, choosesSender: true)
    for name in ["alice", "bert"] { try scene.reach(name, mode: .open) }
    try scene.pass(.milliseconds(300))
    try scene.lose("alice")
    // The last one is connected to, and is gone too.
    try scene.lose("bert")
    #expect(scene.outcome == nil)
    try scene.reach("carol", mode: .open)
    #expect(scene.connectedTo == ["bert", "carol"])
  }

  @Test func `where the chosen one has gone away there is another choice`() throws {
    var scene = try gathered()
    try scene.handle(.chose(id("bert")))
    try scene.reach("dora", mode: .open)
    try scene.lose("bert")
    #expect(scene.actions.contains(.event(.lost(name: "bert-0123456789abcdef"))))
    #expect(scene.actions.contains(.connector(.cancelConnecting(scene.connecting[0]))))
    for name in ["alice", "dora"] { try scene.resolve(id(name), to: name) }
    try scene.pass(.milliseconds(300))
    #expect(scene.lists.last?.map(\.shown) == ["alice", "dora"])
  }

  @Test func `where the chosen one has gone away in the middle of its session there is another choice, too`() throws {
    var scene = try gathered()
    try scene.handle(.chose(id("bert")))
    let bert = try scene.connect("bert")
    try scene.go(bert, to: .offered)
    try scene.lose("bert")
    #expect(scene.asking == [bert], "it may be the announcement alone that is gone")
    try scene.handle(.session(bert, .closed))
    #expect(scene.actions.contains(.event(.lost(name: "bert-0123456789abcdef"))))
    for name in ["alice", "carol"] { try scene.resolve(id(name), to: name) }
    try scene.pass(.milliseconds(300))
    #expect(scene.lists.last?.map(\.shown) == ["alice", "carol"])
  }

  @Test func `a chosen sender that was lost and comes back can be chosen again`() throws {
    var scene = try gathered()
    try scene.handle(.chose(id("bert")))
    let bert = try scene.connect("bert")
    try scene.go(bert, to: .offered)
    try scene.lose("bert")
    try scene.handle(.session(bert, .closed))
    for name in ["alice", "carol"] { try scene.resolve(id(name), to: name) }
    try scene.reach("bert", mode: .open)
    try scene.pass(.milliseconds(300))
    #expect(scene.lists.last?.map(\.shown) == ["alice", "bert", "carol"])
  }

  @Test func `who chooses none of them ends it`() throws {
    var scene = try gathered()
    try scene.handle(.chose(nil))
    #expect(scene.outcome == .declinedHere)
  }

  @Test(arguments: [true, false])
  func `Ctrl-C and the loss of discovery end the choice`(isInterrupted: Bool) throws {
    var scene = try gathered()
    try scene.handle(isInterrupted ? .interrupted : .discoveryLost)
    #expect(scene.withdrawals == 1)
    #expect(scene.outcome == (isInterrupted ? .interrupted : .nobody(.discoveryUnavailable, scene.failed)))
  }

  @Test func `a chosen sender that wants a code is asked for, and the code then picks the sender`() throws {
    var scene = try gathered()
    try scene.handle(.chose(id("carol")))
    let code = Credential.code(try OneTimeCode("27-482915"))
    let carol = try scene.connect("carol", credential: code)
    try scene.welcome(carol)
    #expect(scene.actions.contains(.askCode("carol")))
    let before = scene.actions.count
    try scene.handle(.code(OneTimeCode("27-482915")))
    let tried = scene.actions[before...].compactMap {
      if case .connector(.resolve(let id, _)) = $0 { id } else { nil }
    }
    #expect(Set(tried) == Set(["alice", "bert", "carol"].map(id)))
  }

  @Test(arguments: [nil, "alice-1111"])
  func `a code is asked for by the name of the list, or by the one that was named`(from: String?) throws {
    var scene = try ReceiverBumpScene(asks: true, canEnterCode: true, from: from, choosesSender: true)
    try scene.reachAlice("1111000000000000", "2222000000000000", mode: .code)
    try scene.pass(.milliseconds(300))
    if from == nil { try scene.handle(.chose(.instance("alice-1111000000000000"))) }
    let code = Credential.code(try OneTimeCode("27-482915"))
    try scene.welcome(scene.connect("1111000000000000", credential: code))
    #expect(scene.connectedTo == ["1111000000000000"] && scene.actions.contains(.askCode("alice-1111")))
  }

  /// A name proves nothing, and whoever copies it must not keep the sender from being found where each offer is decided.
  @Test func `of two senders of the whole name each is tried`() throws {
    var scene = try ReceiverBumpScene(asks: true, from: "alice")
    try scene.reachAlice("1111000000000000", "2222000000000000")
    #expect(scene.connectedTo == ["1111000000000000", "2222000000000000"])
  }

  /// Of that name's instance 46 bytes are left.
  @Test func `a name that is cut to fit its instance is found`() throws {
    let cut = String(repeating: "\u{4e00}", count: 15)
    var scene = try ReceiverBumpScene(asks: true, from: cut + "\u{4e01}")
    for name in ["alice", cut] { try scene.reach(name, mode: .open) }
    #expect(scene.connectedTo == [cut])
  }
}

extension ReceiverBumpScene {
  var lists: [[SenderCandidate]] { actions.compactMap { if case .choose(let list) = $0 { list } else { nil } } }
  var withdrawals: Int { actions.count { $0 == .withdrawChoice } }

  /// Whom it connected to.
  var connectedTo: [String] {
    actions.compactMap { if case .connector(.connect(_, .host(let name, _))) = $0 { name } else { nil } }
  }

  /// Lets time pass, and every deadline in it.
  mutating func pass(_ time: Duration) throws {
    let end = now + time
    while let deadline = bump.deadline, deadline <= end {
      now = max(now, deadline)
      try handle(.deadline)
    }
    now = end
  }

  /// Finds senders that are called alice, each with these random digits and at a host of that name.
  mutating func reachAlice(_ digits: String..., mode: Mode? = nil) throws {
    for digits in digits {
      let instance = ServiceInstance(name: "alice-\(digits)", type: "_irl-bump._tcp", interface: 1)
      try handle(.found(instance))
      let sender = SenderConnector.SenderID.instance(instance.name)
      if let mode { try handle(.described(sender, try Announcement(TXTRecord(["mode": mode.description])))) }
      try resolve(sender, to: digits)
    }
  }

  mutating func lose(_ name: String) throws { try handle(.lost(instance(name))) }
}
