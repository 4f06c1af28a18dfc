import BumpChain
import BumpWallet

extension ChainDriver {
  /// How many requests are begun at once.
  private static let most = 64

  /// Asks for the fees and the relayer's balance. Those who ask at the same time share the answer.
  func price() async {
    if let pricing { return await pricing.value }
    let task = Task { await readPrice() }
    pricing = task
    await task.value
    pricing = nil
  }

  private func readPrice() async {
    do {
      market = configuration.fees.fees(after: try await nodes.feeHistory())
      balance = try await nodes.balance(of: key.address)
    } catch {
      // What is not known is not paid for.
      (market, balance) = (nil, nil)
    }
    if let balance, balance < configuration.balanceFloor {
      reportOnce(
        "floor", .error,
        "the relayer's balance is \(balance) wei, below \(configuration.balanceFloor): no new call is paid for")
    } else if balance != nil {
      isOver("floor")
    }
  }

  /// Begins the calls of requests that are stored and wait.
  func beginWaiting() async {
    guard mayUseKey, outbox != nil else { return }
    do {
      for row in try await store.waiting(limit: Self.most) {
        begin { await self.carry(row.request) }
      }
    } catch {
      failed(error, "the requests that wait cannot be read")
    }
  }

  /// Begins the call of a request beside everything else.
  func beginSoon(_ request: ChainRequest) { begin { await self.carry(request) } }

  /// Begins the call of a request that is stored and waits. Does nothing if this process has no lease.
  func carry(_ request: ChainRequest) async {
    let id = request.callID(at: configuration.contract)
    guard mayUseKey, outbox != nil, beginning.insert(id).inserted else { return }
    let life = life
    do {
      try await carry(request, id, life)
    } catch {
      if life == self.life { failed(error, "a request waits") }
    }
    if life == self.life { beginning.remove(id) }
  }

  private func carry(_ request: ChainRequest, _ id: Bytes32, _ life: Int) async throws {
    guard let lease = held?.lease else { return }
    let data = request.call.data
    let gas: UInt64
    do {
      gas = try await nodes.gas(of: data, to: configuration.contract, from: key.address)
    } catch let error as NodeError where error.refusal?.kind == .reverted {
      // It would only cost its gas.
      guard life == self.life else { return }
      try await store.drop(request, lease)
      return wake()
    }
    if market == nil || balance == nil { await price() }
    guard let fees = market, let cost = CallCost(gas: gas, fees, configuration.dataFee) else { return }
    guard covers(cost.most), let row = try await store.claim(ledgerID: request.ledgerID) else { return }
    guard let person = request.person(row) else { return }
    let sponsorship = Sponsorship(cost.most, of: person, under: configuration.sponsoring, at: clock())
    guard try await store.reserve(sponsorship, for: id, request.kind) == nil else {
      try await store.drop(request, lease)
      return wake()
    }
    // Others were begun meanwhile. What is reserved stays so, and this one is tried again.
    guard life == self.life, mayUseKey, covers(cost.most) else { return }
    let call = RelayedCall(request.kind, of: configuration.contract, data: data, gasLimit: cost.gasLimit)
    if case .begun(_, let effects)? = outbox?.submit(call, fees) { perform(effects) }
  }

  /// Returns whether the balance pays for a cost and for everything that was begun, and stays above the floor.
  func covers(_ cost: UInt128) -> Bool {
    guard let balance else { return false }
    let begun = (outbox?.entries ?? []).filter { $0.receipt == nil }
    let open = begun.reduce(UInt128(0)) { $0.adding($1.cost(at: $1.latest.fees).adding(configuration.dataFee)) }
    return balance >= configuration.balanceFloor.adding(open).adding(cost)
  }
}

/// What a call may cost.
struct CallCost {
  /// The gas that the call may use: a quarter more than was estimated, since the state may change until then.
  let gasLimit: UInt64
  /// The greatest cost in wei, with what a rollup charges for the data.
  let most: UInt128

  /// - Returns: `nil` for a gas that no block has.
  init?(gas: UInt64, _ fees: Fees, _ dataFee: UInt128) {
    guard gas < 1 << 40 else { return nil }
    gasLimit = gas + gas / 4 + 10_000
    most = (UInt128(gasLimit) * UInt128(fees.maximum)).adding(dataFee)
  }
}

extension UInt128 {
  /// Returns the sum, or the greatest number.
  func adding(_ other: Self) -> Self {
    let (sum, isTooGreat) = addingReportingOverflow(other)
    return isTooGreat ? .max : sum
  }
}

extension ChainRequest {
  /// Returns who benefits; `nil` for a refund of a claim that is not in the index.
  func person(_ row: ChainClaimRow) -> Address? {
    switch self {
    case .deposit(_, let sender, _, _): sender
    case .claim(_, _, let receiver): receiver
    case .refund:
      if case .created(_, let sender, _, _, _)? = row.created?.event { sender } else { nil }
    }
  }
}

extension RelayedCall {
  /// The ledger id among the arguments: a deposit's second, and the first of the others.
  var ledgerID: Bytes32? {
    let start = 4 + (kind == .deposit ? 32 : 0)
    return data.count >= start + 32 ? Bytes32(data[start..<start + 32]) : nil
  }
}
