import BumpClaims
import Testing

@testable import BumpSession
@testable import BumpWire

/// By which name the person here knows a sender.
@Suite struct SenderNamesTests {
  private static let (first, second) = ("alice-1111000000000000", "alice-2222000000000000")

  private let listed = SenderNames(
    listed: [
      SenderCandidate(name: first, shown: "alice-1111", mode: nil),
      SenderCandidate(name: "bert-0123456789abcdef", shown: "bert", mode: nil),
    ])

  @Test func `a sender of a list has its name there, and another none`() {
    #expect(listed.distinct(Self.first) == "alice-1111" && listed.distinct("bert-0123456789abcdef") == "bert")
    #expect(listed.distinct(Self.second) == nil && SenderNames().distinct(Self.first) == nil)
  }

  @Test(
    arguments: [
      ("alice-1111", "alice-1111"), ("alice-1111000000000000", "alice-1111000000000000"), ("alice", nil),
      ("alice-111", nil), ("alice-2222", nil),
    ] as [(String, String?)])
  func `a name with its digits is that of the sender that it names`(wanted: String, name: String?) {
    #expect(SenderNames(wanted: wanted).distinct(Self.first) == name)
  }

  @Test(
    arguments: [
      (first, "alice", "alice-1111"), (first, "mallory", nil), (first, "alice-1111", nil), (second, "alice", nil),
      // It calls itself as the list calls another one.
      ("alice-1111-5555000000000000", "alice-1111", "alice-1111-5555"), ("bert-ffff000000000000", "bert", "bert-ffff"),
      // Its name has no digits that could tell it from others.
      ("bert-0123456789abcdef", "bert", nil),
    ] as [(String, String, String?)])
  func `an offer is that of the listed sender only if it has the name of that`(
    instance: String, offered: String, name: String?
  ) throws {
    #expect(try listed.distinct(instance, offeringAs: DisplayName(offered)) == name)
  }

  @Test(arguments: [("alice-1111", "alice-1111-5555"), ("alice", "alice-1111")])
  func `who calls itself as the wanted sender is shown with its own digits`(wanted: String, shown: String) throws {
    let names = SenderNames(wanted: wanted)
    #expect(names.shown("alice-1111-5555000000000000") == shown)
    let name = try names.distinct("alice-1111-5555000000000000", offeringAs: DisplayName("alice-1111"))
    #expect(name == (wanted == "alice" ? nil : shown))
  }

  @Test func `the beginning of a long name that an instance has names its sender`() throws {
    let name = try DisplayName(String(repeating: "alexander", count: 6))
    let instance = InstanceName(displayName: name, random: 1 << 60).description
    let wanted = WantedName(InstanceName.shown(instance).short)
    #expect(wanted.takes(name, of: instance) && !wanted.takes(name, of: nil))
    #expect(try !wanted.takes(DisplayName("alexandra"), of: instance))
    #expect(!WantedName("alexander").takes(name, of: instance))
  }

  @Test func `an offer has the whole of a name that is cut in its instance`() throws {
    let name = String(repeating: "alexander", count: 6)
    let instance = InstanceName(displayName: try DisplayName(name), random: 1 << 60).description
    let distinct = InstanceName.shown(instance).distinct
    let names = SenderNames(listed: [SenderCandidate(name: instance, shown: distinct, mode: nil)])
    #expect(try names.distinct(instance, offeringAs: DisplayName(name)) == distinct)
    #expect(try names.distinct(instance, offeringAs: DisplayName("alexander")) == nil)
  }
}
