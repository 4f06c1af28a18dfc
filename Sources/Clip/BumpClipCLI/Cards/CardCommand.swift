import ArgumentParser
import BumpClaims
import BumpKit
import BumpSharedCards
import BumpSystem
import BumpTerminal
import BumpText

struct CardCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "card", abstract: "Share a contact card for a day by a link, and fetch one.",
    discussion: """
      The store has the card's ciphertext under a random name. The key is in the link alone, after the #: whoever has \
      the link can read the card.
      """,
    subcommands: [Share.self, Fetch.self, Serve.self])

  func run() throws { throw ValidationError("name a command: \(Self.commandNames)") }

  struct Share: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "share", abstract: "Share a card for 24 hours, and print its link and QR code.",
      usage: "bump-clip card share <file> [<options>]")

    @Argument(
      help: ArgumentHelp("A vCard 3.0 of at most 256 KiB.", valueName: "file"), completion: .file(extensions: ["vcf"]))
    var file: String

    @Option(
      help: ArgumentHelp("The beginning of the link (default: \(SharedCardLink.defaultBase)).", valueName: "url"),
      transform: Arguments.linkBase)
    var linkBase = SharedCardLink.defaultBase

    @Option(
      help: ArgumentHelp("Write the QR code to this new file too.", valueName: "x.svg"),
      completion: .file(extensions: ["svg"]), transform: QRFile.init)
    var qrFile: QRFile?

    @OptionGroup var options: CardOptions

    func run() async throws {
      try await options.run { store, report in
        try qrFile?.check()
        let card = try CardFile.card(file, remedy: "Name another")
        let now = UnixTime.now()
        var generator = SystemRandomNumberGenerator()
        let link = try SharedCardLink(
          base: linkBase, id: SharedCardID(using: &generator), key: SharedCardKey())
        let shared = try SharedCard(sealing: card.bytes, as: link.id, with: link.key, at: now)
        // Show the link only once its card is durable.
        let failure = try await store.share(shared, at: now)
        let written = Result { try qrFile?.write(link.text) }
        let status = report.shared(card, by: link, until: shared.expiresAt)
        if let failure { report.cleaned(.failure(failure)) }
        try written.get()
        return status
      }
    }
  }

  struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "fetch", abstract: "Fetch a card by its link, and show it or write it to a file.",
      usage: "bump-clip card fetch <link> [<options>]",
      discussion: """
        Without --server or --online bump-clip looks for the card only in --store. It shows or writes the card only if \
        the link's key opens it.
        """)

    // Parsed later: the link has the card's key, and the parser's errors repeat the argument.
    @Argument(help: ArgumentHelp("The link, or `-` for one on stdin.", valueName: "link"))
    var link: String

    @Option(
      help: ArgumentHelp("Write the card to this new file.", valueName: "x.vcf"),
      completion: .file(extensions: ["vcf"]))
    var output: String?

    @Option(
      help: ArgumentHelp("Ask this server for it, such as one of `bump-clip card serve`.", valueName: "url"),
      transform: HTTPCards.init)
    var server: HTTPCards?

    @Flag(help: "Fetch from the host that the link names, by HTTPS.")
    var online = false

    @Option(
      help: ArgumentHelp("Trust the certificates in this file, in PEM, in place of the system's.", valueName: "file"),
      completion: .file())
    var roots: String?

    @OptionGroup var options: CardOptions

    func validate() throws {
      let places = [server != nil, online, options.store != nil].count(where: \.self)
      if places > 1 { throw ValidationError("--store, --server and --online contradict each other. Name one") }
      if roots != nil, server == nil, !online { throw ValidationError("--roots needs --server or --online") }
    }

    func run() async throws {
      try await options.run { store, report in
        let link = try SharedCardLink(try await Prompt.link(or: link, report.console))
        if online, link.namesNoServer {
          throw CommandError(
            .failure, "the link names yourapp.com, a placeholder that nobody serves",
            remedy: "Name the address of the card's server with --server URL")
        }
        let shared =
          if let server = online ? HTTPCards(of: link) : server {
            try await server.card(link.id, roots: roots)
          } else {
            try await kept(link, in: store)
          }
        // Nothing is shown or written unless the ciphertext opens with the link's key and is a card. A server may still
        // give out what has expired.
        let card = try Document(.card, try shared.opened(with: link.key))
        guard !shared.hasExpired(at: UnixTime.now()) else { throw SharedCardError.absent }
        try write(card)
        return report.fetched(card, of: link.id, in: output, from: place)
      }
    }

    /// The options that name the place of the card, for advice.
    private var place: [String] {
      let names = [("--store", options.store), ("--server", server?.base), ("--roots", roots)]
      return names.flatMap { name, value in value.map { ShellCommand.option(name, $0) } ?? [] }
        + (online ? ["--online"] : [])
    }

    /// Returns a card that this machine's own directory has, or the bucket that --store names.
    private func kept(_ link: SharedCardLink, in store: any SharedCardStore) async throws -> SharedCard {
      do throws(SharedCardError) {
        return try await store.card(link.id, at: UnixTime.now())
      } catch {
        guard error.code == .absent else { throw error }
        let online = link.namesNoServer ? "" : ", or --online"
        throw CommandError(
          .failure, error.reason, remedy: "If a server gives it out, name its address with --server URL\(online)")
      }
    }

    private func write(_ card: Document) throws {
      guard let output else { return }
      do {
        try PrivateFile.create(output, card.bytes)
      } catch {
        throw CommandError(
          .failure, "\(output) cannot be written: \(error.reason)",
          remedy: error == .othersMayRead
            ? "Name one on a disk that has file modes with --output" : "Name another with --output")
      }
    }
  }

  struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve", abstract: "Serve the cards in --store over HTTP, until Ctrl-C.",
      usage: "bump-clip card serve [<options>]",
      discussion: """
        The server has no TLS: put a proxy with a certificate in front of it. Clients can only read. At most 128 \
        connections are open, for one request each: five seconds to send it, ten to read the answer. A further \
        connection closes the oldest one of the host that has the most. An expired card is never served, and is removed \
        at the start or within an hour.
        """)

    @Option(
      parsing: .unconditional, help: ArgumentHelp("The TCP port (default: one that is free).", valueName: "port"),
      transform: Arguments.port)
    var port: UInt16 = 0

    @Option(
      help: ArgumentHelp(
        "Serve on this network interface (default: lo, which only this machine reaches).", valueName: "name"
      ),
      completion: Completions.interfaces, transform: Arguments.interface)
    var interface: NetworkInterface?

    @OptionGroup var options: CardOptions

    func run() async throws {
      try await options.run { [port, interface] store, report in
        try await Interrupt.cancels {
          try await CardServer(store: store, report: report).run(port: port, on: interface)
        }
      }
    }
  }
}
