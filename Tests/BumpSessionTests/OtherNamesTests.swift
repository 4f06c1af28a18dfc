import BumpDiscovery
import Testing

@testable import BumpSession
@testable import BumpWire

/// A receive from a sender of one name, where only senders of other names are nearby.
@Suite struct OtherNamesTests {
  private func instance(_ name: String, on interface: UInt32 = 1) -> ServiceInstance {
    ServiceInstance(name: name, type: "_irl-bump._tcp", interface: interface)
  }

  private static let (first, second) = ("alice-1111000000000000", "alice-2222000000000000")

  @Test func `after three seconds they are reported once, by names that tell them apart, and again at the end`() throws
  {
    var scene = try ReceiverBumpScene(from: "alice-111")
    for name in [Self.second, Self.first] { try scene.handle(.found(instance(name))) }
    try scene.pass(.milliseconds(2999))
    #expect(scene.actions.isEmpty)
    try scene.find("carol")
    try scene.pass(.milliseconds(1))
    #expect(scene.otherNames.map { $0.map(\.shown) } == [["alice-1111", "alice-2222", "carol"]])
    #expect(scene.otherNames.map { $0.map(\.name).prefix(2) } == [[Self.first, Self.second]])
    try scene.lose("carol")
    try scene.find("dora")
    try scene.pass(.milliseconds(6999))
    #expect(scene.otherNames.count == 1 && scene.outcome == nil && scene.connecting.isEmpty)
    try scene.pass(.milliseconds(1))
    guard case .nobody(.otherNames(let others), let found) = scene.outcome else {
      Issue.record("\(String(describing: scene.outcome))")
      return
    }
    #expect(others.map(\.shown) == ["alice-1111", "alice-2222", "dora"])
    #expect(found.map(\.name) == others.map(\.name) && found.allSatisfy { $0.reason == .passedOver })
  }

  /// The wanted sender may be near all the same, with another code.
  @Test func `with a code, by which only some senders are found, none is reported`() throws {
    var scene = try ReceiverBumpScene(credential: .code(OneTimeCode("27-482915")), from: "alice")
    try scene.find("carol")
    try scene.pass(.seconds(10))
    #expect(scene.otherNames.isEmpty)
    guard case .nobody(.timeout, let found) = scene.outcome else {
      Issue.record("\(String(describing: scene.outcome))")
      return
    }
    #expect(found.isEmpty)
  }

  @Test(arguments: [0, 9]) func `where one of the wanted name is found no others are reported`(second: Int) throws {
    var scene = try ReceiverBumpScene(from: "alice")
    try scene.pass(.seconds(second))
    try scene.find("carol")
    try scene.reach("alice")
    try scene.pass(.seconds(10 - second))
    #expect(scene.otherNames.isEmpty)
    guard case .nobody(.timeout, let found) = scene.outcome else {
      Issue.record("\(String(describing: scene.outcome))")
      return
    }
    #expect(found.map(\.name) == [scene.instance("alice").name])
  }

  @Test func `a receive that goes on reports them too, and takes an offer of the wanted name later`() throws {
    var scene = try ReceiverBumpScene(from: "alice", keeps: true)
    try scene.find("carol")
    try scene.pass(.seconds(60))
    #expect(scene.otherNames.map { $0.map(\.shown) } == [["carol"]])
    let alice = try scene.meet("alice")
    try scene.go(alice, to: .offered)
    #expect(scene.accepted == [alice] && scene.otherNames.count == 1)
  }

  @Test func `one that went away is not reported, and is waited for anew`() throws {
    var scene = try ReceiverBumpScene(from: "alice")
    try scene.find("carol")
    try scene.pass(.seconds(2))
    try scene.lose("carol")
    try scene.pass(.seconds(2))
    try scene.find("dora")
    try scene.pass(.milliseconds(2999))
    #expect(scene.otherNames.isEmpty)
    try scene.pass(.milliseconds(1))
    #expect(scene.otherNames.map { $0.map(\.shown) } == [["dora"]])
    try scene.lose("dora")
    try scene.pass(.seconds(3))
    #expect(scene.outcome == .nobody(.timeout, []))
  }

  @Test func `a sender is there as long as one of its instances is`() {
    var others = OtherNames(limit: .seconds(10))
    for interface: UInt32 in [1, 2] { others.found(instance(Self.first, on: interface), at: .zero) }
    others.lost(instance(Self.first, on: 1))
    #expect(others.list.map(\.name) == [Self.first])
    others.lost(instance(Self.first, on: 2))
    #expect(others.list.isEmpty && others.deadline == nil)
  }

  @Test func `of a flood of names sixteen are kept, and one that is lost makes room`() {
    var others = OtherNames(limit: .seconds(10))
    for number in 100..<1000 { others.found(instance("a\(number)"), at: .zero) }
    #expect(others.list.map(\.name) == (100..<116).map { "a\($0)" })
    others.lost(instance("a107"))
    others.found(instance("alice"), at: .zero)
    #expect(others.list.count == 16 && others.list.last?.name == "alice")
  }

  @Test func `in a short receive they are reported after half of its time`() {
    var others = OtherNames(limit: .seconds(2))
    others.found(instance(Self.first), at: .milliseconds(500))
    #expect(others.deadline == .milliseconds(1500))
    #expect(others.report(at: .milliseconds(1499)) == nil)
    #expect(others.report(at: .milliseconds(1500))?.map(\.name) == [Self.first])
    #expect(others.report(at: .seconds(2)) == nil && others.deadline == nil)
  }
}

extension ReceiverBumpScene {
  fileprivate var otherNames: [[SenderCandidate]] {
    events.compactMap { if case .otherNames(let others) = $0 { others } else { nil } }
  }
}
