#if Vault
  import BumpNostr
  import Foundation
  import Lab
  import NostrAuthor
  import Testing

  /// A relay on another host, over TLS.
  @Suite(.live) struct OtherHostTests {
    private static let author = NostrAuthor(3)

    @Test func `a profile comes from another host by TLS, and only with a certificate that is trusted`() async throws {
      try await withTwoHosts { left, right, _ in
        let address = Link.ipv4(host: 2)
        try await right.certify("relay", at: address, certificate: "/run/certificate", key: "/run/key")
        try await right.shell("cat /run/certificate /run/key >/run/both")
        try FileManager.default.copyItem(atPath: right.path("/run/certificate"), toPath: left.path("/run/roots"))
        let script = URL(filePath: #filePath).appending(path: "../../Tools/Relay/relay.py").standardized.path
        let ann = Self.author.event(#"{"name":"Ann","car_color":"red","car_make":"Volvo"}"#).message
        let relay = try await right.spawn([
          "python3", script, "/run/both", address, "4443", ann, #"["EOSE","profile"]"#,
        ])
        try await relay.line { $0 == "ready" }

        let alice = try BumpCommand("alice", on: left)
        let profile = ["profile", Self.author.key.npub, "--relay", "wss://\(address):4443", "--json"]
        let shown = try await alice.clip.start(profile + ["--relay-roots", "/run/roots"]).finish()
        let event = try #require(try shown.events.first { $0.string("event") == "profile" }, "\(shown)")
        #expect(shown.status == 0 && event.string("name") == "Ann", "\(shown)")
        let untrusted = try await alice.clip.start(profile).finish()
        #expect(untrusted.status == 3 && !untrusted.standardOutput.contains("Ann"), "\(untrusted)")
        let unreadable = try await alice.clip.start(profile + ["--relay-roots", "/run/none"]).finish()
        #expect(unreadable.status == 1, "\(unreadable)")
        #expect(unreadable.standardError.contains("the certificates of /run/none cannot be read"), "\(unreadable)")
      }
    }
  }
#endif
