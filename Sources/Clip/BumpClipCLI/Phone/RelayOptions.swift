import ArgumentParser
import BumpClip
import BumpKit
import BumpNostr
import BumpTerminal

#if Vault
  import BumpRelays
#endif

/// The relays to ask for a profile. Without one, bump asks none.
struct RelayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Ask this relay for the person's profile, and show it if it is theirs. May be repeated.", valueName: "wss://host"),
    transform: RelayOptions.url)
  var relay: [RelayURL] = []

  @Option(
    help: ArgumentHelp("Trust the certificates in this file, in PEM, in place of the system's.", valueName: "file"),
    completion: .file())
  var relayRoots: String?

  func validate() throws {
    if relay.count > Self.limit { throw ValidationError("--relay can be repeated \(Self.limit) times") }
    if relayRoots != nil, relay.isEmpty { throw ValidationError("--relay-roots needs --relay") }
  }

  /// The limit on relays asked at once.
  private static let limit = 16
  /// The limit on relays from an `nprofile`: they were named by a stranger.
  private static let strangersLimit = 4

  private static func url(_ text: String) throws -> RelayURL {
    guard let url = RelayURL(text) else { throw ValidationError("a relay is wss://host[:port][/path]") }
    return url
  }

  /// Reads a key. The error does not repeat any of it.
  static func address(_ text: String) throws -> NostrAddress {
    do throws(NostrAddress.Refusal) {
      return try NostrAddress(text)
    } catch {
      guard error != .secretKey else {
        throw CommandError(
          .failure, "that is a private key",
          remedy: "Show it to nobody, and ask for the public one, which begins with npub1")
      }
      throw CommandError(
        .failure, "that is not a Nostr key (\(error.rawValue))",
        remedy: "It begins with npub1 or nprofile1. Copy it again")
    }
  }

  /// Returns the person whose profile a link's preview may show; `nil` if no relay is to be asked.
  ///
  /// - Throws: `CommandError` if relays are named for a link without a person.
  func key(in route: Route) throws -> NostrKey? {
    guard !relay.isEmpty, case .match(let match) = route else { return nil }
    guard let npub = match.captured["npub"] else {
      throw CommandError(.usage, "--relay is for a link with a key of Nostr, and \(match.experience.id) has none")
    }
    return try Self.address(npub).key
  }

  func ask(for key: NostrKey) async throws -> [RelayAnswer] {
    try await ask(for: NostrAddress(key: key, relays: []))
  }

  /// Asks the named relays, and those of an `nprofile`, which must use TLS and be neither on this machine nor on its
  /// networks.
  func ask(for address: NostrAddress) async throws -> [RelayAnswer] {
    var strangers: [RelayURL] = []
    for url in address.relays.compactMap(RelayURL.init)
    where url.isSecure && !relay.contains(url) && !strangers.contains(url) && strangers.count < Self.strangersLimit {
      strangers.append(url)
    }
    let relays = relay + strangers
    guard !relays.isEmpty else {
      throw CommandError(.usage, "no relay is named", remedy: "Name one: --relay wss://host")
    }
    #if Vault
      do {
        return try await Relays.ask(
          relays, strangers: Set(strangers), for: address.key, at: UnixTime.now(), roots: relayRoots
        ).map {
          RelayAnswer(
            relay: $0.relay, ending: $0.ending, profile: $0.profile, refusals: $0.refusals.values.reduce(0, +))
        }
      } catch {
        throw CommandError(.failure, "the certificates of \(relayRoots ?? "the system") cannot be read")
      }
    #else
      throw CommandError(
        .failure, "this bump-clip was built without relays",
        remedy: "Build it with the trait Vault")
    #endif
  }
}
