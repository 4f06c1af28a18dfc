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
      let certificate: String?
      let key: String?
      let clients: Int
      let level: Logger.Level
      let limits: VaultLimits
      let settings: VaultSettings
    }

    private let configuration: Configuration
    private let opened: OpenedStore
    private let logger: Logger

    /// How long requests that have begun may still take at the server's end.
    static let farewell = Duration.seconds(20)

    init(_ configuration: Configuration, _ opened: OpenedStore) {
      (self.configuration, self.opened) = (configuration, opened)
      let level = configuration.level
      logger = Logger(label: "bump-vault") { JSONLog(logLevel: level, label: $0) }
    }

    func run() async throws {
      let logger = logger
      let vault = try await Vault(opened.store, limits: configuration.limits)
      let clock = try await opened.clock()
      let report: @Sendable (VaultStoreError) -> Void = {
        logger.error("the store failed", metadata: ["reason": "\($0)"])
      }
      let service = VaultService(
        vault, on: opened.store, configuration.settings, challenges: opened.challenges, requests: opened.requests,
        clock: clock.now, report: report)
      if configuration.settings.hasFaucet {
        logger.warning("the faucet is on: the money of this vault is worth nothing")
      }
      // The store's time never runs backwards: if it once ran ahead, it does not advance until the clock has caught up.
      let ahead = try await opened.store.currentTime() - clock.now() / 1000
      if ahead > 60 {
        logger.warning(
          "the store's time is ahead of the clock: deposits are refused until the clock has caught up",
          metadata: ["seconds": "\(ahead)"])
      }
      Self.raiseFileLimit()
      let address = configuration.host.description
      let application = Application(
        responder: Responder(service: service, isTLS: configuration.certificate != nil, logger: logger),
        server: try builder(),
        configuration: ApplicationConfiguration(
          address: .hostname(address, port: configuration.port),
          availableConnectionsDelegate: MaximumAvailableConnections(configuration.clients)),
        onServerRunning: { channel in
          let port = channel.localAddress?.port ?? 0
          let shown = address.contains(":") ? "[\(address)]" : address
          let url = "\(configuration.certificate == nil ? "http" : "https")://\(shown):\(port)"
          let origin = configuration.publicURL ?? VaultURL(url)
          configuration.settings.origin.set(origin)
          logger.notice(
            "listening",
            metadata: [
              "url": "\(url)", "origin": "\(origin?.description ?? url)", "vault": "\(vault.rules.identity.address)",
            ])
        },
        logger: Self.quiet(logger))
      var group = ServiceGroupConfiguration(
        services: [
          .init(
            service: Upkeep(
              opened: opened, service: service, clock: clock, limits: configuration.limits, report: report)),
          .init(service: application),
        ],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: Self.quiet(logger))
      group.maximumGracefulShutdownDuration = Self.farewell
      do {
        try await ServiceGroup(configuration: group).run()
      } catch let error as IOError {
        throw Failure(
          "cannot listen at \(address), port \(configuration.port): \(String(cString: strerror(error.errnoCode)))")
      }
      await opened.close()
      logger.notice("ended")
    }

    /// Returns the builder of an HTTP/1.1 server, over TLS if there is a certificate.
    private func builder() throws -> HTTPServerBuilder {
      let base = HTTPServerBuilder.http1(
        configuration: .init(
          additionalChannelHandlers: [ConnectionLimits()],
          httpDecoderConfiguration: .init(maxHeaderFieldSize: 8192, maxHeaderListSize: 16_384, maxHeaderFieldCount: 64))
      )
      guard let certificate = configuration.certificate, let key = configuration.key else { return base }
      do {
        let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
        var tls = TLSConfiguration.makeServerConfiguration(
          certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
        tls.minimumTLSVersion = .tlsv12
        return try .tls(base, tlsConfiguration: tls)
      } catch {
        throw Failure("the certificate \(certificate) or its key \(key) cannot be used. Both are files in PEM")
      }
    }

    /// Returns a logger for Hummingbird's own messages that passes only warnings and errors.
    private static func quiet(_ logger: Logger) -> Logger {
      var logger = logger
      logger.logLevel = max(logger.logLevel, .warning)
      return logger
    }

    /// Allows as many open files as the system permits: each client is one.
    private static func raiseFileLimit() {
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
      limit.rlim_cur = limit.rlim_max
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
  }
#endif
