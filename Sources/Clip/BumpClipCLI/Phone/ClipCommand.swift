import ArgumentParser
import BumpClaims
import BumpClip
import BumpKit
import BumpNostr
import BumpTerminal

extension BumpClipCommand {
  struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "open", abstract: "Say what a link opens, and what its App Clip shows and captures.",
      usage: "bump-clip open <link> [<options>]")

    // Parsed later: the link of a claim is money, and the parser's errors repeat the argument.
    @Argument(help: ArgumentHelp("The link, or `-` for one on stdin.", valueName: "link"))
    var link: String

    @OptionGroup var relays: RelayOptions
    @OptionGroup var options: ClipOptions

    func run() async throws {
      try await options.run { experiences, phone, report in
        let text = try await Prompt.link(or: link, report.console)
        let route = experiences.router.route(text)
        // Check this before the phone changes: a command that cannot succeed must do nothing.
        let driver = try relays.key(in: route)
        return try await report.opened(route, on: phone) {
          guard let driver else { return }
          let answers = try await relays.ask(for: driver)
          if !report.profile(answers) {
            report.console.say("No profile is shown: \(report.words(answers, of: driver)).")
          }
        }
      }
    }
  }

  struct Handover: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "handover", abstract: "Press an App Clip's button: leave what it captured for its app.",
      usage: "bump-clip handover <product> [<options>]")

    @OptionGroup var product: ProductArgument
    @Option(
      help: ArgumentHelp(
        "A further value to hand over, for a product that takes it.", valueName: "name=value")
    )
    var field: [String] = []

    @OptionGroup var options: ClipOptions

    func run() async throws {
      try await options.run { experiences, phone, report in
        let product = try experiences.named(product.id)
        var fields: [String: String] = [:]
        for pair in field {
          let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          guard halves.count == 2, fields.updateValue(String(halves[1]), forKey: String(halves[0])) == nil else {
            throw CommandError(.usage, "--field is a name and its value, as in --field name=Ann")
          }
        }
        let value = try phone.handOver(product, fields: fields)
        return report.done(
          product, "handedOver", ["value": .string(value)], result: value,
          saying:
            "Left for the app of \(product.name). Next: `bump-clip install \(product.id)` or `bump-clip evict \(product.id)`."
        )
      }
    }
  }

  struct Consume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "consume", abstract: "Start an installed app: it takes what its App Clip has left, once.")

    @OptionGroup var product: ProductArgument
    @OptionGroup var options: ClipOptions

    func run() async throws {
      try await options.run { experiences, phone, report in
        let product = try experiences.named(product.id)
        return report.consumed(product, try phone.consume(product, in: experiences.router))
      }
    }
  }

  struct Evict: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "evict",
      abstract: "Remove an App Clip and all it has left, as a phone does with an unused one.")

    @OptionGroup var product: ProductArgument
    @OptionGroup var options: ClipOptions

    func run() async throws {
      try await options.run { experiences, phone, report in
        let product = try experiences.named(product.id)
        let wasThere = try phone.evict(product)
        return report.done(
          product, wasThere ? "evicted" : "nothing",
          saying: wasThere
            ? "The App Clip of \(product.name) is gone, and its App Group is empty."
            : "There is no App Clip of \(product.name).")
      }
    }
  }

  struct Install: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "install", abstract: "Install an app: it replaces its App Clip, and keeps the App Group.")

    @OptionGroup var product: ProductArgument
    @OptionGroup var options: ClipOptions

    func run() async throws {
      try await options.run { experiences, phone, report in
        let product = try experiences.named(product.id)
        let isNew = try phone.install(product)
        return report.done(
          product, isNew ? "installed" : "alreadyHere",
          saying: isNew
            ? "\(product.name) is installed. Start it with: bump-clip consume \(product.id)"
            : "\(product.name) is installed already.")
      }
    }
  }

  struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "List the products, and what the simulated phone has of each.")

    @Argument(help: "Show only this product.")
    var product: String?

    @OptionGroup var options: ClipOptions

    func run() async throws {
      try await options.run { experiences, phone, report in
        let products = try product.map { [try experiences.named($0)] } ?? experiences.products
        for product in products { try report.stands(product, phone) }
        return report.end("listed", .success)
      }
    }
  }
}

extension BumpClipCommand {
  struct Resolve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "resolve", abstract: "Ask a short link's host where it leads, and open that link.",
      usage: "bump-clip resolve <link> [<options>]",
      discussion: """
        Only hosts of the link's own product are asked, by https and without following a redirect anywhere else: five \
        times at most, for five seconds each.
        """)

    @Argument(help: ArgumentHelp("The short link, or `-` for one on stdin.", valueName: "link"))
    var link: String

    @Option(
      help: ArgumentHelp("Trust the certificates in this file, in PEM, in place of the system's.", valueName: "file"),
      completion: .file())
    var roots: String?

    @OptionGroup var options: ClipOptions

    func run() async throws {
      try await options.run { experiences, phone, report in
        let text = try await Prompt.link(or: link, report.console)
        guard let resolution = LinkResolution(of: text, in: experiences.router) else {
          throw CommandError(.failure, "that is not a short link", remedy: "Open it with: bump-clip open -")
        }
        let resolved = try await ShortLinks(roots: roots).resolve(resolution, from: text)
        report.resolved(resolved)
        return try await report.opened(experiences.router.route(resolved), on: phone) {}
      }
    }
  }

  struct Profile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "profile", abstract: "Ask relays of Nostr for a person's profile, and show it if it is theirs.",
      usage: "bump-clip profile <npub|nprofile> [<options>]")

    // Parsed later: a private key in its place must not be repeated by the parser's error.
    @Argument(help: ArgumentHelp("A key, npub1…, or a key and relays, nprofile1…", valueName: "npub|nprofile"))
    var address: String

    @OptionGroup var relays: RelayOptions
    @OptionGroup var options: ClipOptions

    func run() async throws {
      try await options.run { _, _, report in
        let address = try RelayOptions.address(address)
        let answers = try await relays.ask(for: address)
        guard report.profile(answers) else {
          return report.end("nothing", .nobody, report.words(answers, of: address.key))
        }
        return report.end("shown", .success)
      }
    }
  }
}

struct ProductArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The product, as `bump-clip status` lists it.", valueName: "product"),
    completion: Completions.products)
  var id: String
}

extension Experiences {
  /// Returns the product with an id.
  ///
  /// - Throws: `CommandError` if there is none.
  func named(_ id: String) throws -> Product {
    guard let product = product(id) else {
      throw CommandError(
        .failure, "no product is called \(ArgumentText.repeatable(id))", remedy: "`bump-clip status` lists them")
    }
    return product
  }
}
