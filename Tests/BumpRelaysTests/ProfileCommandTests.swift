#if Vault
  import BumpNostr
  import Foundation
  import Lab
  import NostrAuthor
  import Testing

  /// `bump-clip` with relays: the program, and relays of the test's.
  @Suite(.processes()) struct ProfileCommandTests {
    private static let author = NostrAuthor(3)
    private static let link = "https://roadflare.app/share/d/\(author.key.npub)"
    private static let end = #"["EOSE","profile"]"#
    private static let ann = author.event(
      #"{"display_name":"Ann\u001b[2J","car_color":"red","car_make":"Volvo","picture":"https://a.example/p"}"#)

    private static func clip(_ arguments: String...) async throws -> ProcessResult {
      let home = FileManager.default.temporaryDirectory.appending(path: "bump-profile-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: home) }
      let process = try await RunningProcess.start(
        [BumpCommand.clip] + arguments, environment: ["HOME": home, "LC_ALL": "C.UTF-8", "TERM": "xterm"],
        streams: .pipes)
      process.closeInput()
      return try await process.finish()
    }

    @Test func `a preview has the driver's name and car, made safe for a terminal`() async throws {
      let opened = try await TestRelay.run(.says([Self.ann.message, Self.end])) { url in
        try await Self.clip("open", Self.link, "--relay", "\(url)")
      }
      #expect(opened.status == 0, "\(opened)")
      #expect(opened.standardOutput.contains("red Volvo\nPicture: https://a.example/p\n"), "\(opened)")
      #expect(opened.standardOutput.contains("Ann") && !opened.standardOutput.contains("\u{1B}"), "\(opened)")
    }

    @Test func `a liar's profile is shown nowhere, and the preview stays`() async throws {
      var forged = Self.ann
      forged.content = #"{"name":"Mallory"}"#
      let message = forged.message
      let opened = try await TestRelay.run(.says([message, Self.end])) { url in
        try await Self.clip("open", Self.link, "--relay", "\(url)")
      }
      #expect(opened.status == 0 && opened.standardOutput.hasPrefix("Driver npub1"), "\(opened)")
      #expect(opened.standardError.contains("Invalid events were ignored, from "), "\(opened)")
      #expect(!(opened.standardOutput + opened.standardError).contains("Mallory"), "\(opened)")
    }

    @Test func `a profile is asked for by itself, also at the relays of an nprofile`() async throws {
      let shown = try await TestRelay.run(.says([Self.ann.message, Self.end])) { url in
        try await Self.clip("profile", Self.author.key.npub, "--relay", "\(url)", "--json")
      }
      let profile = try #require(try shown.events.first { $0.string("event") == "profile" })
      #expect(profile.string("vehicle") == "red Volvo" && profile.string("npub") == Self.author.key.npub)
      #expect(try shown.status == 0 && shown.result.string("outcome") == "shown", "\(shown)")
      // Nobody listens there. One without TLS, which a stranger named, is not asked at all.
      let nowhere = "127.0.0.1:\(try closedPort())"
      let named = NostrAddress(key: Self.author.key, relays: ["ws://\(nowhere)", "wss://\(nowhere)"]).text
      let asked = try await Self.clip("profile", try #require(named), "--json")
      let relays = try asked.events.filter { $0.string("event") == "relay" }.map { $0.string("relay") }
      #expect(asked.status == 3 && relays == ["wss://\(nowhere)"], "\(asked)")
    }

    @Test func `what cannot be asked is said, and a private key is not repeated`() async throws {
      let nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
      let secret = try await Self.clip("profile", nsec, "--relay", "wss://127.0.0.1:1")
      #expect(secret.status == 1 && secret.standardError.contains("that is a private key"), "\(secret)")
      #expect(!(secret.standardOutput + secret.standardError).contains(nsec.dropFirst(8)), "\(secret)")
      let nowhere = try await Self.clip("profile", Self.author.key.npub)
      #expect(nowhere.status == 64 && nowhere.standardError.contains("--relay wss://host"), "\(nowhere)")
      let other = try await Self.clip("open", "https://orbiting.app/clip?text=a", "--relay", "wss://127.0.0.1:1")
      #expect(other.status == 64 && other.standardError.contains("orbiting has none"), "\(other)")
      let place = try await Self.clip("open", Self.link, "--relay", "https://a.example")
      #expect(place.status == 64, "\(place)")
    }
  }
#endif
