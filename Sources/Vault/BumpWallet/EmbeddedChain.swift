/// The chain ids of embedded vaults, which have a ledger of their own and are on no chain.
///
/// A signature for one of these can never be used for money on a public chain.
public enum EmbeddedChain {
  /// The id that is generally used for chains on one's own machine.
  public static let local: UInt64 = 31337
  /// The ids that are reserved for vaults of bump: `bum` and a byte from `p` on.
  ///
  /// The range is closed, since public chains are registered above it: 1666600000 is Harmony's.
  public static let reserved: ClosedRange<UInt64> = 0x6275_6D70...0x6275_6DFF

  /// Checks the chain id in a vault's description.
  ///
  /// - Throws: `WalletError.chain` for any other chain id, since it may be a public chain's.
  public static func check(_ chainID: UInt64) throws(WalletError) {
    guard chainID == local || reserved.contains(chainID) else {
      throw WalletError(
        .chain,
        "the vault names the chain \(chainID), which is not reserved for embedded vaults and tests, and no contract there "
          + "is in your configuration")
    }
  }
}
