import ArgumentParser
import BumpKit
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient
import BumpWallet
import Synchronization

/// The options for the vault that holds a claim's money.
struct VaultOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The URL of the vault (or BUMP_VAULT).", valueName: "url"),
    transform: Arguments.vault)
  var vault: VaultURL?

  @Option(name: .customLong("wallet"), help: Wallet.help, completion: .file(), transform: Arguments.walletPath)
  var walletPath: String?

  var wallet: Wallet { Wallet(walletPath) }

  /// Returns the vault from the option, or otherwise from BUMP_VAULT; `nil` without either.
  func named() throws -> VaultURL? {
    if let vault { return vault }
    guard let text = Environment.value("BUMP_VAULT") else { return nil }
    do {
      return try Arguments.vault(text)
    } catch {
      throw CommandError(.usage, "BUMP_VAULT: \(error)")
    }
  }

  /// Rejects a vault in combination with an option that moves no money.
  func forbid(with option: String) throws {
    if try named() != nil {
      throw CommandError(
        .usage, "\(option) and a vault contradict each other", remedy: "Leave out --vault and BUMP_VAULT")
    }
  }

  /// Returns the named vault.
  ///
  /// - Throws: `CommandError` of usage if none is named.
  func required() throws -> VaultURL {
    guard let url = try named() else {
      throw CommandError(.usage, "no vault is named", remedy: "Name it with --vault, or in BUMP_VAULT")
    }
    return url
  }
}

/// A vault that the owner of this store has confirmed, with a client for it.
struct ConfirmedVault: Sendable {
  let vault: TrustedVault
  let client: VaultClient
  /// Where to say that the vault is waited for; `nil` for nowhere.
  let console: Console?
  var url: VaultURL { vault.url }

  private init(_ vault: TrustedVault, _ console: Console?) {
    (self.vault, self.console) = (vault, console)
    client = Self.client(of: vault.url, console)
  }

  /// A pause before a request is sent again that a person would notice.
  private static let noticeable: Duration = .milliseconds(400)

  /// Returns whether to say before a pause that the vault is waited for. After Ctrl-C it is not.
  static func isToBeSaid(of pause: Duration) -> Bool { pause >= noticeable && !Task.isCancelled }

  /// - Parameter console: where to say that the vault is waited for, once.
  private static func client(of url: VaultURL, _ console: Console?) -> VaultClient {
    let isSaid = Mutex(false)
    // OpenSSL's name for the variable.
    let transport = HTTPTransport(url, roots: Environment.value("SSL_CERT_FILE"))
    return VaultClient(transport, now: { UnixTime.now() }) { pause in
      let isFirst =
        isToBeSaid(of: pause)
        && isSaid.withLock { isSaid in
          defer { isSaid = true }
          return !isSaid
        }
      if isFirst { console?.say("Waiting for the vault \(url).") }
      try? await Task.sleep(for: pause)
    }
  }

  /// Returns the vault as it was confirmed; `nil` if it never was.
  ///
  /// - Parameter console: where to say that the vault is waited for; `nil` for nowhere.
  /// - Throws: `CommandError`, `StoreError`.
  static func known(_ url: VaultURL, in store: ClaimStore, _ console: Console?) async throws -> ConfirmedVault? {
    guard let text = try await store.confirmedVault(at: url.description) else { return nil }
    guard let vault = try? VaultIntroduction(text).trusted(at: url) else {
      throw CommandError(
        .failure, "the store's record of the vault \(url) is damaged", remedy: "Confirm it again with: \(trust(url))")
    }
    return ConfirmedVault(vault, console)
  }

  /// Returns the vault as it was confirmed. If the person has never confirmed it, they do so now.
  ///
  /// - Parameter yes: whether to confirm it without asking the person.
  /// - Throws: `CommandError` if nobody confirms the vault, or if it cannot be used; `StoreError`.
  static func confirmed(
    _ url: VaultURL, in store: ClaimStore, yes: Bool, _ console: Console
  ) async throws -> ConfirmedVault {
    if let known = try await known(url, in: store, console) { return known }
    let confirmed = try await confirm(url, in: store, yes: yes, console)
    if yes { console.say("With --yes you have confirmed it, from now on.") }
    return confirmed
  }

