import FoundationEssentials
import Lab
import Testing

@Suite(.live) struct CaptureTests {
  @Test func `on the wire there is neither the secret nor the claim id`() async throws {
    try await withTwoHosts(.ipv4) { left, right, link in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let cable = try #require(link.interface(of: right))
      let capture = try await right.spawn(["tcpdump", "-i", cable, "--immediate-mode", "-U", "-s", "0", "-w", "-"])
      try await capture.line(on: .error) { $0.contains("listening on") }

      async let sending = alice.run("send", "--amount", "1.00")
      let received = try await bob.run("receive")
      #expect(received.status == 0, "\(received)")
      #expect(try await sending.status == 0)

      // The capture is whole when the last packet of all is in it.
      _ = try await left.run(["bash", "-c", "echo -n the-last-packet >/dev/udp/\(Link.ipv4(host: 2))/9"])
      try await capture.text("the-last-packet")
      let packets = capture.standardOutput.bytes
      let isInPackets = { (bytes: [UInt8]) in packets.contains(bytes) }

      let claimID = try #require(try await alice.history().first?.string("claimId"))
      let base64 = try #require(try await alice.secret(of: claimID))
      let secret = try #require(Data(base64Encoded: base64))
      #expect(secret.count == 16)
      #expect(isInPackets(Array("BUMP".utf8)), "the session is in it")
      #expect(isInPackets(Array("alice-".utf8)), "the advertisement is in it")
      #expect(!isInPackets(Array(secret)))
      for text in spellings(of: secret) + [claimID] {
        #expect(!isInPackets(Array(text.utf8)), "\(text)")
      }
    }
  }

  private func spellings(of secret: Data) -> [String] {
    let base64 = secret.base64EncodedString().replacing("=", with: "")
    let base64URL = base64.replacing("+", with: "-").replacing("/", with: "_")
    let hex = secret.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return [base64, base64URL, hex, hex.uppercased()]
  }
}
