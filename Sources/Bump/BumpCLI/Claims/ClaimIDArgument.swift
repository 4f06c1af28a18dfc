import ArgumentParser
import BumpClaims
import BumpTerminal

/// The argument that names a claim of the store.
struct ClaimIDArgument: ParsableArguments {
  static let help = ArgumentHelp(
    "The claim's id, as `bump history` shows it, or its beginning.", valueName: "claimid")

  @Argument(help: ClaimIDArgument.help, completion: Completions.claims, transform: Arguments.claimID)
  var id: ClaimID
}

/// The argument that names a claim that was made here.
struct SentClaimIDArgument: ParsableArguments {
  @Argument(help: ClaimIDArgument.help, completion: Completions.sentClaims, transform: Arguments.claimID)
  var id: ClaimID
}
