import ArgumentParser
import BumpClaims
import BumpKit
import BumpTerminal

/// The argument that names a claim of the store.
struct ClaimIDArgument: ParsableArguments {
  static let help = ArgumentHelp(
    "The claim's id, as `bump history` shows it, or its beginning.", valueName: "claimid")

  @Argument(help: ClaimIDArgument.help, completion: Completions.claims, transform: Arguments.claimID)
  var id: ClaimID
}

/// The argument that names a claim that was made here. It can be left out where only one claim can be meant.
struct SentClaimIDArgument: ParsableArguments {
  static let help = ArgumentHelp(
    "The claim's id, as `bump history` shows it, or its beginning. Leave it out if only one claim qualifies.",
    valueName: "claimid")

  @Argument(help: SentClaimIDArgument.help, completion: Completions.sentClaims, transform: Arguments.claimID)
  var id: ClaimID?

  /// Finds the claim that is named, or the only one that can be meant.
  ///
  /// - Parameters:
  ///   - what: what the claims that can be meant are, such as `claim to settle`.
  ///   - remedy: what to do if there is none.
  ///   - candidates: returns claims that can be meant, at most so many.
  /// - Throws: `CommandError` if no claim or several match.
  func find(
    in store: ClaimStore, _ what: String, orElse remedy: String = "`bump history` lists the claims",
    of candidates: (_ limit: Int) async throws -> [OutgoingClaim]
  ) async throws -> OutgoingClaim {
    if let id { return try await ClaimLookup.outgoing(id, in: store) }
    return try ClaimLookup.only(try await candidates(ClaimLookup.limit), what, orElse: remedy)
  }
}
