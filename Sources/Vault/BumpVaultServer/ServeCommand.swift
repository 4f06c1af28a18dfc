#if Vault
  import ArgumentParser
  import BumpText
  import BumpVault
  import BumpVaultAPI
  import BumpVaultHTTP
  import Foundation
  import Logging
  import NIOSSL

  struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve", abstract: "Serves the vault over HTTP until SIGTERM or SIGINT.")

    @OptionGroup var options: StoreOptions

    @OptionGroup(title: "Signing in") var signIn: SignInOptions

    @OptionGroup(title: "A vault on a chain") var chainOptions: ChainOptions

    @Flag(help: "The store was moved here with nothing lost, and the old one is gone.")
    var moved = false

    @Flag(help: "The store is a copy or a backup: it becomes another vault, with a key and an address of its own.")
    var copied = false

    @Option(
      help: ArgumentHelp("Where to listen: an address and a port, or port 0 for a free one.", valueName: "address:port")
    )
    var listen = "127.0.0.1:8642"

    @Option(
      name: .customLong("public-url"),
      help: ArgumentHelp(
        "The URL at which clients find the vault, such as https://vault.example (by default the address at which it listens). The vault signs its URL, and answers only requests for that host, this machine or the address at which it listens.",
        valueName: "url"))
    var publicURL: String?

    @Option(
      help: ArgumentHelp(
        "The file by which Apple's systems know the apps of the vault's host (apple-app-site-association). It is read once, and served at its URL.",
        valueName: "path"))
    var associationFile: String?

    @Option(
      help: ArgumentHelp(
        "Serve by TLS, with the PEM certificates in this file, the server's own first.", valueName: "path"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The file of the certificate's private key, in PEM.", valueName: "path"))
    var tlsKey: String?

    @Option(
      help: ArgumentHelp(
        "A proxy in front of the vault, or a range such as 10.0.0.0/8, that is trusted to name its clients. May be repeated.",
        valueName: "address"))
    var proxy: [String] = []

    @Option(
      help: ArgumentHelp(
        "The header in which proxies name their clients: X-Forwarded-For or Forwarded.", valueName: "name"))
    var proxyHeader = "X-Forwarded-For"

    @Flag(help: "Make test money for anybody who asks, so that the vault's money is worth nothing.")
    var faucet = false

    @OptionGroup var limitOptions: LimitOptions

    @Option(
      help: ArgumentHelp(
        "How much work a new claim costs a client: at most this many hashes, and half as many on average.",
        valueName: "number"))
    var challengeNumber = ChallengeIssuer.usualNumber

    @Option(help: ArgumentHelp("Requests a minute of one IPv4 address or IPv6 /64.", valueName: "number"))
    var requestsPerMinute = 300

    @Option(help: ArgumentHelp("Streams of events of one IPv4 address or IPv6 /64 at once.", valueName: "number"))
    var streamsPerAddress = 100

    @Option(help: ArgumentHelp("Connections of clients at once.", valueName: "number"))
    var clients = 12_000

    @Option(
      help: ArgumentHelp(
        "Connections of one IPv4 address or IPv6 /64 at once, by default a tenth of all, and at least 100. Proxies have no such limit.",
        valueName: "number"))
    var clientsPerAddress: Int?

    @Option(help: ArgumentHelp("The lowest level to log: debug, info, warning or error.", valueName: "level"))
    var logLevel = "info"

    func run() async throws {
      let (server, plan) = (try configuration(), try signIn.plan())
      guard !(moved && copied) else { throw Failure.usage("--moved and --copied exclude each other") }
      if let chain = try chainOptions.read() {
        try checkThatNoneIsForEmbeddedVaults()
        try await VaultServer(server, ChainServing(chain, options)).run()
      } else {
        let limits = try limitOptions.limits()
        let opened = try await options.open(moved ? .moved : copied ? .copied : .original, makes: true)
        var people: OpenedSignIn?
        if let plan { people = try await OpenedSignIn(plan, options) }
        try await VaultServer(server, EmbeddedServing(opened, limits, people)).run()
      }
    }

    /// Checks that no option is given that a vault on a chain has not.
    private func checkThatNoneIsForEmbeddedVaults() throws {
      guard !faucet else { throw Failure.usage("--faucet is not for a vault on a chain, which can make no money") }
      guard !(moved || copied) else {
        throw Failure.usage(
          "--moved and --copied are not for a vault on a chain, whose money and keys are not in its store")
      }
      guard signIn.signIn == nil else { throw Failure.usage("--sign-in is not for a vault on a chain") }
      guard !limitOptions.areGiven else {
        throw Failure.usage("a vault on a chain has its limits in its configuration, in the member limits")
      }
    }

    /// Checks the options before anything is opened.
    private func configuration() throws -> VaultServer.Configuration {
      guard let level = Logger.Level(rawValue: logLevel) else {
        throw Failure.usage("--log-level is debug, info, warning or error")
      }
      guard (1...1_000_000_000).contains(challengeNumber) else {
        throw Failure.usage("--challenge-number is 1 to 1000000000")
      }
      for (name, value) in [
        ("requests-per-minute", requestsPerMinute), ("streams-per-address", streamsPerAddress), ("clients", clients),
        ("clients-per-address", clientsPerAddress ?? 1),
      ] where !(1...10_000_000).contains(value) {
        throw Failure.usage("--\(name) is 1 to 10000000")
      }
      guard let header = Proxies.Header.allCases.first(where: { $0.rawValue.lowercased() == proxyHeader.lowercased() })
      else { throw Failure.usage("--proxy-header is X-Forwarded-For or Forwarded") }
      let ranges = try proxy.map { text in
        guard let range = AddressRange(text) else {
          throw Failure.usage("--proxy is an address or a range such as 10.0.0.0/8")
        }
        return range
      }
      var settings = VaultSettings(version: Version.current)
      settings.hasFaucet = faucet
      settings.challengeNumber = challengeNumber
      settings.requestsPerMinute = requestsPerMinute
      settings.signInsPerMinute = signIn.signInsPerMinute
      settings.streamsPerNetwork = streamsPerAddress
      settings.proxies = Proxies(ranges, header: header)
      settings.association = try associationFile.map(AssociationFile.read)
      let (host, port) = try Self.place(listen)
      let url = try publicURL(at: host, behindProxy: !ranges.isEmpty)
      return VaultServer.Configuration(
        host: host, port: port, publicURL: url, tls: try tls(), clients: clients, clientsPerNetwork: clientsPerAddress,
        otherFiles: Self.otherFiles + options.connections, level: level, settings: settings)
    }

    private func tls() throws -> TLSConfiguration? {
      switch (tlsCertificate, tlsKey) {
      case (let certificate?, let key?): try TLSFiles.configuration(certificate: certificate, key: key)
      case (nil, nil): nil
      default: throw Failure.usage("--tls-certificate and --tls-key belong together")
      }
    }

    /// The streams, libraries, event loops and files of the store that a server has open, with room to spare.
    private static let otherFiles = 64

    /// Returns the URL that the options name; `nil` for the address at which the vault listens.
    private func publicURL(at host: ClientAddress, behindProxy isBehindProxy: Bool) throws -> VaultURL? {
      let remedy = "Say with --public-url at which URL clients find the vault, such as https://vault.example"
      guard let publicURL else {
        guard !host.isUnspecified else { throw Failure.usage("\(host) is not one address. \(remedy)") }
        guard !isBehindProxy else { throw Failure.usage("clients find the vault at its proxy. \(remedy)") }
        return nil
      }
      guard let url = VaultURL(publicURL), url.isAuthentic else {
        throw Failure.usage(
          "--public-url is https://, a host and perhaps a port, such as https://vault.example, or http:// on this machine, such as http://localhost:8642"
        )
      }
      return url
    }

    private static func place(_ text: String) throws -> (ClientAddress, Int) {
      guard
        let match = text.wholeMatch(of: /\[?([0-9a-fA-F:.]+?)\]?:([0-9]{1,5})/), let address = ClientAddress(match.1),
        let port = UInt16(match.2)
      else { throw Failure.usage("--listen is an address and a port, such as 127.0.0.1:8642 or [::1]:8642") }
      return (address, Int(port))
    }
  }
#endif
