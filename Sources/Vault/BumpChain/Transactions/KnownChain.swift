import BumpWallet

/// A public chain with its USDC, as their makers publish them: Base in "Connecting to Base" and "Network Fees"
/// (docs.base.org), Circle in "USDC Contract Addresses" (developers.circle.com). They begin a configuration; a server
/// compares what is configured with the chain.
package struct KnownChain {
  package let id: UInt64
  package let name: String
  package let usdc: String

  private static let all = [
    KnownChain(id: 8453, name: "Base", usdc: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
    KnownChain(id: 84532, name: "Base Sepolia", usdc: "0x036CbD53842c5426634e7929541eC2318f3dCF7e"),
  ]
  /// What a call's data costs beside its gas at most, in wei, usually.
  package static let dataFee: UInt128 = 10_000_000_000_000

  /// Returns the chain of an id; `nil` for any other one.
  package static func of(_ chainID: UInt64) -> KnownChain? { all.first { $0.id == chainID } }

  /// Returns the usual price of a gas at most, in wei: on these chains some 500 times the least base fee, which is 200,000
  /// wei; 5 gwei on others.
  package static func feeCap(on chainID: UInt64) -> UInt64 { of(chainID) == nil ? 5_000_000_000 : 100_000_000 }

  /// Whether a chain is one that only tests have: no signature for it moves money elsewhere.
  package static func isForTests(_ chainID: UInt64) -> Bool { (try? EmbeddedChain.check(chainID)) != nil }
}
