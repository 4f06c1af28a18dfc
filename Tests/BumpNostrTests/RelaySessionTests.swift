import NostrAuthor
import Testing

@testable import BumpNostr

/// A conversation with one relay, also with one that lies, stalls or floods.
@Suite struct RelaySessionTests {
  private static let author = NostrAuthor(3)
  private static let now: Int64 = 1_700_000_000
  private static let request =
    #"["REQ","profile",{"kinds":[0],"authors":["\#(author.key.hex)"],"limit":1}]"#
  private static let farewell: [RelaySession.Action] = [.send(#"["CLOSE","profile"]"#), .close]
  private static let end = #"["EOSE","profile"]"#

  @Test func `a relay has five seconds`() { #expect(RelaySession.timeLimit == .seconds(5)) }

  private static func session(_ messages: String...) -> RelaySession {
    var session = RelaySession(for: author.key, at: now)
    _ = session.handle(.connected)
    for message in messages { _ = session.handle(.received(Array(message.utf8))) }
    return session
  }

  @Test func `a relay is asked once, answers, and is left`() {
    var session = RelaySession(for: Self.author.key, at: Self.now)
    #expect(session.handle(.connected) == [.send(Self.request)])
    #expect(session.handle(.connected) == [])
    let event = Self.author.event(#"{"name":"Ann"}"#)
    #expect(session.handle(.received(Array(event.message.utf8))) == [])
    #expect(session.handle(.received(Array(Self.end.utf8))) == Self.farewell)
    #expect(session.profile?.name == "Ann" && session.ending == .complete && session.refusals.isEmpty)
  }

  @Test func `nothing is done once a session is over`() {
    var session = Self.session(Self.end)
    let late = Self.author.event(#"{"name":"late"}"#)
    for input: RelaySession.Input in [
      .connected, .received(Array(late.message.utf8)), .receivedTooLong, .disconnected, .timeIsUp,
    ] { #expect(session.handle(input) == []) }
    #expect(session.profile == nil && session.ending == .complete)
  }

  @Test(arguments: [
    (RelaySession.Input.timeIsUp, RelaySession.Ending.timedOut, farewell), (.disconnected, .disconnected, [.close]),
    (.receivedTooLong, .flooded, [.close]),
    (.received(Array(#"["CLOSED","profile","x"]"#.utf8)), .closedByRelay, [.close]),
    (.received([UInt8](repeating: 0x20, count: 65_537)), .flooded, [.close]),
  ]) func `a session that ends early keeps what it has`(
    input: RelaySession.Input, ending: RelaySession.Ending, actions: [RelaySession.Action]
  ) {
    var session = Self.session(Self.author.event(#"{"name":"Ann"}"#).message)
    #expect(session.handle(input) == actions)
    #expect(session.ending == ending && session.profile?.name == "Ann")
  }

  @Test func `a relay that never answers is told nothing`() {
    var session = RelaySession(for: Self.author.key, at: Self.now)
    #expect(session.handle(.timeIsUp) == [.close])
  }

  @Test(arguments: [
    #"["NOTICE","hello"]"#, #"["AUTH","challenge"]"#, #"["EOSE","other"]"#, #"["CLOSED","other","x"]"#, #"["EOSE"]"#,
    #"["EOSE",1]"#, #"["OK","x",true,""]"#, "[]", "{}", "no JSON", "", #"["EVENT","profile"]"#,
    "[[\"EOSE\",\"profile\"]]",
  ]) func `a message of another kind is passed over`(message: String) {
    let session = Self.session(message, Self.author.event(#"{"name":"Ann"}"#).message)
    #expect(session.ending == nil && session.profile?.name == "Ann")
  }

  @Test func `an event of another subscription is passed over`() {
    let event = Self.author.event(#"{"name":"Ann"}"#)
    let session = Self.session(#"["EVENT","other",\#(event.json)]"#)
    #expect(session.profile == nil && session.refusals.isEmpty)
  }

  @Test func `a liar's events are counted, and never shown`() {
    var forged = Self.author.event(#"{"name":"Ann"}"#)
    forged.content = #"{"name":"Mallory"}"#
    let other = NostrAuthor(4).event(#"{"name":"Mallory"}"#)
    let note = Self.author.event(#"{"name":"Mallory"}"#, kind: 1)
    let ahead = Self.author.event(#"{"name":"Mallory"}"#, at: Self.now + 1000)
    let session = Self.session(
      forged.message, other.message, note.message, ahead.message, #"["EVENT","profile",{"id":1}]"#, Self.end)
    #expect(session.profile == nil && session.ending == .complete)
    #expect(session.refusals == [.id: 1, .author: 1, .kind: 1, .future: 1, .malformed: 1])
  }

  @Test(arguments: [false, true]) func `the newest good event wins, in either order`(isReversed: Bool) {
    let events = [
      Self.author.event(#"{"name":"old"}"#, at: Self.now - 9), Self.author.event(#"{"name":"new"}"#, at: Self.now - 1),
      Self.author.event("nothing to show", at: Self.now),
    ].map(\.message)
    let ordered = isReversed ? events.reversed() : events
    #expect(Self.session(ordered[0], ordered[1], ordered[2]).profile?.name == "new")
  }

  @Test func `a flood of messages ends a session, and of bytes too`() {
    var session = Self.session()
    for _ in 0..<64 { #expect(session.handle(.received(Array("[]".utf8))) == []) }
    #expect(session.handle(.received(Array("[]".utf8))) == [.close] && session.ending == .flooded)
    session = Self.session()
    let long = [UInt8](repeating: 0x20, count: 65_536)
    for _ in 0..<4 { #expect(session.handle(.received(long)) == []) }
    #expect(session.handle(.received([0x20])) == [.close] && session.ending == .flooded)
  }

  @Test func `of several relays' profiles the newest is shown`() throws {
    let (old, new) = (
      Self.session(Self.author.event(#"{"name":"old"}"#, at: Self.now - 9).message),
      Self.session(Self.author.event(#"{"name":"new"}"#, at: Self.now - 1).message)
    )
    let profiles = [old, Self.session(), new, old].compactMap(\.profile)
    #expect(NostrProfile.newest(of: profiles)?.name == "new")
    #expect(NostrProfile.newest(of: []) == nil)
  }
}
