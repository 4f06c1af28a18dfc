#if Vault
  import FoundationEssentials
  import Glibc
  import Lab
  import Synchronization
  import Testing

  /// `bump-vault serve` on a host, and what a test does to it.
  final class VaultHost: Sendable {
    /// Who answers at its address.
    enum Front: Sendable {
      /// The server itself, with its certificate.
      case server
      /// A proxy with the certificate, which may keep answers back. Behind it requests are not encrypted.
      case proxy
    }

    static let address = "10.77.0.3"
    static let url = "https://\(address):8642"
    /// The port of loopback on which the server listens behind its proxy.
    static let innerPort = 8643
    static let folder = "/run/vault"
    static let store = "vault.sqlite"

    let host: Host
    private let front: Front
    private let proxy: RunningProcess?
    private let server = Mutex<RunningProcess?>(nil)
    private let log = Mutex("")

    /// The file of the certificate, which clients are given in SSL_CERT_FILE.
    var certificate: String { host.path("\(Self.folder)/certificate.pem") }

    /// Makes a certificate for the address, which the host has already, and starts what answers there.
    static func start(on host: Host, _ front: Front) async throws -> VaultHost {
      try await host.shell("mkdir -m 700 \(folder)")
      try await host.certify(
        "vault", at: address, certificate: "\(folder)/certificate.pem", key: "\(folder)/key.pem")
      let proxy = front == .proxy ? try await startProxy(on: host) : nil
      let vault = VaultHost(host, front, proxy)
      try await vault.start()
      return vault
    }

    private init(_ host: Host, _ front: Front, _ proxy: RunningProcess?) {
      (self.host, self.front, self.proxy) = (host, front, proxy)
    }

    /// Starts the server, and returns once it listens.
    ///
    /// - Parameters:
    ///   - name: of the store's file.
    ///   - clock: the environment of a process whose clock is ahead. The vault's operator confirms that clock first.
    func start(_ arguments: [String] = [], name: String = store, clock: [String: String] = [:]) async throws {
      if !clock.isEmpty {
        let program = BumpCommand.program("bump-vault")
        let confirming = try await host.spawn(
          [
            "sh", "-c",
            "exec \(program) clock --store \(Self.folder)/\(name) --confirm \"$(date -u +%Y-%m-%dT%H:%M:%S)\"",
          ], environment: clock)
        let confirmed = try await confirming.finish()
        try #require(confirmed.status == 0, "\(confirmed)")
      }
      let place =
        switch front {
        case .server:
          [
            "--listen", "\(Self.address):8642", "--tls-certificate", "\(Self.folder)/certificate.pem", "--tls-key",
            "\(Self.folder)/key.pem",
          ]
        case .proxy:
          ["--listen", "127.0.0.1:\(Self.innerPort)", "--proxy", "127.0.0.1", "--public-url", Self.url]
        }
      let server = try await host.spawn(
        [
          BumpCommand.program("bump-vault"), "serve", "--store", "\(Self.folder)/\(name)", "--faucet", "--log-level",
          "debug",
        ]
          + place + arguments,
        environment: clock)
      server.closeInput()
      try await server.line(on: .error) { $0.contains("\"listening\"") }
      self.server.withLock { $0 = server }
    }

    /// Ends the server, and returns when it has ended.
    func end(_ signal: Int32) async throws {
      guard let server = server.withLock({ $0.take() }) else { return }
      server.signal(signal)
      let finished = try await server.finish()
      #expect(finished.status == (signal == SIGTERM ? 0 : -signal), "\(finished)")
      log.withLock { $0 += finished.standardOutput + finished.standardError }
    }

    /// All that its servers which have ended, and its proxy, have said.
    var logs: String { log.withLock(\.self) + (proxy.map { $0.standardOutput.text + $0.standardError.text } ?? "") }

    /// Gives an address test money.
    func mint(_ amount: String, to address: String) async throws {
      let id = (0..<4).map { _ in String(UInt64.random(in: 1 << 60 ... .max), radix: 16) }.joined()
      let body = #"{"address":"\#(address)","amount":"\#(amount)","id":"0x\#(id)"}"#
      let asked = try await host.run([
        "curl", "--silent", "--show-error", "--fail-with-body", "--cacert", "\(Self.folder)/certificate.pem",
        "--header", "Content-Type: application/json", "--data", body, "\(Self.url)/api/faucet",
      ])
      try #require(asked.status == 0, "\(asked)")
    }

    /// Recomputes all that the store says.
    func audit() async throws {
      let audit = try await host.run([
        BumpCommand.program("bump-vault"), "audit", "--store", "\(Self.folder)/\(Self.store)",
      ])
      #expect(audit.status == 0 && audit.standardOutput.contains("The books are in order."), "\(audit)")
    }

    /// What the proxy does with the answers to a kind of request.
    enum Treatment: String, Sendable { case pass, lose, hold }

    /// Has the proxy treat the answers to requests whose path ends so, from now on. Those that it holds are treated so, too.
    func treat(_ path: String, _ treatment: Treatment) async throws {
      let proxy = try #require(proxy)
      let count = proxy.standardOutput.bytes.count
      proxy.type("\(treatment) \(path)\n")
      try await proxy.text("\(treatment) \(path)\n", after: count)
    }

    /// Waits until the server has answered a request whose path ends so: for the first time since a test began.
    func answered(_ path: String, _ status: Int) async throws {
      try await #require(proxy).line { $0 == "answered \(path) \(status)" }
    }

    private static func startProxy(on host: Host) async throws -> RunningProcess {
      let proxy = try await host.spawn([
        "/usr/bin/python3", "-uc", script, address, "\(innerPort)", "\(folder)/certificate.pem", "\(folder)/key.pem",
      ])
      try await proxy.line { $0 == "listening" }
      return proxy
    }

    /// A proxy that ends TLS, and takes one request of a connection, as libcurl sends them.
    private static let script = """
      import socket, ssl, sys, threading
      address, port, certificate, key = sys.argv[1:]
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.load_cert_chain(certificate, key)
      treatments, changed = {}, threading.Condition()
      def read_request(connection):
          data = b""
          while b"\\r\\n\\r\\n" not in data:
              piece = connection.recv(65536)
              if not piece: raise ConnectionError
              data += piece
          head, body = data.split(b"\\r\\n\\r\\n", 1)
          lengths = [int(l.split(b":")[1]) for l in head.split(b"\\r\\n") if l.lower().startswith(b"content-length:")]
          while len(body) < sum(lengths):
              piece = connection.recv(65536)
              if not piece: raise ConnectionError
              body += piece
          return head, body
      def treat(path, answer):
          with changed:
              print("answered", path, answer.split(b" ", 2)[1].decode())
              while treatments.get(path) == "hold": changed.wait()
              return b"" if treatments.get(path) == "lose" else answer
      def serve(plain, peer):
          with context.wrap_socket(plain, server_side=True) as connection:
              head, body = read_request(connection)
              first, rest = head.split(b"\\r\\n", 1)
              method, path = first.decode().split(" ")[:2]
              said = f"X-Forwarded-For: {peer}\\r\\nX-Forwarded-Proto: https\\r\\nConnection: close\\r\\n".encode()
              with socket.create_connection(("127.0.0.1", int(port))) as server:
                  server.sendall(first + b"\\r\\n" + said + rest + b"\\r\\n\\r\\n" + body)
                  pieces = iter(lambda: server.recv(65536), b"")
                  if method == "POST":
                      connection.sendall(treat(path.rsplit("/", 1)[1], b"".join(pieces)))
                  else:
                      for piece in pieces: connection.sendall(piece)
      def attempt(plain, peer):
          # A client or a server that is gone ends its connection, and nothing else.
          try: serve(plain, peer)
          except (OSError, IndexError): plain.close()
      def accept(listener):
          while True:
              plain, (peer, _) = listener.accept()
              threading.Thread(target=attempt, args=(plain, peer), daemon=True).start()
      threading.Thread(target=accept, args=(socket.create_server((address, 8642)),), daemon=True).start()
      print("listening")
      for line in sys.stdin:
          treatment, path = line.split()
          with changed:
              treatments[path] = treatment
              changed.notify_all()
          print(treatment, path)
      """
  }
#endif
