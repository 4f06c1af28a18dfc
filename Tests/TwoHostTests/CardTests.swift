import Foundation
import Glibc
import Lab
import Testing

/// A contact card between two hosts.
@Suite(.live) struct CardTests {
  /// A card of 256 KiB, the most that it may have.
  private static let largest: Data = {
    let head = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Public;Jo;;;\r\nFN:Jo Public\r\nNOTE:"
    let tail = "\r\nEND:VCARD\r\n"
    let note = String(repeating: "x", count: 262_144 - head.utf8.count - tail.utf8.count)
    return Data((head + note + tail).utf8)
  }()

  /// Two people, one of whom has the card in /run/me.vcf and the other an empty directory /run/cards.
  private static func withPeople(
    _ body: @Sendable (_ alice: BumpCommand, _ bob: BumpCommand, Link) async throws -> Void
  ) async throws {
    try await withTwoHosts { left, right, link in
      try largest.write(to: URL(filePath: left.path("/run/me.vcf")))
      try FileManager.default.createDirectory(atPath: right.path("/run/cards"), withIntermediateDirectories: false)
      try await body(BumpCommand("alice", on: left), BumpCommand("bob", on: right), link)
    }
  }

  @Test func `the largest card crosses to another host as it is`() async throws {
    try await Self.withPeople { alice, bob, _ in
      async let sending = alice.run("send", "--card", "/run/me.vcf", "--json")
      let received = try await bob.run("receive", "--save", "/run/cards", "--json")
      let sent = try await sending
      #expect(sent.status == 0 && received.status == 0, "\(sent) \(received)")
      let file = try #require(try received.result.string("file"))
      #expect(try Data(contentsOf: URL(filePath: bob.host.path(file))) == Self.largest)
    }
  }

  @Test func `of a card whose cable is cut in the middle nothing is saved, and it comes when it is sent again`()
    async throws
  {
    try await Self.withPeople { alice, bob, link in
      try await link.cut(bob.host, afterKilobytes: 100)
      let sending = try await alice.start("send", "--card", "/run/me.vcf", "--wait", "--json")
      let received = try await bob.runOut(["receive", "--save", "/run/cards", "--json"], seconds: 8) {
        $0.standardOutput.contains("documentOffer")
      }
      #expect(received.status == 3 && received.standardOutput.contains("documentOffer"), "\(received)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: bob.host.path("/run/cards")).isEmpty)
      sending.signal(SIGINT)
      #expect(try await sending.finish().status == 130)

      try await link.mend(bob.host)
      async let again = alice.run("send", "--card", "/run/me.vcf", "--json")
      let saved = try await bob.run("receive", "--save", "/run/cards", "--json")
      let sent = try await again
      #expect(sent.status == 0 && saved.status == 0, "\(sent) \(saved)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: bob.host.path("/run/cards")).count == 1)
    }
  }

  @Test func `a shared card is fetched from another host, which serves it on one interface alone`() async throws {
    try await Self.withPeople { alice, bob, link in
      let shared = try await alice.clip.run("card", "share", "/run/me.vcf", "--store", "/run/store")
      let address = shared.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(shared.status == 0, "\(shared)")
      let interface = try #require(link.interface(of: alice.host))
      let serving = try await alice.clip.start(
        "card", "serve", "--store", "/run/store", "--interface", interface, "--json")
      let url = try #require(try await serving.event("serving").string("url"))
      #expect(url.hasPrefix("http://\(Link.ipv4(host: 1)):"), "\(url)")
      let fetched = try await bob.clip.run("card", "fetch", "-", "--server", url, input: address + "\n")
      #expect(fetched.status == 0 && fetched.standardOutput.utf8.elementsEqual(Self.largest), "\(fetched.status)")
      let port = try #require(url.split(separator: ":").last)
      let loopback = try await alice.clip.run(
        "card", "fetch", "-", "--server", "http://127.0.0.1:\(port)", input: address + "\n")
      #expect(loopback.status == 1 && loopback.standardError.contains("the server was not reached"), "\(loopback)")
      serving.signal(SIGINT)
      #expect(try await serving.finish().status == 0)
    }
  }

  @Test func `a shared card is fetched by TLS from where its link says, and only with a certificate that is trusted`()
    async throws
  {
    try await Self.withPeople { alice, bob, _ in
      let address = Link.ipv4(host: 1)
      let shared = try await alice.clip.run(
        "card", "share", "/run/me.vcf", "--store", "/run/store", "--link-base", "https://\(address):4443/cards")
      let link = shared.standardOutput
      #expect(shared.status == 0 && link.hasPrefix("https://\(address):4443/cards/"), "\(shared)")
      // A server of files, which has each card under its link.
      try await alice.host.shell(
        """
        mkdir -p /run/files/cards && cd /run/files
        for card in /run/store/*.card; do cp "$card" "cards/$(basename "$card" .card)"; done
        """)
      try await alice.host.certify(
        "cards", at: address, certificate: "/run/files/certificate", key: "/run/files/key")
      let certificate = try Data(contentsOf: URL(filePath: alice.host.path("/run/files/certificate")))
      try certificate.write(to: URL(filePath: bob.host.path("/run/roots")))
      let server = try await alice.host.spawn([
        "sh", "-c", "cd /run/files && exec openssl s_server -accept 4443 -cert certificate -key key -WWW",
      ])
      try await server.line { $0.hasPrefix("ACCEPT") }
      let fetched = try await bob.clip.run("card", "fetch", "-", "--online", "--roots", "/run/roots", input: link)
      #expect(fetched.status == 0 && fetched.standardOutput.utf8.elementsEqual(Self.largest), "\(fetched.status)")
      let untrusted = try await bob.clip.run("card", "fetch", "-", "--online", input: link)
      #expect(untrusted.status == 1 && untrusted.standardOutput.isEmpty, "\(untrusted)")
      #expect(untrusted.standardError.contains("the server was not reached"), "\(untrusted)")
    }
  }
}
