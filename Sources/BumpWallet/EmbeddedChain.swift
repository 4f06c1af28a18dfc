/// The chain ids that embedded vaults use: vaults with a ledger of their own, on no chain.
///
/// What is signed for one of these can never be used where money lies on a public chain.
public enum EmbeddedChain {
  /// Used for chains on one's own machine everywhere.
  public static let local: UInt64 = 31337
  /// Reserved for vaults of bump: `bum` and a byte from `p` on.
  ///
  /// The range is closed, since public chains are registered above it: 1666600000 is Harmony's.
  public static let reserved: ClosedRange<UInt64> = 0x6275_6D70...0x6275_6DFF

  /// Checks what a vault says of itself.
  ///
  /// - Throws: `WalletError.chain` for any other chain id, for it may be a public chain's.
  public static func check(_ chainID: UInt64) throws(WalletError) {
    guard chainID == local || reserved.contains(chainID) else {
      throw WalletError(.chain, "the vault names a chain that is not reserved for embedded vaults")
    }
  }
}
