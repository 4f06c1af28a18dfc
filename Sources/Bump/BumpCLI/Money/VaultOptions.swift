import ArgumentParser
import BumpKit
import BumpTerminal
import BumpVaultAPI
import BumpVaultClient
import BumpWallet

/// The options for the vault that holds a claim's money.
struct VaultOptions: ParsableArguments {
  static let help = ArgumentHelp(
    "The URL of the vault (or BUMP_VAULT). A contract on a public chain must be in your file of contracts (BUMP_CONTRACTS).",
    valueName: "url")

  @Option(help: help, transform: Arguments.vault)
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

extension VaultConnector {
  /// - Parameter console: where to say that a vault is waited for; `nil` for nowhere.
  /// - Throws: `CommandError` if the user's file of contracts cannot be used.
  init(_ console: Console?) throws {
    // OpenSSL's name for the variable.
    self.init(roots: Environment.value("SSL_CERT_FILE"), contracts: try Contracts.read()) {
      console?.say("Waiting for the vault \($0).")
    }
  }
}

extension ConfirmedVault {
  /// Returns the vault as it was confirmed. If the person has never confirmed it, they do so now.
  ///
  /// - Parameter yes: whether to confirm it without asking the person.
  /// - Throws: `CommandError` if nobody confirms the vault, or if it cannot be used; `FundingError`, `VaultFailure`,
  ///   `StoreError`.
  static func confirmed(
    _ url: VaultURL, in store: ClaimStore, yes: Bool, _ console: Console
  ) async throws -> ConfirmedVault {
    if let known = try await known(url, in: store, by: try VaultConnector(console)) { return known }
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
    let vault = try await UnconfirmedVault(at: url, movedFrom: former, in: store, by: try VaultConnector(console))
    if yes { vault.lines.forEach(console.say) } else { try await ask(url, about: vault.lines, console) }
    return try await vault.confirm()
  }

  private static func ask(_ url: VaultURL, about lines: [String], _ console: Console) async throws {
    guard await Prompt.answer("Trust this vault with your money?", about: lines, console) == .yes else {
      throw CommandError(.declined, "the vault \(url) was not confirmed, and nothing was asked of it")
    }
  }

  /// Returns the command that confirms a vault.
  static func trust(_ url: VaultURL) -> String { "bump wallet trust \(url)" }
}

extension UnconfirmedVault {
  /// What a person must know before they confirm the vault.
  fileprivate var lines: [String] {
    let tokens = statement.vault.tokens.map(\.token.description).joined(separator: ", ")
    var lines = [
      "The vault \(url) is \(statement.vault.address), and holds \(tokens), up to \(statement.cap) a claim. "
        + (statement.vault.isContract
          ? "It is a contract on the chain \(statement.vault.chainID): the chain holds the money, and the operator carries "
            + "requests."
          : "Its operator holds the money.")
    ]
    if isChanged, let before {
      lines.append(
        "It has changed since you confirmed it as \(before.vault.address). Go on only if its operator has told you so.")
    }
    if isRealNow { lines.append("It made test money when you confirmed it, and its money is real now.") }
    if let former { lines.append("From now on, bump looks at \(url) for the money that was at \(former).") }
    if statement.hasFaucet { lines.append("It makes test money: what it holds is worth nothing.") }
    if !url.isAuthentic {
      lines.append(
        "The connection to it is not encrypted: others on the network can read your requests, and answer in its place.")
    }
    return lines
  }
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
      remedy: "Ask its operator. If the change is intended, confirm it with: \(ConfirmedVault.trust(url))")
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
