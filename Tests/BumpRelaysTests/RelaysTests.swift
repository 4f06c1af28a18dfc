#if Vault
  import BumpNostr
  import Lab
  import NostrAuthor
  import Testing

  @testable import BumpRelays

  /// Relays over real connections: what is shown is the author's, whatever they do.
  @Suite(.processes()) struct RelaysTests {
    private static let author = NostrAuthor(3)
    private static let now: Int64 = 1_700_000_000
    private static let ann = author.event(#"{"name":"Ann"}"#).message
    private static let end = #"["EOSE","profile"]"#

    /// - Parameter limit: so long that a busy machine is no reason for an ending.
    private static func ask(
      _ behaviour: TestRelay.Behaviour, within limit: Duration = .hang
    ) async throws -> Relays.Answer {
      try await TestRelay.run(behaviour) { url in
        try #require(try await Relays.ask([url], for: author.key, at: now, within: limit).first)
      }
    }

    @Test func `a relay that has the profile is believed`() async throws {
      let answer = try await Self.ask(.says([#"["NOTICE","welcome"]"#, Self.ann, Self.end]))
      #expect(answer.profile?.name == "Ann" && answer.ending == .complete && answer.refusals.isEmpty)
    }

    /// RFC 6455 §5.4: of any size, and empty too.
    @Test(arguments: [(70, 70), (1000, 1), (1000, 63), (1000, 0), (20, 20)])
    func `a message in pieces is one message, however small they are`(size: Int, first: Int) async throws {
      let answer = try await Self.ask(.saysInPieces([Self.ann, Self.end], of: size, first: first))
      #expect(answer.profile?.name == "Ann" && answer.ending == .complete)
    }

    @Test func `a liar is not believed`() async throws {
      var forged = Self.author.event(#"{"name":"Ann"}"#)
      forged.content = #"{"name":"Mallory"}"#
      let stranger = NostrAuthor(4).event(#"{"name":"Mallory"}"#)
      let answer = try await Self.ask(.says([forged.message, stranger.message, Self.end]))
      #expect(answer.profile == nil && answer.ending == .complete && answer.refusals == [.id: 1, .author: 1])
    }

    @Test(arguments: [
      ("a flood of messages", TestRelay.Behaviour.floods("[]")), ("a flood of events", .floods(ann)),
      ("a flood of pings", .pings), ("a message without end", .talksWithoutEnd),
      ("a message of too many pieces", .saysInPieces([String(repeating: " ", count: 9000)], of: 100)),
      ("a message of too many small pieces", .saysInPieces([String(repeating: " ", count: 65)], of: 1)),
      ("a long message", .says(["[\"" + String(repeating: "a", count: 65_536)])),
    ]) func `a flood ends the connection`(what: String, behaviour: TestRelay.Behaviour) async throws {
      #expect(try await Self.ask(behaviour).ending == .flooded, "\(what)")
    }

    @Test(arguments: [
      ("silence behind the request", TestRelay.Behaviour.stalls), ("silence before the upgrade", .neverUpgrades),
    ]) func `a relay that stalls is left when its time is up`(what: String, behaviour: TestRelay.Behaviour) async throws
    {
      #expect(try await Self.ask(behaviour, within: .milliseconds(200)).ending == .timedOut, "\(what)")
    }

    @Test(arguments: [
      ("a page", TestRelay.Behaviour.isNoRelay), ("a closed connection", .hangsUp),
    ]) func `what is no relay ends at once`(what: String, behaviour: TestRelay.Behaviour) async throws {
      #expect(try await Self.ask(behaviour).ending == .disconnected, "\(what)")
    }

    @Test func `a port where nobody listens ends at once`() async throws {
      // The listener is closed by then.
      let url = try await TestRelay.run(.stalls) { $0 }
      let answers = try await Relays.ask([url], for: Self.author.key, at: Self.now, within: .hang)
      #expect(answers.map(\.ending) == [.disconnected])
    }

    @Test func `a relay without TLS is no answer to a URL with it`() async throws {
      let answers = try await TestRelay.run(.says([Self.ann, Self.end])) { url in
        let secure = try #require(RelayURL("wss://127.0.0.1:\(url.port)"))
        return try await Relays.ask([secure], for: Self.author.key, at: Self.now, within: .hang)
      }
      #expect(answers.map(\.ending) == [.disconnected] && answers[0].profile == nil)
    }

    @Test func `several are asked at once, and the newest good event wins`() async throws {
      let newest = Self.author.event(#"{"name":"new"}"#, at: Self.now - 1).message
      let old = Self.author.event(#"{"name":"old"}"#, at: Self.now - 9).message
      let ahead = Self.author.event(#"{"name":"ahead"}"#, at: Self.now + 1000).message
      // The first answers only once the third was asked.
      let asked = TestRelay.Asked()
      let answers = try await TestRelay.run(.saysBehind(asked, [old, Self.end])) { first in
        try await TestRelay.run(.says([newest, Self.end])) { second in
          try await TestRelay.run(.saysAndLets(asked, [ahead, Self.end])) { third in
            try await TestRelay.run(.hangsUp) { fourth in
              try await Relays.ask(
                [first, second, third, fourth], for: Self.author.key, at: Self.now, within: .hang)
            }
          }
        }
      }
      #expect(NostrProfile.newest(of: answers.compactMap(\.profile))?.name == "new")
      #expect(answers.map(\.ending) == [.complete, .complete, .complete, .disconnected])
      #expect(answers[2].refusals == [.future: 1])
    }

    @Test func `a relay that a stranger has named is not asked where it is near`() async throws {
      let asked = TestRelay.Asked()
      let url = try await TestRelay.run(.saysAndLets(asked, [Self.ann, Self.end])) { url in
        for host in ["127.0.0.1", "localhost"] {
          let near = try #require(RelayURL("ws://\(host):\(url.port)"))
          let answers = try await Relays.ask(
            [near], strangers: [near], for: Self.author.key, at: Self.now, within: .hang)
          #expect(answers.map(\.ending) == [.disconnected] && answers[0].profile == nil)
        }
        return url
      }
      #expect(url.host == "127.0.0.1" && !asked.isSo)
      // A promise must be kept.
      asked.tell()
    }

    @Test func `a name of which one address is closed is asked at the other`() async throws {
      // In /etc/hosts localhost is ::1 too, where this relay does not listen.
      let answers = try await TestRelay.run(.says([Self.ann, Self.end])) { url in
        let named = try #require(RelayURL("ws://localhost:\(url.port)"))
        return try await Relays.ask([named], for: Self.author.key, at: Self.now, within: .hang)
      }
      #expect(answers.map(\.ending) == [.complete] && answers[0].profile?.name == "Ann")
    }
  }
#endif
