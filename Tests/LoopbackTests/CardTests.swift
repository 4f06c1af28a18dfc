import Foundation
import Lab
import Testing

/// Contact cards and links, between two processes.
@Suite(.live) struct CardTests {
  private static let plain = ["BEGIN:VCARD", "VERSION:3.0", "N:Public;Jo;;;", "FN:Jo Public", "END:VCARD", ""]
    .joined(separator: "\r\n")

  /// Writes a card, with a note of so many bytes, and returns its path on the host.
  private func writeCard(on host: Lab.Host, note length: Int = 0) throws -> String {
    let photo = "PHOTO;ENCODING=b;TYPE=GIF:R0lGODlhLAEFAAAAAA==\r\nORG:Example\\, Inc.\r\nTITLE:Engineer\r\n"
    let note = "NOTE:" + String(repeating: "x", count: length) + "\r\n"
    let text = Self.plain.replacing("END:VCARD", with: "\(photo)\(note)END:VCARD")
    try Data(text.utf8).write(to: URL(filePath: host.path("/run/me.vcf")))
    return "/run/me.vcf"
  }

  private func makeFolder(on host: Lab.Host) throws -> String {
    try FileManager.default.createDirectory(atPath: host.path("/run/cards"), withIntermediateDirectories: false)
    return "/run/cards"
  }

