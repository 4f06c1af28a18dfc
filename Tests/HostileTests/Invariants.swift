import BumpClaims
import BumpWire
import Lab
import Testing

extension InterceptedBump.Outcome {
  /// Whether the sender let go of CLAIM.
  func claimCame(in kind: SessionKind) -> Bool { !claims(in: kind).isEmpty }

  private func claims(in kind: SessionKind) -> [InterceptedFrame] {
    transcript.came.filter { $0.place == .claim(in: kind) && $0.type == .sealed }
  }

  /// Whether a CLAIM, as the sender wrote it, reached the receiver's connection.
  private func claimWent(in kind: SessionKind) -> Bool {
    claims(in: kind).contains { claim in
      transcript.went.contains { $0.connection == claim.connection && $0.bytes == claim.bytes }
    }
  }

  /// What holds whatever happens on the network.
  ///
  /// - Parameter what: the seed and what it decided.
  func expectTruth(in kind: SessionKind, _ what: String) {
    let what: Comment = "\(what)\n\(self)"
    let state = given.first?.string("state")
    #expect(given.count == 1 && taken.count <= 1, what)

    // What each says is what its store holds. An interrupt may come while the link is being released.
    let states: [Int32: [String]] = [
      0: ["delivered"], 3: ["linkShown"], 5: ["unknown"], 6: ["new"], 130: ["new", "linkShown"],
    ]
    #expect(states[sent.status, default: []].contains { $0 == state }, what)
    #expect((received.status == 0) == (taken.count == 1), what)
    #expect([0, 3, 6].contains(received.status), what)

    // What one says of the other is so.
    if sent.status == 0 { #expect(taken.first?.payload == given.first?.payload, what) }
    if let claim = taken.first {
      #expect(claim.payload == given.first?.payload, what)
      #expect([0, 5].contains(sent.status), "never lost silently: \(what)")
      #expect(claimWent(in: kind), what)
    }

    // Before CLAIM nothing has left the sender; after it, the outcome is one of two.
    if claimCame(in: kind) {
      #expect([0, 5].contains(sent.status), what)
    } else {
      #expect(sent.status != 0 && taken.isEmpty, what)
      if sent.status == 5 { #expect(transcript.acceptWent(in: kind), what) }
    }
  }
}
