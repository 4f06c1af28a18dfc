import ArgumentParser
import BumpDiscovery
import BumpKit
import Testing

@testable import BumpCLI
@testable import BumpWire

/// What `--simulate` may not stand beside.
@Suite struct SimulateOptionTests {
  @Test(arguments: [
    ("send 1.00 --simulate replay --token USDC", "sends a claim of TEST"),
    ("send --simulate replay --again", "sends a new claim"),
    ("send 1.00 --simulate replay --link-only", "sends a new claim"),
    ("send 1.00 --simulate replay --store /tmp/x", "has a store and a service type of its own"),
    ("receive --simulate replay --service-type other", "has a store and a service type of its own"),
    ("receive --simulate replay --link -", "which may be real"),
    ("receive --simulate replay --peer 127.0.0.1:4000", "which may be real"),
    ("receive --simulate replay --save /tmp", "Leave out --link and --simulate"),
    ("receive --simulate replay --discovery none", "meets others by discovery"),
    ("send 1.00 --both-ends", "--both-ends needs --simulate"),
    ("receive --simulate replay --both-ends --keep", "hands over one claim"),
    ("send 1.00 --service-type irl-bump-sim", "is for --simulate"),
    ("receive --service-type irl-bump-sim", "is for --simulate"),
    ("send 1.00 --token TEST", "is for --simulate"),
  ]) func `a simulation meets nothing real, and nothing real meets one`(line: String, words: String) async throws {
    let error = await #expect(throws: (any Error).self) {
      _ = try await BumpCommand.asyncParseAsRoot(line.split(separator: " ").map(String.init))
    }
    let message = BumpCommand.message(for: try #require(error))
    #expect(message.contains(words), "\(message)")
  }

  @Test func `two ends in one process have a service type that no other program has`() throws {
    let types = try (0..<2).map { _ in try ServiceType(Simulation.ownServiceType()) }
    #expect(Set(types + [.irlBump, try ServiceType(Simulation.serviceType)]).count == 4)
    #expect(types.allSatisfy { $0.name.hasPrefix("bump-sim-") })
  }

  @Test func `what the other end sees is said without what only this end's screen shows`() throws {
    let digits = VerificationDigits(handshakeHash: [0, 0, 0, 0, 0, 0, 0, 7])
    let name = "bob\u{7}-69ea000000000000"
    #expect(
      OtherEnd.words(of: ReceiveEvent.digits(digits, peer: "127.0.0.1:4000"), in: .open) == "its screen shows \(digits)"
    )
    #expect(OtherEnd.words(of: ReceiveEvent.found(name: name), in: .open) == #"it found "bob\u{7}""#)
    #expect(OtherEnd.words(of: ReceiveEvent.connected(peer: "127.0.0.1:4000"), in: .open) == nil)
    let sent = SendEvent.advertising(name: name, port: 4000, backend: "embedded")
    #expect(OtherEnd.words(of: sent, in: .open) == #"it is announced as bob\u{7}-69ea"#)
    #expect(OtherEnd.words(of: ReceiveOutcome.interrupted) == "it has received nothing")
  }

  @Test(
    arguments: [
      (.interrupted(.new), false, "no receiver came to it"),
      // Its discovery has failed, so that its claim was released for its link.
      (.interrupted(.linkShown), false, "no receiver came to it"),
      (.undelivered(.discoveryUnavailable, link: nil, []), false, "no receiver came to it"),
      (.interrupted(.new), true, "its claim was not handed over"),
      (.undelivered(.declined, link: nil, []), true, "its claim was not handed over"),
      (.interrupted(.released), true, "it was stopped before an answer came"),
      (.interrupted(.unknown), true, "it was stopped before an answer came"),
      (.unknown(.somebody, link: nil), true, "no answer came, so it does not know whether its claim arrived"),
    ] as [(SendOutcome, Bool, String)])
  func `the other end says that it was stopped before an answer only if a claim had left it`(
    outcome: SendOutcome, hasMet: Bool, words: String
  ) {
    #expect(OtherEnd.words(of: outcome, hasMet: hasMet) == words)
  }
}
