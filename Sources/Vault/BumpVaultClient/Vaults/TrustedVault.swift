public import BumpVaultAPI
public import BumpWallet

/// A vault that a person has confirmed, as it was then. Each session asks it first to prove that it still is that vault.
public struct TrustedVault: Hashable, Sendable {
  /// The URL at which it was confirmed, and is asked.
  public let url: VaultURL
  /// Its domains.
  public let pinned: PinnedVault
  /// Whether it was confirmed as one that makes test money.
  public let hasFaucet: Bool

  /// Makes the vault that was confirmed at a URL.
  public init(_ pinned: PinnedVault, hasFaucet: Bool, at url: VaultURL) {
    (self.pinned, self.hasFaucet, self.url) = (pinned, hasFaucet, url)
  }

  /// Reads a vault's answer to `VaultRequest.vault(nonce:)`, and compares it with the confirmed vault.
  func check(_ body: [UInt8], nonce: Bytes32) throws(VaultFailure) -> VaultStatement {
    let statement: VaultStatement
    do {
      statement = try VaultStatement(body)
    } catch {
      throw .untrusted("\(error.reason)")
    }
    do {
      try pinned.check(statement.vault)
    } catch {
      throw VaultFailure(.changed, error.reason)
    }
    try statement.checkProof(nonce: nonce, at: url)
    guard statement.hasFaucet == hasFaucet else {
      throw VaultFailure(
        .changed,
        hasFaucet
          ? "the vault made test money when it was confirmed, and says now that its money is real"
          : "the vault says now that it makes test money, so what it holds is worth nothing")
    }
    return statement
  }
}

extension VaultStatement {
  /// Checks that the vault which this statement describes has made it, for this nonce and as the one at this URL.
  ///
  /// - Throws: `VaultFailure.untrusted` without a valid signature for the nonce, `.changed` for another origin.
  func checkProof(nonce: Bytes32, at url: VaultURL) throws(VaultFailure) {
    guard let proof else { throw .untrusted("it does not prove which vault it is from") }
    guard proof.nonce == nonce, proof.isMade(by: vault, hasFaucet: hasFaucet) else {
      throw .untrusted("its proof of which vault it is from is not valid")
    }
    guard proof.origin == url else {
      throw VaultFailure(
        .changed, "the server at \(url) says that its URL is \(proof.origin). Nothing was signed",
        remedy: "If you mean that vault, name it by that URL"
          + (url.isAuthentic
            ? ". If it is to be found at this one, its operator starts it with --public-url \(url)" : ""))
    }
  }
}
