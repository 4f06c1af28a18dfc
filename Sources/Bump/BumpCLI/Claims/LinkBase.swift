import ArgumentParser
import BumpClaims
import BumpVaultAPI

/// The beginning of the links of claims. That of a claim at a vault is the vault's, so that a receiver who names no
/// vault asks none but that one.
enum LinkBase {
  static let help = ArgumentHelp(
    "The beginning of the claim link (default: \(ClaimLink.defaultBase), with a vault the vault's own URL and /claim).",
    valueName: "link-base")

  /// Returns the named base, or otherwise the vault's.
  ///
  /// - Parameter vault: the vault that holds the claim's money; `nil` for none. A vault without TLS on another machine has
  ///   no links of its own.
  static func of(_ named: String?, at vault: VaultURL?) -> String {
    named ?? vault?.linkBase ?? ClaimLink.defaultBase
  }

  /// Returns the vault that the receiver of a link has to name, since the link does not; `nil` if none has to be named.
  static func unnamed(_ vault: VaultURL?, in link: ClaimLink) -> VaultURL? {
    VaultURL(namedByLinkBase: link.base) == vault ? nil : vault
  }
}
