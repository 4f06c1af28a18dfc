import FoundationEssentials
import Lab
import Testing

/// What two programs on hosts of their own agree on before they are connected, and whom they are shown.
@Suite(.live) struct MultipeerTermsTests {
  enum Outcome { case encrypted, plain, refused }

  /// What the two programs prefer, and what comes of it.
  struct Preferences: CustomTestStringConvertible {
    let (left, right): (String, String)
    let outcome: Outcome

    init(_ left: String, _ right: String, _ outcome: Outcome) {
      (self.left, self.right, self.outcome) = (left, right, outcome)
    }

    var testDescription: String { "\(left) and \(right)" }
  }

  static let preferences = [
    Preferences("required", "required", .encrypted), Preferences("optional", "required", .encrypted),
    Preferences("optional", "optional", .encrypted), Preferences("none", "optional", .plain),
    Preferences("none", "none", .plain), Preferences("required", "none", .refused),
    Preferences("none", "required", .refused),
  ]

  @Test(arguments: preferences)
  func `what two hosts say is encrypted unless one refuses that, and nothing where the other requires it`(
    preferences: Preferences
  ) async throws {
    try await withTwoHosts { left, right, link in
      let captures = [try await link.capture(on: left), try await link.capture(on: right)]
      let alice = try await MultipeerPlayer("alice", on: left, encryption: preferences.left)
      let bob = try await MultipeerPlayer("bob", on: right, encryption: preferences.right)
      bob.perform("advertise")
      alice.perform("browse")
      guard preferences.outcome != .refused else {
        try await alice.says("found bob [\"color\": \"red\"]")
        alice.perform("invite bob")
        for (player, other) in [(alice, bob), (bob, alice)] {
          try await player.says("state \(other.name) connecting")
          try await player.says("state \(other.name) notConnected")
          #expect(!player.process.standardOutput.text.contains("certificate"))
        }
        return
      }
      try await alice.connect(to: bob)
      alice.perform("send what a third may read")
      try await bob.says("data alice 21 what a third may read")
      for packets in try await link.packets(of: captures, from: left) {
        #expect(packets.holds(Array("mpc.n=bob".utf8)), "the advertisement is in it")
        #expect(packets.holds(Array("what a third may read".utf8)) == (preferences.outcome == .plain))
      }
    }
  }

  @Test func `each host is shown the other's certificates, the leaf first`() async throws {
    try await withTwoHosts { left, right, _ in
      let alice = try await MultipeerPlayer("alice", on: left, certificates: ["leaf", "root"])
      let bob = try await MultipeerPlayer("bob", on: right)
      bob.perform("advertise")
      alice.perform("browse")
      try await alice.connect(to: bob)
      try await bob.says("certificate alice leaf root")
      try await alice.says("certificate bob")
    }
  }

  @Test(arguments: [true, false])
  func `certificates that one host refuses disconnect both`(isInvited: Bool) async throws {
    try await withTwoHosts { left, right, _ in
      let (alice, bob) = (try await MultipeerPlayer("alice", on: left), try await MultipeerPlayer("bob", on: right))
      (isInvited ? bob : alice).perform("refuse")
      bob.perform("advertise")
      alice.perform("browse")
      try await alice.says("found bob [\"color\": \"red\"]")
      alice.perform("invite bob")
      for (player, other) in [(alice, bob), (bob, alice)] {
        try await player.says("certificate \(other.name)")
        try await player.says("state \(other.name) notConnected")
        #expect(!player.process.standardOutput.text.contains("state \(other.name) connected"))
      }
    }
  }

  @Test func `two hosts that exchange their data by other means connect without discovery`() async throws {
    try await withTwoHosts(daemons: .none) { left, right, link in
      let captures = [try await link.capture(on: left), try await link.capture(on: right)]
      let (alice, bob) = (try await MultipeerPlayer("alice", on: left), try await MultipeerPlayer("bob", on: right))
      let (anAlice, aBob) = (try await alice.identity(), try await bob.identity())
      let (forBob, forAlice) = (try await alice.data(for: aBob), try await bob.data(for: anAlice))
      alice.perform("connect \(aBob) \(forAlice)")
      bob.perform("connect \(anAlice) \(forBob)")
      try await alice.says("state bob connected")
      try await bob.says("state alice connected")
      alice.perform("send hello")
      try await bob.says("data alice 5 hello")
      for packets in try await link.packets(of: captures, from: left) {
        #expect(!packets.holds(Array("mpc-trial".utf8)) && !packets.holds(Array("hello".utf8)))
      }
    }
  }
}
