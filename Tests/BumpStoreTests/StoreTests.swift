import BumpClaims
import Foundation
import GRDB
import Samples
import Testing

@testable import BumpStore
@testable import BumpWire

/// The claims that this machine has sent and received. (Read-only mounts and full disks are tested live, on real ones.)
@Suite enum StoreTests {
  static let later = Expiry(unixSeconds: 2_000_000_000)

  static func create(_ store: ClaimStore, at now: Int64 = 100) async throws -> OutgoingClaim {
    try await store.create(amount: Amount("1.00"), token: .usdc, expiry: #require(later), at: now)
  }

  /// Five seconds and the margin after `now`, its receiver's answer is waited for no more.
  static func release(
    _ id: ClaimID, to peer: DisplayName? = nil, from state: HandoverState = .new, in store: ClaimStore,
    at now: ClockReading = .now()
  ) async throws -> Bool {
    try await store.release(
      id, to: try peer ?? DisplayName("bob"), from: state, answerWithin: .seconds(5), at: { now }
    ).deadline != nil
  }

  /// A claim as somebody else made it.
  static func claim(id: String = "stranger", secret: UInt8 = 7, amount: String = "1.00") throws -> Claim {
    Claim(
      id: try ClaimID(id), secret: try ClaimSecret([UInt8](repeating: secret, count: 16)), token: .usdc,
      amount: try Amount(amount))
  }

  static func received(_ claim: Claim, from sender: String? = "alice") throws -> VerifiedClaim {
    VerifiedClaim(
      claim: claim, expiry: try #require(later),
      origin: try sender.map { .session(from: try DisplayName($0)) } ?? .link)
  }
}

extension ReleaseResult {
  var deadline: Int64? { if case .released(let deadline) = self { deadline } else { nil } }
}

extension ClaimStore {
  /// A claim that may be offered; `nil` for any other.
  func offerable(_ id: ClaimID, at now: ClockReading = .now()) async throws -> OutgoingClaim? {
    try await outgoing(id, at: now).flatMap { $0.state.isOfferable ? $0 : nil }
  }

  /// Writes down what became of the release that a claim stands by, if it does.
  func record(_ state: HandoverState?, of id: ClaimID, unusedAttempts: Int = 0) async throws {
    let release = try await read { database in
      try Row.fetchOne(
        database, sql: "SELECT peer, deadline FROM outgoing WHERE claimId = ? AND deadline IS NOT NULL",
        arguments: [id.description]
      ).map { Release(peer: try DisplayName($0["peer"] as String), deadline: $0["deadline"]) }
    }
    try await record(state, of: id, after: release, at: 0, unusedAttempts: unusedAttempts)
  }
}
