/// The message `Claim(bytes32 claimId,address receiver)` in a vault's domain. Its signature by the claim key is the
/// proof that pays the claim to the receiver. `PinnedVault.payout(of:to:)` makes it.
public struct Payout: TypedData, Hashable, Sendable {
  /// The ledger id of the claim's terms.
  public let ledgerID: Bytes32
  /// The address to pay: not zero, the vault or the token.
  public let receiver: Address
  /// The vault's domain.
  public let domain: Domain

  init(ledgerID: Bytes32, receiver: Address, domain: Domain) {
    (self.ledgerID, self.receiver, self.domain) = (ledgerID, receiver, domain)
  }

  public static let typeHash = Keccak256.hash("Claim(bytes32 claimId,address receiver)".utf8)
  public var words: [Bytes32] { [ledgerID, .word(receiver)] }

  /// Returns whether a signature proves knowledge of the secret with this hash. If no signer can be recovered, it does
  /// not.
  public func isProven(by proof: Signature, secretHash: Bytes32) -> Bool {
    proof.signer(of: digest).map { ClaimKey.hash(of: $0) == secretHash } ?? false
  }
}
