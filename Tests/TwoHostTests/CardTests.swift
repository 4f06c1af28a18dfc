import Foundation
import Lab
import Testing

/// A contact card between two hosts.
@Suite(.live) struct CardTests {
  @Test func `the largest card crosses to another host as it is`() async throws {
    try await withTwoHosts { left, right, _ in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let head = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Public;Jo;;;\r\nFN:Jo Public\r\nNOTE:"
      let tail = "\r\nEND:VCARD\r\n"
      let note = String(repeating: "x", count: 262_144 - head.utf8.count - tail.utf8.count)
      try Data((head + note + tail).utf8).write(to: URL(filePath: left.path("/run/me.vcf")))
      try FileManager.default.createDirectory(atPath: right.path("/run/cards"), withIntermediateDirectories: false)

      async let sending = alice.run("send", "--card", "/run/me.vcf", "--json")
      let received = try await bob.run("receive", "--save", "/run/cards", "--json")
      let sent = try await sending
      #expect(sent.status == 0 && received.status == 0, "\(sent) \(received)")
      let file = try #require(try received.result.string("file"))
      let (there, here) = (URL(filePath: right.path(file)), URL(filePath: left.path("/run/me.vcf")))
      #expect(try Data(contentsOf: there) == Data(contentsOf: here))
    }
  }
}
