import Lab
import Measures
import Testing

/// A cable that is loose at its other end: the interface is up all the while, and has its addresses.
///
/// A daemon does not look at the carrier unless its configuration tells it to (`use-iff-running`). There whoever waits
/// is found when the next question is due, at intervals that double.
@Suite(.live, .enabled(if: Backend.current == .embedded, "avahi-daemon does not look at the carrier"))
struct CarrierTests {
  @Test(.thorough) func `two who wait find each other as soon as the cable between them is put in`() async throws {
    try await withHosts(["left", "right", "switch"]) { hosts in
      let (left, right) = (hosts[0], hosts[1])
      let hub = try await Switch(at: hosts[2])
      try await hub.join(left, number: 1)
      try await hub.join(right, number: 2)
      try await hub.unplug(right)
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let sending = try await alice.start("send", "--amount", "1.00", "--wait", "--json")
      try await sending.event("advertising")
      let receiving = try await bob.start("receive", "--wait", "--json")
      try await receiving.event("browsing")

      // Announcements and questions come after 0, 1, 3, 7, 15 and 31 s, a little later each. The next question is due after
      // 63 s.
      let impatient = try await BumpCommand("dave", on: right).run("receive", "--discovery-timeout", "33")
      #expect(impatient.status == 3, "\(impatient)")
      try await hub.plug(right)
      let (received, sent) = (try await receiving.finish(), try await sending.finish())
      #expect(received.status == 0 && sent.status == 0, "\(received)\n\(sent)")
      // Neither waits for its next question or announcement.
      let stored = try #require(try received.events.first { $0.string("event") == "stored" }, "\(received)")
      #expect(try #require(stored.number("ms")) < 63_000, "\(received)")
    }
  }
}
