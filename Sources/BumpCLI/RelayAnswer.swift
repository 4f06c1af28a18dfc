import BumpNostr

/// What one relay was good for.
struct RelayAnswer: Sendable {
  let relay: RelayURL
  let ending: RelaySession.Ending
  let profile: NostrProfile?
  /// How many events were refused.
  let refusals: Int
}
