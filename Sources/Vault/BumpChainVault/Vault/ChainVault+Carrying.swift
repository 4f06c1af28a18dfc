import BumpChain
import BumpClaims
import BumpVault
import BumpWallet

/// What each request for a transaction goes through: simulated, paid for, stored, and then sent.
extension ChainVault {
  /// How long a request waits until its transaction is stored, in seconds.
  private static let patience: Int64 = 10

  /// Runs a call without a transaction.
  ///
  /// - Returns: `nil` if the contract would carry it out; the refusal if it would revert.
  func simulate(_ request: ChainRequest) async throws -> NodeRefusal? {
    do {
      _ = try await nodes.call(request.call.data, to: configuration.contract, from: driver.key.address)
      return nil
    } catch let error as NodeError where error.refusal?.kind == .reverted {
      return error.refusal
    } catch {
      throw Self.converted(error)
    }
  }

  /// Stores a request that would take effect now, and has it sent.
  ///
  /// - Parameter person: who benefits.
  /// - Returns: the transaction's hash.
  /// - Throws: `VaultRefusal.sponsoringExhausted` with the call; `VaultRefusal.busy`.
  func carry(
    _ request: ChainRequest, for person: Address, _ standing: ClaimStanding
  ) async throws -> Bytes32 {
    let now = clock()
    let cost = try await cost(of: request)
    let sponsorship = Sponsorship(cost, of: person, under: configuration.sponsoring, at: now)
    switch try await ask(request, at: now, replacing: standing.row.requests[request.kind], sponsorship) {
    case .refused(let refusal): throw exhausted(request, refusal.words, notBefore: refusal.notBefore)
    case .standing(let row):
      guard row.request == request else { throw Self.otherOnItsWay }
      return try await transaction(of: request)
    }
  }

  /// Returns the most that a request's transaction may cost now.
  private func cost(of request: ChainRequest) async throws -> UInt128 {
    do {
      let gas = try await nodes.gas(
        of: request.call.data, to: configuration.contract, from: driver.key.address)
      await driver.price()
      guard await driver.balance != nil else { throw Self.unreachable("the vault's chain says no balance") }
      guard let fees = await driver.market, let cost = CallCost(gas: gas, fees, configuration.dataFee) else {
        throw exhausted(request, "the chain's fees are above what the vault's operator pays")
      }
      guard await driver.covers(cost.most) else {
        throw exhausted(request, "the balance from which the vault pays for transactions is too small")
      }
      return cost.most
    } catch let error as NodeError where error.refusal?.kind == .reverted {
      throw Self.changed
    } catch let refusal as VaultRefusal {
      throw refusal
    } catch {
      throw Self.converted(error)
    }
  }

  /// Waits until the transaction of a request is stored, and returns its hash.
  func transaction(of request: ChainRequest) async throws -> Bytes32 {
    let start = clock()
    while clock() - start < Self.patience {
      let change = await driver.changes
      let row = try await row(ledgerID: request.ledgerID)?.requests[request.kind]
      guard let row, row.request == request else { throw Self.changed }
      switch row.state {
      case .submitted(let hash), .mined(let hash, _, _): return hash
      case .dropped: throw Self.changed
      case .waiting: break
      }
      await driver.beginSoon(request)
      await driver.change(after: change)
    }
    throw VaultRefusal(.busy, "the request is stored, and waits for the server that sends", remedy: "Ask again")
  }

  private func exhausted(_ request: ChainRequest, _ why: String, notBefore: Int64? = nil) -> VaultRefusal {
    VaultRefusal(
      .sponsoringExhausted, "\(why): nothing was sent",
      remedy: "Ask again later, or send the call in calldata with a transaction of your own", notBefore: notBefore,
      calldata: ContractCall(to: configuration.contract, data: request.call.data))
  }

  static let changed = VaultRefusal(
    .busy, "the chain would refuse the transaction by now, and nothing was sent", remedy: "Ask for the claim")
  static let otherOnItsWay = VaultRefusal(
    .busy, "another transaction about this claim is not final yet", remedy: "Ask again once it is")
}

extension SponsoringRefusal {
  /// The refusal in words.
  fileprivate var words: String {
    switch self {
    case .kind: "the vault does not pay for transactions of this kind"
    case .notStarted: "the vault does not pay for transactions yet"
    case .ended: "the vault pays for no more transactions"
    case .person: "the vault does not pay for this address"
    case .operation: "the transaction costs more than the vault pays for one"
    case .personalLimit: "what the vault pays for this address is used up"
    case .commonLimit: "what the vault pays for all is used up"
    }
  }

  /// From when on it may be paid for, in seconds since 1970.
  fileprivate var notBefore: Int64? {
    switch self {
    case .notStarted(let time): time
    case .personalLimit(let time), .commonLimit(let time): time
    case .kind, .ended, .person, .operation: nil
    }
  }
}
