#if Vault
  import Foundation
  import Lab
  import Testing

  /// For which hosts a real server answers, and how its requests name them.
  @Suite(.processes(2)) struct RequestedHostTests {
    private static let head = "Connection: close\r\n\r\n"

    private func ask(_ served: ServedVault, _ request: String) async throws -> Reply {
      try await Wire.open(served.port) { wire in
        try await wire.send(request + Self.head)
        return Reply(try await wire.end())
      }
    }

    /// By which line and headers a request begins, and its answer's status.
    private static let requests: [(String, Int)] = [
      ("GET /api/vault HTTP/1.1\r\nHost: vault.example\r\n", 200),
      ("GET /api/vault HTTP/1.1\r\nHost: VAULT.example:443\r\n", 200),
      ("GET /api/vault HTTP/1.1\r\nHost: localhost\r\n", 200),
      // It listens on this address.
      ("GET /api/vault HTTP/1.1\r\nHost: 127.0.0.1:1\r\n", 200),
      ("GET /api/vault HTTP/1.1\r\nHost: thief.example\r\n", 421),
      ("GET /healthz HTTP/1.1\r\nHost: thief.example\r\n", 421), ("GET / HTTP/1.1\r\nHost: thief.example\r\n", 421),
      ("GET /api/vault HTTP/1.1\r\n", 400), ("GET /api/vault HTTP/1.0\r\n", 400),
      ("GET /api/vault HTTP/1.1\r\nHost:\r\n", 400),
      ("GET /api/vault HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n", 400),
      ("GET /api/vault HTTP/1.1\r\nHost: localhost\r\nX: y\r\nhost: thief.example\r\n", 400),
      // A target that is a whole URL counts, and not the header.
      ("GET http://localhost/api/vault HTTP/1.1\r\nHost: thief.example\r\n", 200),
      ("GET https://vault.example/api/vault HTTP/1.1\r\nHost: vault.example\r\n", 200),
      ("GET http://thief.example/api/vault HTTP/1.1\r\nHost: localhost\r\n", 421),
      ("GET HTTP://thief.example:8642/healthz?x HTTP/1.1\r\nHost: vault.example\r\n", 421),
      ("GET http://localhost@thief.example/api/vault HTTP/1.1\r\nHost: localhost\r\n", 400),
      ("GET http://thief.example HTTP/1.1\r\nHost: localhost\r\n", 421),
      ("GET http://localhost/api/vault HTTP/1.1\r\n", 400),
      ("GET http://localhost/api/vault HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n", 400),
    ]

    @Test func `a server answers for its URL and for this machine, however the request names them`() async throws {
      try await ServedVault.with(["--public-url", "https://vault.example"]) { served, _ in
        for (request, status) in Self.requests {
          let reply = try await ask(served, request)
          #expect(reply.status == status, "\(request)\(reply)")
          if status == 421 { #expect(reply.member("type") == "/problems/misdirected-request", "\(reply)") }
          if status == 400 { #expect(reply.member("type") == "/problems/bad-host", "\(reply)") }
        }
      }
    }

    @Test func `behind a proxy that is named it answers for its URL alone`() async throws {
      try await ServedVault.with(["--proxy", "127.0.0.1"]) { served, _ in
        for (host, status) in [("vault.example", 200), ("localhost", 421), ("127.0.0.1:\(served.port)", 421)] {
          let reply = try await ask(served, "GET /api/vault HTTP/1.1\r\nHost: \(host)\r\n")
          #expect(reply.status == status, "\(host): \(reply)")
        }
      }
    }

    /// A name of a thief's leads here too, but no thief can have an address for a name.
    @Test func `a server that listens at all addresses answers for each of them, and for no other`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let start =
        #"ip link set lo up && ip address add 192.0.2.7/32 dev lo && ip address add 192.0.2.8/32 dev lo && exec "$0" "$@""#
      let process = try await RunningProcess.start([
        "unshare", "--net", "sh", "-c", start, ServedVault.binary, "serve", "--store", "\(directory)/vault.sqlite",
        "--listen", "0.0.0.0:8642", "--public-url", "https://vault.example",
      ])
      try await process.line(on: .error) { $0.contains("\"listening\"") }
      for (host, status) in [("192.0.2.7:8642", "200"), ("192.0.2.8", "421"), ("thief.example:8642", "421")] {
        let asked = try await RunningProcess.start([
          "nsenter", "--target", "\(process.processID)", "--net", "curl", "--silent", "--output", "/dev/null",
          "--write-out", "%{http_code}", "--header", "Host: \(host)", "http://192.0.2.7:8642/healthz",
        ]).finish()
        #expect(asked.standardOutput == status, "\(host): \(asked)")
      }
      process.signal(SIGTERM)
      #expect(try await process.finish().status == 0)
    }
  }
#endif
