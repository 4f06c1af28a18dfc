public import BumpClaims
public import BumpWallet

extension VaultRules {
  /// Decides about a mint of test money. Whether there is a faucet at all is the server's decision.
  ///
  /// - Parameter id: an id that the client drew. A request with the same id is a repeat.
  /// - Throws: `idTaken`, `unknownToken`, `badReceiver`, `supplyExhausted`.
  public func mint(
    _ id: Bytes32, _ amount: Amount, of token: Address, to receiver: Address, _ rows: MintRows
  ) throws(VaultRefusal) -> Decision<JournalEntry> {
    if let earlier = rows.earlier {
      // Its signature may be by the key that the vault had before its store was copied.
      guard earlier.to == receiver, earlier.token == token, earlier.amount == amount else { throw idTaken() }
      return .answer(earlier)
    }
    guard vault.vault.tokens.contains(where: { $0.address == token }) else { throw unknownToken() }
    guard ![.zero, identity.address, token].contains(receiver) else { throw badReceiver() }
    guard !rows.minted.addingReportingOverflow(amount.baseUnits).overflow else {
      throw VaultRefusal(
        .supplyExhausted, "no more of that token can be made", remedy: "Use the money that was made before")
    }
    let statement = MintStatement(id, amount, of: token, to: receiver, domain: vault.domain)
    return .change(
      .mint(
        .init(
          id: id, receiver: receiver, token: token, amount: amount,
          signature: identity.key.sign(statement.digest).bytes)))
  }
}
