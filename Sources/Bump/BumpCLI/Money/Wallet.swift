import ArgumentParser
import BumpTerminal
import BumpWallet

/// The wallet of an option `--wallet`, of BUMP_WALLET, or the default one.
struct Wallet: Sendable {
  static let help = ArgumentHelp(
    "The file of your wallet's key (or BUMP_WALLET, by default $XDG_DATA_HOME/bump/wallet.key).", valueName: "path")

  /// The path of the named wallet; `nil` for the default one.
  private let named: String?
  var path: String { named ?? Environment.defaultWallet }

  /// - Parameter option: the path that the option gives; `nil` without it.
  init(_ option: String?) { named = option ?? Environment.value("BUMP_WALLET") }

  /// Makes the wallet with a new random key. Makes missing directories only for the default wallet: in another path
  /// they are probably a typing error, and nobody would find the money there.
  ///
  /// - Throws: `CommandError`, `WalletError`.
  func create() throws -> PrivateKey { try create(.random()) }

  /// Makes the wallet of a key, as `create()` does.
  ///
  /// - Throws: `CommandError`, `WalletError`.
  func create(_ key: PrivateKey) throws -> PrivateKey {
    try CommandError.checkFolder(of: named, the: "wallet", named: "--wallet")
    try WalletFile.create(path, key: key)
    return key
  }

  /// Reads the wallet.
  ///
  /// - Throws: `CommandError`, `WalletError`.
  func read() throws -> PrivateKey {
    do {
      return try WalletFile.read(path)
    } catch {
      guard error.code == .privateKey else { throw error }
      throw CommandError(
        .failure, "the wallet \(path) holds no key: \(error.reason)",
        remedy: "Restore a backup, or name another with --wallet")
    }
  }
}
