import BumpNostr

/// The answer of one relay.
struct RelayAnswer: Sendable {
  let relay: RelayURL
  let ending: RelaySession.Ending
  let profile: NostrProfile?
  /// How many events were rejected.
  let refusals: Int
}