  private func files(on host: Lab.Host) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: host.path("/run/cards"))
  }

  @Test func `a card of 250 KiB is saved as it is, shown in words, and no claim of any store`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let (card, folder) = (try writeCard(on: host, note: 256_000), try makeFolder(on: host))
      async let sending = alice.run("send", "--card", card)
      let received = try await bob.run("receive", "--save", folder)
      let sent = try await sending
      #expect(sent.status == 0 && sent.standardError.contains("Delivered a contact card to \"bob\"."), "\(sent)")
      #expect(received.status == 0, "\(received)")
      let line = try #require(
        received.standardOutput.wholeMatch(of: /card from "alice" \(\/run\/cards\/(card-[0-9a-f]{16}\.vcf)\)\n/),
        "\(received)")
      #expect(try files(on: host) == [String(line.1)])
      let saved = try Data(contentsOf: URL(filePath: host.path("/run/cards/\(line.1)")))
      #expect(try saved == Data(contentsOf: URL(filePath: host.path(card))))
      for words in [#""Jo Public""#, #""Engineer""#, #""Example, Inc.""#, "GIF, 300 × 5, 13 bytes"] {
        #expect(received.standardError.contains(words), "\(received)")
      }
      #expect(try await bob.history().isEmpty)
      #expect(!FileManager.default.fileExists(atPath: host.path("/run/home/alice/bump.sqlite")))
    }
  }

  @Test func `programs are told of a link, which is there once however often it comes`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let folder = try makeFolder(on: host)
      for outcome in ["saved", "duplicate"] {
        let sending = try await alice.start("send", "--url", "https://example.org/?a=b#c", "--json")
        try await sending.event("advertising")
        let received = try await bob.run("receive", "--save", folder, "--json")
        let sent = try await sending.finish()
        #expect(sent.status == 0 && received.status == 0, "\(sent) \(received)")
        #expect(
          try sent.events.map { $0.string("event") }
            == ["advertising", "connected", "digits", "accepted", "progress", "stored", "result"], "\(sent)")
        #expect(
          try received.events.map { $0.string("event") }.filter { !["found", "lost", "resolved"].contains($0) }
            == ["browsing", "connected", "digits", "documentOffer", "progress", "stored", "result"],
          "\(received)")
        let result = try received.result
        #expect(result.string("outcome") == outcome && result.string("kind") == "link", "\(received)")
        #expect(result.string("url") == "https://example.org/?a=b#c" && result.string("from") == "alice")
        #expect(try files(on: host).count == 1)
      }
    }
  }

  @Test func `both persons are asked, with the same digits, before anything is sent`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let (card, folder) = (try writeCard(on: host), try makeFolder(on: host))
      // Where one receiver is told of the sender alone, a no ends both.
      let sending = try await alice.start("send", "--card", card, "--discovery", "none", streams: .terminalButOutput)
      let line = try await sending.line(on: .error) { $0.contains("Listening on port ") }
      let port = try #require(line.firstMatch(of: /Listening on port (\d+)/)).1
      let receiving = try await bob.start(
        "receive", "--save", folder, "--peer", "127.0.0.1:\(port)", streams: .terminalButOutput)
      try await receiving.text("? [y/n]", on: .error)
      #expect(receiving.standardError.text.contains(#""alice" offers a contact card of "#))
      receiving.type("y\n")
      try await sending.text("? [y/n]", on: .error)
      #expect(try files(on: host).isEmpty)
      sending.type("n\n")
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(sent.status == 4 && received.status == 4, "\(sent) \(received)")
      #expect(try files(on: host).isEmpty)
    }
  }

  @Test func `a code is for a card too, and who takes no cards hears what to do`() async throws {
    try await withHost(daemons: .none) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let (card, folder) = (try writeCard(on: host), try makeFolder(on: host))
      let sending = try await alice.start("send", "--card", card, "--code", "--discovery", "none", "--json")
      let code = try #require(try await sending.event("code").string("code"))
      let port = Int(try #require(try await sending.event("advertising").number("port")))
      let without = try await bob.run("receive", code, "--peer", "127.0.0.1:\(port)")
      #expect(without.status == 3 && without.standardError.contains("--save DIR"), "\(without)")
      try await sending.line(on: .error) { $0.contains("takes no cards or links") && $0.contains("--save DIR") }
      let with = try await bob.run("receive", code, "--peer", "127.0.0.1:\(port)", "--save", folder)
      #expect(with.status == 0, "\(with)")
      #expect(try await sending.finish().status == 0)
    }
  }

  @Test func `a receive that goes on takes cards beside claims, until Ctrl-C`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let (card, folder) = (try writeCard(on: host), try makeFolder(on: host))
      let receiving = try await bob.start("receive", "--keep", "--save", folder, "--json")
      try await receiving.event("browsing")
      #expect(try await alice.run("send", "--card", card).status == 0)
      #expect(try await alice.run("send", "--amount", "1.00").status == 0)
      try await receiving.event("received")
      receiving.signal(SIGINT)
      let received = try await receiving.finish()
      #expect(received.status == 0, "\(received)")
      #expect(
        try received.events.contains { $0.string("event") == "saved" && $0.string("formattedName") == "Jo Public" })
      #expect(try received.result.number("received") == 1 && files(on: host).count == 1)
    }
  }

  @Test func `what is no card, no link or no directory is refused before anybody is looked for`() async throws {
    try await withHost(daemons: .none) { host in
      let alice = try BumpCommand("alice", on: host)
      for (name, text) in [
        ("old", Self.plain.replacing("3.0", with: "2.1")), ("new", Self.plain.replacing("3.0", with: "4.0")),
        ("cut", String(Self.plain.dropLast(5))), ("large", Self.plain + String(repeating: " ", count: 262_144)),
        ("page", "<html>"),
      ] {
        try Data(text.utf8).write(to: URL(filePath: host.path("/run/\(name).vcf")))
        let refused = try await alice.run("send", "--card", "/run/\(name).vcf")
        #expect(refused.status == 1 && refused.standardError.contains("/run/\(name).vcf: "), "\(refused)")
      }
      #expect(try await alice.run("send", "--card", "/run/missing.vcf").status == 1)
      #expect(try await alice.run("send", "--card", "/run").status == 1)
      #expect(try await alice.run("send", "--card", "/run/old.vcf", "--amount", "1").status == 64)
      #expect(try await alice.run("send", "--url", "http://example.org").status == 64)
      #expect(try await alice.run("receive", "--save", "/run/missing/cards").status == 1)
      // The directory itself is made, for its owner alone. Nobody listens there.
      let nobody = try await alice.run(
        "receive", "--save", "/run/made", "--peer", "127.0.0.1:1", "--discovery-timeout", "1")
      #expect(nobody.status == 3, "\(nobody)")
      try await host.shell("test \"$(stat -c %a /run/made)\" = 700")
      let made = try await alice.run("send", "--amount", "1.00", "--link-only")
      let link = try #require(made.lines.first { $0.hasPrefix("https://") }, "\(made)")
      let money = try await alice.run("send", "--url", link)
      #expect(money.status == 64 && money.standardError.contains("is money"), "\(money)")
      #expect(!money.standardError.contains(link))
    }
  }
}
