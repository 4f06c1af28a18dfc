import FoundationEssentials
import Lab
import Testing

/// Somebody who listens on both ends of the cable, to all protocols.
@Suite(.live) struct CaptureTests {
  enum Mode: String, CaseIterable { case open, code, key }

  @Test(arguments: Mode.allCases)
  func `on the wire there is no secret, claim id, amount, token, receiver's name, code or key`(mode: Mode)
    async throws
  {
    try await withTwoHosts { left, right, link in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("rumpelstilz", on: right))
      let key = try await shareKey(alice, bob)
      let captures = [try await link.capture(on: left), try await link.capture(on: right)]

      let own = [Mode.open: [], .code: ["--code"], .key: ["--key", "/run/key"]][mode] ?? []
      let sending = try await alice.start(["send", "--amount", "4242.42", "--token", "ZZTOP9", "--json"] + own)
      let code = mode == .code ? try await code(of: sending) : nil
      let theirs = code.map { ["--code", $0] } ?? own
      let receiving = try await bob.start(["receive", "--json"] + theirs)
      let received = try await receiving.finish()
      #expect(received.status == 0, "\(received)")
      #expect(try await sending.finish().status == 0)

      let packets = try await link.packets(of: captures, from: left)

      let claimID = try #require(try await alice.history().first?.string("claimId"))
      let base64 = try #require(try await alice.secret(of: claimID))
      let secret = try #require(Data(base64Encoded: base64))
      #expect(secret.count == 16)
      let digits = try #require(try received.events.first { $0.string("event") == "digits" }?.string("digits"))
      var texts = [claimID, "4242.42", "4242,42", "424242", "ZZTOP9", bob.name]
      texts += [digits, digits.replacing(" ", with: "")]
      if let code { texts.append(String(code.suffix(6))) }
      let blocks = [secret, try decoded(claimID), key]
      let hidden = blocks.flatMap(spellings) + texts.map { Array($0.utf8) }

      for packets in packets {
        let isInPackets = packets.holds
        // Each mode's own: what listens hears the advertisement, its TXT record and the session.
        for seen in ["BUMP\u{1}", "alice-", "mode=\(mode)", "_irl-bump", "txtvers=1"] {
          #expect(isInPackets(Array(seen.utf8)), "\(seen) is in it")
        }
        for bytes in hidden {
          #expect(!isInPackets(bytes), "\(String(decoding: bytes, as: UTF8.self)) \(bytes)")
        }
      }
    }
  }

  private func code(of sending: RunningProcess) async throws -> String {
    let line = try await sending.line(on: .error) { $0.contains("The code is ") }
    return String(try #require(line.firstMatch(of: /\d{1,2}-\d{6}/)?.output))
  }

  /// The sixteen bytes of a claim id.
  private func decoded(_ claimID: String) throws -> Data {
    let base64 = claimID.replacing("-", with: "+").replacing("_", with: "/") + "=="
    return try #require(Data(base64Encoded: base64))
  }
}
