import Glibc
import Lab
import Testing

/// Somebody whose machine has an address of each kind, as an ordinary one has.
@Suite(.live) struct NeighbourTests {
  @Test func `three addresses of one neighbour have the attempts of one, and another host has the last`() async throws {
    try await withHosts(["left", "right", "third", "switch"]) { hosts in
      let hub = try await Switch(at: hosts[3])
      for (index, host) in hosts.dropLast().enumerated() { try await hub.join(host, number: index + 1) }
      let alice = try BumpCommand("alice", on: hosts[0])
      let sending = try await alice.start(
        "send", "--amount", "1.00", "--discovery", "none", "--discovery-timeout", "60", "--verify", "--json",
        streams: .terminalButOutput)
      let port = Int(try await sending.event("advertising").number("port") ?? 0)

      let mallory = try BumpCommand("mallory", on: hosts[1])
      for (number, address) in [Link.ipv4(host: 1), "[fd77::1]"].enumerated() {
        let drawing = try await mallory.start("receive", "--peer", "\(address):\(port)")
        try await sending.lines(number + 1) { $0.contains(#""digits""#) }
        drawing.signal(SIGKILL)
        _ = try await drawing.finish()
      }
      let third = try await mallory.start("receive", "--peer", "[fe80::1%to-switch]:\(port)", "--json")
      try await sending.event("turnedAway")
      third.signal(SIGINT)
      let refused = try await third.finish()
      #expect(try !refused.events.contains { $0.string("event") == "offer" }, "\(refused)")

      // What the sender has asked about mallory is passed over.
      let asked = sending.standardError.bytes.count
      let receiving = try await BumpCommand("bob", on: hosts[2]).start(
        "receive", "--peer", "\(Link.ipv4(host: 1)):\(port)")
      try await sending.confirmDigits(after: asked)
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(sent.status == 0 && received.status == 0, "\(sent) \(received)")
    }
  }
}
