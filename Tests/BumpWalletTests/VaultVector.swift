import BumpClaims
import BumpWallet
import Foundation
import Samples

/// A claim's keys, hashes and signatures by a second implementation: Tests/Support/Vectors/vault.json, made with eth-account.
struct VaultVector: Decodable, Sendable, CustomStringConvertible {
  let claimId, secret, amountBaseUnits: String
  let expiry, authorizationValidBefore: Int64
  let senderKey, sender, receiverKey, receiver, claimKey, claimAddress, secretHash, ledgerId: String
  let claimDigest, proof, authorizationDigest, authorization: String

  var description: String { claimId }

  struct File: Decodable, Sendable {
    struct Domain: Decodable, Sendable {
      let name, version, verifyingContract: String
      let chainId: UInt64
    }
    let vault, token: Domain
    let cases: [VaultVector]
  }

  static let file = Result {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try JSONDecoder().decode(
      File.self, from: Data(contentsOf: tests.appending(path: "Support/Vectors/vault.json")))
  }

  static func all() throws -> [VaultVector] { try file.get().cases }

  /// The vault as the file has it, pinned; with another chain, address or token's name where given.
  static func vault(
    chainID: UInt64? = nil, address: String? = nil, tokenName: String? = nil
  ) throws -> PinnedVault {
    let file = try file.get()
    return PinnedVault(
      configured: try VaultDescription(
        chainID: chainID ?? file.vault.chainId, address: Address(address ?? file.vault.verifyingContract),
        tokens: [
          .init(
            token: .usdc, address: Address(file.token.verifyingContract), domainName: tokenName ?? file.token.name,
            domainVersion: file.token.version)
        ]))
  }

  func key() throws -> ClaimKey { try ClaimKey(secret: ClaimSecret(bytes(secret)), claimID: ClaimID(claimId)) }

  func terms() throws -> ClaimTerms {
    guard
      let amount = Int64(amountBaseUnits).flatMap(Amount.init(baseUnits:)), let expiry = Expiry(unixSeconds: expiry)
    else { throw CocoaError(.formatting) }
    return ClaimTerms(
      secretHash: try Bytes32(secretHash), token: try Address(Self.file.get().token.verifyingContract), amount: amount,
      expiry: expiry)
  }

  func payout(at vault: PinnedVault? = nil) throws -> Payout {
    try (vault ?? Self.vault()).payout(of: terms(), to: Address(receiver))
  }

  /// Until when the authorization is valid.
  var until: Expiry { Expiry(clamping: authorizationValidBefore) }

  func deposit(at vault: PinnedVault? = nil) throws -> DepositAuthorization {
    try (vault ?? Self.vault()).deposit(of: terms(), from: Address(sender), validBefore: until)
  }
}
