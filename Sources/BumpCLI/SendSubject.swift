import ArgumentParser
import BumpKit
import BumpWire

/// What is sent: a new claim, or one of before.
enum SendSubject: Equatable {
  case new(Amount, Token, lifetime: Int64)
  /// The claim whose id begins so; `nil` for the one that was made last.
  case again(ClaimID?)

  /// What the claim is made or found by.
  ///
  /// - Parameters:
  ///   - draws: how many draws of digits a new claim begins with; one of before has what is left of them.
  ///   - now: seconds since 1970.
  /// - Throws: `CommandError` where the claim of before may not be offered as it stands; `StoreError`.
  func claim(in store: ClaimStore, reserving draws: Int, at now: Int64) async throws -> OutgoingClaim {
    switch self {
    case .new(let amount, let token, let lifetime):
      let expiry = Expiry(secondsFromNow: lifetime, now: now)
      return try await store.create(amount: amount, token: token, expiry: expiry, at: now, reserving: draws)
    case .again(let prefix):
      let found =
        if let prefix { try await ClaimLookup.outgoing(prefix, in: store) } else { try await store.newestOutgoing() }
      guard let found else { throw CommandError(.failure, "no claim was made here yet; try: bump send 12.50") }
      guard !found.expiry.hasPassed(at: now) else { throw CommandError.expired(found) }
      if let claim = try await store.offerAgain(found.claim.id, at: now) { return claim }
      throw CommandError.notOfferable(try await store.outgoing(found.claim.id, at: now) ?? found, at: now)
    }
  }
}

extension SendCommand {
  /// What the arguments ask to send.
  ///
  /// - Throws: `ValidationError`.
  func subject() throws -> SendSubject {
    guard again else {
      if what != nil, amount != nil { throw ValidationError("the amount is given twice") }
      guard let amount = try amount ?? what.map(Arguments.amount) else {
        throw ValidationError("say how much, such as: bump send 12.50")
      }
      return .new(amount, token ?? .usdc, lifetime: expires ?? 24 * 3600)
    }
    if amount != nil || token != nil || expires != nil {
      throw ValidationError("--again sends a claim as it was made: leave out --amount, --token and --expires")
    }
    if linkOnly { throw ValidationError("--again looks for a receiver; `bump link CLAIMID` shows the link again") }
    return .again(try what.map(Arguments.claimToSendAgain))
  }
}

extension CommandError {
  /// A claim whose time is up.
  static func expired(_ claim: OutgoingClaim) -> CommandError {
    CommandError(.expired, "claim \(claim.claim.id) expired at \(Moments.text(claim.expiry.unixSeconds))")
  }

  /// A claim of ours that may not be offered as it stands, or whose link may not be shown.
  ///
  /// - Parameter now: seconds since 1970.
  static func notOfferable(_ claim: OutgoingClaim, at now: Int64) -> CommandError {
    let id = claim.claim.id
    let peer = claim.peer?.quoted ?? "a receiver"
    switch claim.state {
    case .released:
      let seconds = (claim.deadline ?? now) - now
      return CommandError(
        .failure, "claim \(id) is on its way to \(peer), who may answer for \(seconds) s yet; try again then")
    case .unknown where claim.isInFlight:
      let seconds = (claim.deadline ?? now) - now
      return CommandError(
        .failure, "claim \(id) was sent to \(peer), who may still take it for \(seconds) s; try again then")
    case .unknown:
      return CommandError(
        .failure,
        "claim \(id) is unknown: it may have arrived at \(peer). Ask there, then: bump settle \(id)"
      )
    case .delivered:
      return CommandError(
        .failure, "claim \(id) was delivered to \(peer); it has no link any more, and is not sent again")
    case .new, .linkShown, .lost:
      return CommandError(.failure, "claim \(id) has changed just now; see: bump show \(id)")
    }
  }
}
