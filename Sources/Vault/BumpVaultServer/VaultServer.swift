#if Vault
  import BumpVault
  import BumpVaultAPI
  import BumpVaultHTTP
  import BumpVaultPostgres
  import Glibc
  import Hummingbird
  import HummingbirdCore
  import HummingbirdTLS
  import Logging
  import NIOCore
  import NIOSSL
  import ServiceLifecycle
  import UnixSignals

  /// The server: listens, maintains the store, and completes the requests that have begun before it ends.
  struct VaultServer: Sendable {
    struct Configuration: Sendable {
      let host: ClientAddress
      let port: Int
      /// The URL at which clients find the vault; `nil` for the address at which it listens.
      let publicURL: VaultURL?
      /// With the certificate and its key; `nil` for a server without TLS.
      let tls: TLSConfiguration?
      let clients: Int
      /// Of one network; `nil` for the usual share.
      let clientsPerNetwork: Int?
      /// How many open files the server needs beside its clients' connections.
      let otherFiles: Int
      let level: Logger.Level
      let settings: VaultSettings
    }

    private let configuration: Configuration
    private let serving: any VaultServing
    private let logger: Logger

    /// How long requests that have begun may still take at the server's end.
    static let farewell = Duration.seconds(20)

    init(_ configuration: Configuration, _ serving: some VaultServing) {
      (self.configuration, self.serving) = (configuration, serving)
      let level = configuration.level
      logger = Logger(label: "bump-vault") { JSONLog(logLevel: level, label: $0) }
    }

    func run() async throws {
      let logger = logger
      let served = try await serving.begin(configuration.settings, logger)
      // Otherwise it is known once the server listens.
      if let url = configuration.publicURL { configuration.settings.origin.set(url) }
      let clients = try allowedClients()
      let address = configuration.host.description
      let application = Application(
        responder: Responder(service: served.service, isTLS: configuration.tls != nil, logger: logger),
        server: try builder(for: clients),
        configuration: ApplicationConfiguration(
          address: .hostname(address, port: configuration.port),
          availableConnectionsDelegate: MaximumAvailableConnections(clients)),
        onServerRunning: { channel in
          let port = channel.localAddress?.port ?? 0
          let shown = address.contains(":") ? "[\(address)]" : address
          let url = "\(configuration.tls == nil ? "http" : "https")://\(shown):\(port)"
          let origin = configuration.publicURL ?? VaultURL(url)
          configuration.settings.origin.set(origin)
          logger.notice(
            "listening",
            metadata: [
              "url": "\(url)", "origin": "\(origin?.description ?? url)", "vault": "\(served.address)",
            ])
        },
        logger: Self.quiet(logger))
      var group = ServiceGroupConfiguration(
        services: [
          .init(service: served.upkeep), .init(service: application),
        ],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: Self.quiet(logger))
      group.maximumGracefulShutdownDuration = Self.farewell
      do {
        try await ServiceGroup(configuration: group).run()
      } catch let error as IOError {
        throw Failure(
          "cannot listen at \(address), port \(configuration.port): \(String(cString: strerror(error.errnoCode)))")
      }
      await served.close()
      logger.notice("ended")
    }

    /// Returns the builder of an HTTP/1.1 server, over TLS if there is a certificate.
    private func builder(for clients: Int) throws -> HTTPServerBuilder {
      let share = ConnectionShare(
        perNetwork: configuration.clientsPerNetwork ?? ConnectionShare.usual(of: clients),
        proxies: configuration.settings.proxies)
      let base = HTTPServerBuilder.http1(
        configuration: .init(
          additionalChannelHandlers: [AbsoluteTargets.Adding(), ConnectionLimits(share)],
          httpDecoderConfiguration: .init(maxHeaderFieldSize: 8192, maxHeaderListSize: 16_384, maxHeaderFieldCount: 64))
      )
      return try configuration.tls.map { try .tls(base, tlsConfiguration: $0) } ?? base
    }

    /// Returns a logger for Hummingbird's own messages that passes only warnings and errors.
    private static func quiet(_ logger: Logger) -> Logger {
      var logger = logger
      logger.logLevel = max(logger.logLevel, .warning)
      return logger
    }

    /// Returns how many clients may be connected at once: as many as the options say, if the system allows so many open
    /// files. Beyond them, each request would fail for want of a file.
    private func allowedClients() throws -> Int {
      let (files, other) = (Self.raisedFileLimit(), configuration.otherFiles)
      let clients = min(configuration.clients, files - other)
      guard clients > 0 else {
        throw Failure(
          "the system allows \(files) open files, and the server needs more than \(other). Raise the limit (LimitNOFILE)"
        )
      }
      if clients < configuration.clients {
        logger.warning(
          "the system allows fewer open files than there may be clients: raise the limit (LimitNOFILE), or lower --clients",
          metadata: ["files": "\(files)", "clients": "\(clients)"])
      }
      return clients
    }

    /// Allows as many open files as the system permits, each client is one, and returns their number.
    private static func raisedFileLimit() -> Int {
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
      limit.rlim_cur = limit.rlim_max
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      return Int(clamping: limit.rlim_max)
    }
  }
#endif
