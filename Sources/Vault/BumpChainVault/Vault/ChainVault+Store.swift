import BumpChain
import BumpClaims
import BumpVault
import BumpWallet

/// The store's calls, whose errors become those of every vault.
extension ChainVault {
  func row(_ claimID: ClaimID) async throws -> ChainClaimRow? {
    do { return try await store.claim(claimID) } catch { throw Self.converted(error) }
  }

  func row(ledgerID: Bytes32) async throws -> ChainClaimRow? {
    do { return try await store.claim(ledgerID: ledgerID) } catch { throw Self.converted(error) }
  }

  func add(_ draft: ChainDraft, lapsingBefore time: Int64) async throws -> ChainClaimRow? {
    do { return try await store.add(draft, lapsingBefore: time) } catch { throw Self.converted(error) }
  }

  func movements(of account: Address, before number: Int64?, limit: Int) async throws -> [ChainMovement] {
    do {
      return try await store.history(of: account, before: number, limit: limit)
    } catch {
      throw Self.converted(error)
    }
  }

  func ask(
    _ request: ChainRequest, at now: Int64, replacing row: ChainRequestRow?, _ sponsorship: Sponsorship
  ) async throws -> AskAnswer {
    do {
      return try await store.ask(request, at: now, replacing: row, sponsorship)
    } catch {
      throw Self.converted(error)
    }
  }

  /// Returns how far the chain has come, and its time.
  func heightAndTime() async throws -> (height: ChainHeight, time: StoreTime) {
    let index: ChainIndexHeight?
    do { index = try await store.height() } catch { throw Self.converted(error) }
    guard let index else { throw Self.unreachable("the index has not begun") }
    let height = ChainHeight(
      tip: index.tip.number, finalized: index.finalized, confirmations: configuration.confirmations)
    // A claim expires by the time of the chain's blocks. The next block's may be this machine's time already.
    return (height, StoreTime(now: Int64(clamping: index.tip.time), clock: clock()))
  }

  /// Returns what a contract's function returns.
  func read(_ data: [UInt8], of contract: Address) async throws -> [UInt8] {
    do {
      return try await nodes.call(data, to: contract)
    } catch {
      throw Self.converted(error)
    }
  }

  static func unreachable(_ reason: String, retryAfter: Int64? = nil) -> VaultRefusal {
    VaultRefusal(
      .chainUnreachable, reason, remedy: "Ask again. Nothing is done twice", retryAfter: retryAfter ?? 1)
  }

  /// Returns the error of every vault for one of the store or of the nodes.
  static func converted(_ error: any Error) -> any Error {
    switch error {
    case let error as ChainStoreError:
      VaultStoreError(error.code == .damaged ? .damaged : .failed, error.reason, remedy: error.remedy)
    // The nodes' names are for the operator.
    case let error as ChainError: unreachable("the vault's chain cannot be reached", retryAfter: error.retryAfter)
    case is NodeError: unreachable("the vault's chain does not answer a question")
    default: error
    }
  }
}
