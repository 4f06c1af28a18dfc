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
      let key = try await sharedKey(alice, left, right)
      let captures = [try await capture(link, on: left), try await capture(link, on: right)]

      let own = [Mode.open: [], .code: ["--code"], .key: ["--key", "/run/key"]][mode] ?? []
      let sending = try await alice.start(["send", "--amount", "4242.42", "--token", "ZZTOP9", "--json"] + own)
      let code = mode == .code ? try await code(of: sending) : nil
      let theirs = code.map { ["--code", $0] } ?? own
      let receiving = try await bob.start(["receive", "--json"] + theirs)
      let received = try await receiving.finish()
      #expect(received.status == 0, "\(received)")
      #expect(try await sending.finish().status == 0)

      // A capture is whole when the last packet of all is in it.
      _ = try await left.run(["bash", "-c", "echo -n the-last-packet >/dev/udp/\(Link.ipv4(host: 2))/9"])
      for capture in captures { try await capture.text("the-last-packet") }

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

      for capture in captures {
        let packets = Data(capture.standardOutput.bytes)
        let isInPackets = { (bytes: [UInt8]) in packets.firstRange(of: bytes) != nil }
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

  /// A key that both hosts have in /run/key.
  private func sharedKey(_ alice: BumpCommand, _ left: Host, _ right: Host) async throws -> Data {
    let made = try await alice.run("key", "new", "/run/key")
    #expect(made.status == 0, "\(made)")
    let line = try await left.shell("cat /run/key").standardOutput
    _ = try await right.run(["sh", "-ec", "umask 077; cat >/run/key"], input: line)
    let key = try #require(Data(base64Encoded: String(line.dropLast())))
    #expect(key.count == 32)
    return key
  }

  private func capture(_ link: Link, on host: Host) async throws -> Running {
    let cable = try #require(link.interface(of: host))
    let capture = try await host.spawn(["tcpdump", "-i", cable, "--immediate-mode", "-U", "-s", "0", "-w", "-"])
    try await capture.line(on: .error) { $0.contains("listening on") }
    return capture
  }

  private func code(of sending: Running) async throws -> String {
    let line = try await sending.line(on: .error) { $0.contains("The code is ") }
    return String(try #require(line.firstMatch(of: /\d{1,2}-\d{6}/)?.output))
  }

  /// The sixteen bytes of a claim id.
  private func decoded(_ claimID: String) throws -> Data {
    let base64 = claimID.replacing("-", with: "+").replacing("_", with: "/") + "=="
    return try #require(Data(base64Encoded: base64))
  }

  /// The bytes as they are, and all that they are written as: base64 and base64url without padding, hex.
  private func spellings(of data: Data) -> [[UInt8]] {
    let base64 = data.base64EncodedString().replacing("=", with: "")
    let base64URL = base64.replacing("+", with: "-").replacing("/", with: "_")
    let hex = data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return [Array(data)] + [base64, base64URL, hex, hex.uppercased()].map { Array($0.utf8) }
  }
}