  /// Asks the vault for its description, and the person to confirm it. It replaces the description that they confirmed
  /// before.
  ///
  /// - Parameter former: the URL at which the person confirmed the vault before it moved. The claims that have their
  ///   money there have it at the new URL from then on, and the former one is not known any more.
  static func confirm(
    _ url: VaultURL, movedFrom former: VaultURL? = nil, in store: ClaimStore, yes: Bool, _ console: Console
  ) async throws -> ConfirmedVault {
    guard yes || Console.canAsk else {
      throw CommandError(
        .failure, "the vault \(url) is not known here, and there is no terminal to ask on",
        remedy: "Confirm it once with: \(trust(url)), on a terminal or with --yes")
    }
    let introduction = try await client(of: url, console).run(IntroductionSession(at: url)).get()
    let vault = try introduction.trusted(at: url)
    let statement = introduction.statement
    try await checkOthers(statement.vault, at: url, movedFrom: former, in: store)
    let tokens = statement.vault.tokens.map(\.token.description).joined(separator: ", ")
    var lines = [
      "The vault \(url) is \(statement.vault.address), and holds \(tokens), up to \(statement.cap) a claim. "
        + "Its operator holds the money."
    ]
    if let before = try await store.confirmedVault(at: (former ?? url).description).flatMap({
      try? VaultIntroduction($0)
    }) {
      if before.statement.vault != statement.vault {
        lines.append(
          "It is another than you confirmed: that was \(before.statement.vault.address). Go on only if its "
            + "operator has told you so.")
      }
      if before.statement.hasFaucet, !statement.hasFaucet {
        lines.append("You confirmed it as one that makes test money, and its money is real now.")
      }
    }
    if let former { lines.append("Claims whose money is at \(former) have it at \(url) from now on.") }
    if statement.hasFaucet { lines.append("It makes test money: what it holds is worth nothing.") }
    if !url.isAuthentic {
      lines.append(
        "The connection to it is not encrypted: others on the network can read your requests, and answer in its place.")
    }
    if yes { lines.forEach(console.say) } else { try await ask(url, about: lines, console) }
    try await store.confirm(
      vault: url.description, describedAs: introduction.text, movedFrom: former?.description)
    return ConfirmedVault(vault, console)
  }

  /// Rejects a vault whose address or token is already confirmed at another URL: one of the two servers may be an
  /// impostor. A vault moves by the word of its own key, which has signed the new URL, and of the
  /// person.
  ///
  /// - Throws: `CommandError`, which names both URLs.
  private static func checkOthers(
    _ vault: VaultDescription, at url: VaultURL, movedFrom former: VaultURL?, in store: ClaimStore
  ) async throws {
    let known = try await store.confirmedVaults().compactMapValues { try? VaultIntroduction($0).statement.vault }
    if let former, known[former.description]?.address != vault.address {
      throw CommandError(
        .failure, "the vault at \(url) is not the one that you confirmed at \(former)", remedy: "Leave out --moved-from"
      )
    }
    let isOther = { (text: String) in text != url.description && text != former?.description }
    if let other = known.keys.sorted().first(where: { isOther($0) && known[$0]?.address == vault.address }) {
      throw CommandError(
        .failure, "the vault at \(url) is \(vault.address), which you confirmed at \(other)",
        remedy: "Use it there. If it has moved, confirm that with: \(trust(url)) --moved-from \(other)")
    }
    if let other = known.keys.sorted().first(where: { isOther($0) && known[$0]?.sharesContract(with: vault) == true }) {
      throw CommandError(
        .failure, "the vault at \(url) uses a token of another vault, which you confirmed at \(other)",
        remedy: "Do not use it. If it takes that vault's place, its operator serves it at \(other)")
    }
  }

  private static func ask(_ url: VaultURL, about lines: [String], _ console: Console) async throws {
    guard await Prompt.answer("Trust this vault with your money?", about: lines, console) == .yes else {
      throw CommandError(.declined, "the vault \(url) was not confirmed, and nothing was asked of it")
    }
  }

  /// Returns the command that confirms a vault.
  static func trust(_ url: VaultURL) -> String { "bump wallet trust \(url)" }
}

extension VaultDescription {
  /// Whether the two have an address in common, of their own or of a token.
  fileprivate func sharesContract(with other: VaultDescription) -> Bool { !contracts.isDisjoint(with: other.contracts) }

  private var contracts: Set<Address> { Set([address] + tokens.map(\.address)) }
}

extension CommandError {
  /// Wraps the reason why a vault did not do what it was asked.
  ///
  /// - Parameter url: the vault's URL.
  init(_ failure: VaultFailure, at url: VaultURL) {
    guard failure.code == .changed, failure.remedy == nil else {
      self.init(failure)
      return
    }
    self.init(
      .failure, failure.reason,
      remedy: "Ask its operator. If it is meant to be another now, confirm it with: \(ConfirmedVault.trust(url))")
  }

  /// Wraps a failure of a vault. Ctrl-C ends a request, so that it has no answer.
  init(_ failure: VaultFailure) {
    if failure.code == .unreachable, Interrupt.hasCome {
      self.init(.interrupted, "interrupted before the vault answered")
    } else {
      self.init(.failure, failure.reason, remedy: failure.remedy)
    }
  }
}
