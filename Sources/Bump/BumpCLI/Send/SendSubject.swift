import ArgumentParser
import BumpClaims
import BumpKit
import BumpTerminal
import BumpVaultClient

/// The claim to send: a new one, or one that was made before.
enum SendSubject: Equatable {
  case new(Amount, Token, lifetime: Int64)
  /// The claim whose id begins with this prefix; `nil` for the last claim made.
  case again(ClaimID?)

  /// Makes or finds the claim.
  ///
  /// - Parameters:
  ///   - asks: whether a person is shown the claim, and asked, before it is sent.
  ///   - vault: the vault that is to lock a new claim's money; `nil` for a claim without a vault.
  ///   - margin: how much time a new claim at a vault must have left.
  ///   - now: the current time, in Unix seconds.
  /// - Throws: `CommandError` if no claim or several match, or if the claim's state does not allow offering it;
  ///   `StoreError`.
  func claim(
    in store: ClaimStore, asks: Bool, at vault: ConfirmedVault?, leaving margin: ExpiryMargin, now: Int64
  ) async throws -> OutgoingClaim {
    switch self {
    case .new(let amount, let token, let lifetime):
      let expiry = Expiry(secondsFromNow: lifetime, now: now)
      guard let vault else {
        return try await store.create(amount: amount, token: token, expiry: expiry, at: now)
      }
      // Vaults have whole minutes. Round a short lifetime up, so that it does not become shorter, and a long one down:
      // it may be the longest that the vault allows.
      let minute = Expiry(clamping: (expiry.unixSeconds + (lifetime < 3600 ? 59 : 0)) / 60 * 60)
      return try await OutgoingFunding.make(amount, token, expiry: minute, at: vault, leaving: margin, in: store).claim
    case .again(let prefix):
      let found =
        if let prefix { try await Self.earlier(prefix, in: store, asks: asks) } else {
          try await store.newestOutgoing()
        }
      guard let found else {
        throw CommandError(.failure, "no claim was made here yet", remedy: "Try: bump send 12.50")
      }
      guard !found.expiry.hasPassed(at: now) else { throw CommandError.expired(found) }
      guard found.state.isOfferable else { throw CommandError.notOfferable(found, at: now) }
      return found
    }
  }

  /// Finds the claim whose id begins with this prefix. The 5 in `bump send 5 --again` may be meant as an amount: if no
  /// person is asked, no claim is sent for it.
  private static func earlier(_ prefix: ClaimID, in store: ClaimStore, asks: Bool) async throws -> OutgoingClaim {
    let mayBeAmount = prefix.description.wholeMatch(of: /[0-9]{1,7}/) != nil
    if mayBeAmount, try await store.ids(beginningWith: prefix, of: .outgoing, limit: 1).isEmpty {
      throw CommandError(
        .usage, "--again sends a claim as it was made, and no claim begins with \(prefix)",
        remedy: "Leave out the amount, or name a claim that `bump history` lists")
    }
    let found = try await ClaimLookup.outgoing(prefix, in: store)
    let id = found.claim.id
    guard asks || !mayBeAmount || id == prefix else {
      throw CommandError(
        .usage,
        "\(prefix) may be an amount, and --again sends a claim as it was made: \(found.claim.amount) "
          + "\(found.claim.token) with the id that begins so",
        remedy: "To send that: bump send --again \(id)")
    }
    return found
  }
}

extension SendCommand {
  /// Returns the claim that the arguments name.
  ///
  /// - Throws: `ValidationError`.
  func subject() throws -> SendSubject {
    guard again else {
      if what != nil, amount != nil { throw ValidationError("the amount is given twice") }
      guard let amount = try amount ?? what.map(Arguments.amount) else {
        throw ValidationError("say how much, such as `bump send 12.50`")
      }
      return .new(amount, token ?? .usdc, lifetime: expires ?? 24 * 3600)
    }
    if amount != nil || token != nil || expires != nil {
      throw ValidationError("--again sends a claim as it was made. Leave out --amount, --token and --expires")
    }
    if linkOnly { throw ValidationError("--again looks for a receiver. `bump link CLAIMID` shows the link again") }
    return .again(try what.map(Arguments.claimToSendAgain))
  }

  /// Returns the arguments that make another claim, such as `12.50 --token EURC`. Without a token it is one of USDC.
  static func sum(_ amount: Amount, _ token: Token?) -> String {
    "\(amount)" + (token.flatMap { $0 == .usdc ? nil : " --token \($0)" } ?? "")
  }
}

extension CommandError {
  /// Returns the error for a claim that is no longer in the store.
  static func missing(_ id: ClaimID) -> CommandError {
    CommandError(.failure, "claim \(id) is not here any more", remedy: "`bump history` lists them")
  }

  /// Returns the error for an expired claim.
  static func expired(_ claim: OutgoingClaim) -> CommandError {
    let sum = SendCommand.sum(claim.claim.amount, claim.claim.token)
    return CommandError(
      .expired, "claim \(claim.claim.id) expired at \(UTCTime.text(claim.expiry.unixSeconds))",
      remedy: "Make a new one: bump send \(sum)")
  }

  /// Returns the error for a claim whose state does not allow offering it or showing its link.
  ///
  /// - Parameter now: the current time, in Unix seconds.
  static func notOfferable(_ claim: OutgoingClaim, at now: Int64) -> CommandError {
    let id = claim.claim.id
    let peer = claim.peer?.quoted ?? "a receiver"
    switch claim.state {
    case .released:
      let seconds = (claim.deadline ?? now) - now
      return CommandError(
        .failure, "claim \(id) was sent to \(peer), who may still answer for \(seconds) s", remedy: "Try again then")
    case .unknown where claim.isInFlight:
      let seconds = (claim.deadline ?? now) - now
      return CommandError(
        .failure, "claim \(id) was sent to \(peer), who may still take it for \(seconds) s", remedy: "Try again then")
    case .unknown:
      return CommandError(
        .failure,
        "\(peer) may already have claim \(id), and gave no answer", remedy: "Ask there, then: bump settle \(id)"
      )
    case .delivered:
      return CommandError(
        .failure, "claim \(id) was delivered to \(peer), has no link any more, and is not sent again")
    case .new, .linkShown, .lost:
      return CommandError(.failure, "claim \(id) has changed just now", remedy: "See: bump show \(id)")
    }
  }
}
