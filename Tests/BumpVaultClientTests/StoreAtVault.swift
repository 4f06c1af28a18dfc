import BumpClaims
import BumpStore
import BumpVaultAPI
import BumpWallet
import Foundation
import Samples
import Synchronization
import Testing
import VaultContract
import VaultTestServer

@testable import BumpVaultClient

/// A store whose owner has confirmed a vault that is served in memory.
struct StoreAtVault {
  let desk: InProcessVaultServer
  let line: Line
  let store: ClaimStore
  let vault: ConfirmedVault
  private let place: TemporaryDirectory

  init(_ desk: InProcessVaultServer) async throws {
    place = try TemporaryDirectory()
    (self.desk, line) = (desk, Line(to: desk))
    store = try await ClaimStore.open(at: place.store)
    vault = try await UnconfirmedVault(at: InProcessVaultServer.url, in: store, by: line.connector).confirm()
  }

  /// Another handle on the same store, as another process has it.
  func another() async throws -> ClaimStore { try await ClaimStore.open(at: place.store) }

  /// The store as it is now, for `restored(_:)`.
  func backUp() throws { try FileManager.default.copyItem(atPath: place.store, toPath: place.path("copy.sqlite")) }

  /// The money of a claim as a store has it that was restored from the backup.
  func restored(_ funding: OutgoingFunding) async throws -> OutgoingFunding {
    let path = place.path("restored.sqlite")
    _ = try await ClaimStore.restore(place.path("copy.sqlite"), to: path)
    let store = try await ClaimStore.open(at: path)
    return try OutgoingFunding(#require(await store.outgoing(funding.claim.claim.id)), at: vault, in: store)
  }

  /// The money of a new claim of 1.00 that lasts an hour.
  func newFunding() async throws -> OutgoingFunding {
    try await .make(Amount("1.00"), .usdc, expiry: desk.scene.expiry, at: vault, in: store)
  }

  func recorded(_ funding: OutgoingFunding) async throws -> Funding? {
    try await store.funding(of: funding.claim.claim, .outgoing)
  }

  /// The money of the first claim of the desk, as its receiver has it.
  func received(expiry: Expiry? = nil) throws -> IncomingFunding {
    try IncomingFunding(desk.scene.whole(1), expiry: expiry ?? desk.scene.expiry, at: vault, in: store)
  }

  func recorded(_ funding: IncomingFunding) async throws -> Funding? {
    try await store.funding(of: funding.claim, .incoming)
  }
}

/// The line between a store and a desk. Something may happen before a request is sent.
final class Line: VaultTransport {
  typealias Action = @Sendable (BumpVaultClient.VaultRequest) async throws -> Void

  private let desk: InProcessVaultServer
  private let next = Mutex<(path: String, action: Action)?>(nil)

  init(to desk: InProcessVaultServer) { self.desk = desk }

  var connector: VaultConnector {
    VaultConnector { _ in
      VaultClient(self, now: { [clock = self.desk.scene.clock] in clock.now }, pause: { _ in })
    }
  }

  /// Has something happen before the next request whose path ends so.
  func before(_ path: String, _ action: @escaping Action) { next.withLock { $0 = (path, action) } }

  func send(_ request: BumpVaultClient.VaultRequest, within limit: Duration) async -> VaultReply {
    let action = next.withLock { next -> Action? in
      guard let (path, action) = next, request.path.hasSuffix(path) else { return nil }
      next = nil
      return action
    }
    do {
      try await action?(request)
    } catch {
      Issue.record(error)
    }
    return await desk.send(request, within: limit)
  }

  func listen(
    to request: BumpVaultClient.VaultRequest, _ take: @escaping @Sendable ([UInt8]) -> Bool
  ) async { await desk.listen(to: request, take) }
}

extension InProcessVaultServer {
  /// The bodies of the requests whose path ends so, each once.
  func bodies(of path: String) -> Set<[UInt8]> { Set(requests.filter { $0.path.hasSuffix(path) }.compactMap(\.body)) }

  /// Loses the answers to all attempts of the next request that changes something, after so many others.
  func loseAnswers(after others: Int = 0) {
    lose([Loss](repeating: .none, count: others) + [Loss](repeating: .answer, count: 8))
  }

  /// Pays a claim that a store made to somebody who has its secret.
  func take(_ funding: OutgoingFunding, for receiver: Person) async throws {
    let claim = funding.claim.claim
    var made = try scene.claim(1)
    made.id = claim.id
    made.key = ClaimKey(secret: claim.secret, claimID: claim.id)
    made.terms = funding.terms
    try await scene.take(made, for: receiver)
  }
}

/// A pause that lasts until its task is cancelled.
@Sendable func untilCancelled(_: Duration) async {
  let (never, feed) = AsyncStream.makeStream(of: Void.self)
  for await _ in never {}
  feed.finish()
}

/// Runs, and returns the code of the `FundingError` that is thrown; `nil` for success.
func failure(_ body: () async throws -> Void) async throws -> FundingError.Code? {
  do {
    try await body()
    return nil
  } catch let error as FundingError {
    return error.code
  }
}
