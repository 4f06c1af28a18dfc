#if Vault
  import BumpWallet

  /// A public chain with its USDC, as their makers publish them: Base in "Connecting to Base" and "Network Fees"
  /// (docs.base.org), Circle in "USDC Contract Addresses" (developers.circle.com). They begin a configuration; a server
  /// compares what is configured with the chain.
  struct KnownChain {
    let id: UInt64
    let name: String
    let usdc: String

    static let all = [
      KnownChain(id: 8453, name: "Base", usdc: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
      KnownChain(id: 84532, name: "Base Sepolia", usdc: "0x036CbD53842c5426634e7929541eC2318f3dCF7e"),
    ]
    /// The usual price of a gas at most, in wei: on both some 500 times the least base fee, which is 200,000 wei.
    static let feeCap: UInt64 = 100_000_000
    /// What a call's data costs beside its gas at most, in wei, usually.
    static let dataFee: UInt128 = 10_000_000_000_000

    /// Returns the chain of an id; `nil` for any other one.
    static func of(_ chainID: UInt64) -> KnownChain? { all.first { $0.id == chainID } }

    /// Whether a chain is one that only tests have: no signature for it moves money elsewhere.
    static func isForTests(_ chainID: UInt64) -> Bool { (try? EmbeddedChain.check(chainID)) != nil }
  }
#endif
