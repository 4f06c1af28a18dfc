public import BumpChain
public import BumpVault
public import BumpWallet

/// A token's contract, and the hash of its code.
public struct ChainToken: Hashable, Sendable {
  /// The token's name, contract and domain.
  public let contract: TokenContract
  /// The Keccak-256 of the contract's code.
  public let codeHash: Bytes32

  /// Makes a token of its values.
  public init(_ contract: TokenContract, codeHash: Bytes32) {
    (self.contract, self.codeHash) = (contract, codeHash)
  }
}

/// What an operator configures of a vault's chain.
public struct ChainConfiguration: Sendable {
  /// The chain's id, which the operator has named.
  public var chainID: UInt64
  /// The address of the vault's contract.
  public var contract: Address
  /// The Keccak-256 of the contract's code.
  public var codeHash: Bytes32
  /// The tokens that the vault holds.
  public var tokens: [ChainToken]
  /// The number of the block that made the contract. The index begins before it.
  public var startBlock: UInt64
  /// How many blocks something must have, its own among them, before it is said.
  public var confirmations: UInt64 = 3
  /// How many headers are kept at most, from the latest final block's on: a reorganization of more blocks is not followed.
  public var mostHeaders = 4096
  /// What is paid for each gas.
  public var fees: FeePolicy
  /// What is reserved for a call's data beside its gas, in wei: a rollup charges for it. The receipt's fee settles it.
  public var dataFee: UInt128 = 0
  /// The balance below which no new call is paid for, in wei.
  public var balanceFloor: UInt128 = 0
  /// Which calls are paid for, and how many.
  public var sponsoring: SponsoringPolicy
  /// The limits of drafts and deposits.
  public var limits: VaultLimits
  /// How far in the future the end of a deposit's authorization may be, in seconds.
  public var authorizationSeconds: Int64 = 600
  /// The times of the relayer.
  public var outbox = Outbox.Settings()

  /// Makes a configuration.
  public init(
    chainID: UInt64, contract: Address, codeHash: Bytes32 = ClaimVaultContract.codeHash, tokens: [ChainToken],
    startBlock: UInt64, fees: FeePolicy, sponsoring: SponsoringPolicy = SponsoringPolicy(),
    limits: VaultLimits = VaultLimits()
  ) {
    (self.chainID, self.contract, self.codeHash, self.tokens) = (chainID, contract, codeHash, tokens)
    (self.startBlock, self.fees, self.sponsoring, self.limits) = (startBlock, fees, sponsoring, limits)
  }

  /// Returns the vault as its clients pin it.
  ///
  /// - Throws: `ChainError.misconfigured`.
  func pinned(receiptKey: Address) throws -> PinnedVault {
    guard !tokens.isEmpty else { throw ChainError(.misconfigured, "the vault holds no token", remedy: "Name one") }
    guard confirmations > 0 else {
      throw ChainError(.misconfigured, "a block has at least one confirmation, its own", remedy: "Require 1 or more")
    }
    do {
      let contracts = tokens.map { token in
        TokenContract(
          token: token.contract.token, address: token.contract.address, domainName: token.contract.domainName,
          domainVersion: token.contract.domainVersion, codeHash: token.codeHash)
      }
      return PinnedVault(
        configured: try VaultDescription(
          chainID: chainID, address: contract, tokens: contracts, receiptKey: receiptKey, codeHash: codeHash))
    } catch {
      throw ChainError(.misconfigured, error.reason, remedy: error.remedy)
    }
  }
}

/// The keys of a vault on a chain.
public struct ChainKeys: Sendable {
  /// The key that sends transactions and pays for them.
  public let relayer: PrivateKey
  /// The key that signs receipts and the proof of the vault's identity. It holds no money.
  public let receipts: PrivateKey

  /// Makes the keys of a vault.
  public init(relayer: PrivateKey, receipts: PrivateKey) {
    (self.relayer, self.receipts) = (relayer, receipts)
  }
}
