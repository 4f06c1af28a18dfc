public import BumpStore
public import BumpVaultAPI
import BumpWallet

/// A vault that has introduced itself and proved who it is, before the owner of a store has confirmed it.
///
/// Show the owner what it says, and confirm it only if they agree: its operator will hold their money.
public struct UnconfirmedVault: Sendable {
  /// What the vault says about itself: its address, its tokens, the greatest amount of a claim, whether it makes test
  /// money.
  public let statement: VaultStatement
  /// What the owner confirmed before at this URL, or at the former one; `nil` if nothing.
  public let before: VaultStatement?
  /// The URL at which the owner confirmed the vault before it moved; `nil` if it has not moved.
  public let former: VaultURL?
  private let vault: TrustedVault
  private let text: String
  private let store: ClaimStore
  private let connector: VaultConnector

  /// The URL at which the vault was asked.
  public var url: VaultURL { vault.url }
  /// Whether the chain, the address or a token is another than the owner confirmed before.
  public var isChanged: Bool { before.map { $0.vault != statement.vault } ?? false }
  /// Whether the owner confirmed the vault before as one that makes test money, and its money is real now.
  public var isRealNow: Bool { before?.hasFaucet == true && !statement.hasFaucet }

  /// Asks a vault for its description and its proof, and compares them with the vaults that are confirmed in a store.
  /// Nothing is recorded.
  ///
  /// - Parameter former: the URL at which the owner confirmed the vault before it moved.
  /// - Throws: `FundingError.vaultElsewhere` or `.sharedToken` if the vault's address or a token of it is confirmed at
  ///   another URL, `.otherVault` if the vault at the former URL was another; `VaultFailure`; `StoreError`.
  public init(
    at url: VaultURL, movedFrom former: VaultURL? = nil, in store: ClaimStore,
    by connector: VaultConnector = VaultConnector()
  ) async throws {
    let introduction = try await connector.client(url)
      .run(IntroductionSession(at: url, among: connector.contracts)).get()
    vault = try introduction.trusted(at: url, among: connector.contracts)
    (statement, text) = (introduction.statement, introduction.text)
    (self.former, self.store, self.connector) = (former, store, connector)
    try await Self.checkOthers(statement.vault, at: url, movedFrom: former, in: store)
    before = try await store.confirmedVault(at: (former ?? url).description).flatMap {
      try? VaultIntroduction($0).statement
    }
  }

  /// Records that the owner has confirmed the vault. That replaces the confirmation before.
  ///
  /// A vault that has moved takes the claims with it that have their money at the former URL, which is not known any
  /// more.
  ///
  /// - Throws: `StoreError`.
  public func confirm() async throws -> ConfirmedVault {
    try await store.confirm(vault: url.description, describedAs: text, movedFrom: former?.description)
    return ConfirmedVault(vault, by: connector)
  }

  /// Rejects a vault whose address or token is already confirmed at another URL: one of the two servers may be an
  /// impostor. A vault moves by the word of its own key, which has signed the new URL, and of the owner.
  private static func checkOthers(
    _ vault: VaultDescription, at url: VaultURL, movedFrom former: VaultURL?, in store: ClaimStore
  ) async throws {
    let known = try await store.confirmedVaults().compactMapValues { try? VaultIntroduction($0).statement.vault }
    if let former,
      known[former.description]?.address != vault.address || known[former.description]?.receiptKey != vault.receiptKey
    {
      throw FundingError(
        .otherVault, "the vault at \(url) is not the one that you confirmed at \(former)",
        remedy: "Confirm it as a new vault", vault: url, other: former.description)
    }
    // A contract and its token are the same for whoever carries requests to them.
    let isOther = { (text: String) in
      text != url.description && text != former?.description && known[text]?.isSameContract(as: vault) != true
    }
    if let other = known.keys.sorted().first(where: { isOther($0) && known[$0]?.address == vault.address }) {
      throw FundingError(
        .vaultElsewhere, "the vault at \(url) is \(vault.address), which you confirmed at \(other)",
        remedy: "Use it there. If it has moved, confirm that it has moved from there", vault: url, other: other)
    }
    if let other = known.keys.sorted().first(where: { isOther($0) && known[$0]?.sharesContract(with: vault) == true }) {
      throw FundingError(
        .sharedToken, "the vault at \(url) uses a token of another vault, which you confirmed at \(other)",
        remedy: "Do not use it. If it takes that vault's place, its operator serves it at \(other)", vault: url,
        other: other)
    }
  }
}

extension VaultDescription {
  /// Whether the two have an address in common, of their own or of a token.
  fileprivate func sharesContract(with other: VaultDescription) -> Bool { !contracts.isDisjoint(with: other.contracts) }

  /// Whether both are contracts on one chain, and where they have one address, of one code.
  fileprivate func isSameContract(as other: VaultDescription) -> Bool {
    isContract && other.isContract && chainID == other.chainID
      && (address == other.address
        ? codeHash == other.codeHash
        : !tokens.contains { $0.address == other.address } && !other.tokens.contains { $0.address == address })
  }

  private var contracts: Set<Address> { Set([address] + tokens.map(\.address)) }
}
