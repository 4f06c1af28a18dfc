import BumpClaims
import BumpNostr
import BumpTerminal
import BumpText

/// Reports the profile of a person: only what a verified event says.
extension ClipReport {
  /// Shows the newest profile that relays have sent.
  ///
  /// - Returns: whether there is a profile.
  func profile(_ answers: [RelayAnswer]) -> Bool {
    for answer in answers {
      json.write(
        "relay",
        [
          "relay": .init(answer.relay), "ending": .string(answer.ending.rawValue),
          "refused": .integer(Int64(answer.refusals)), "found": .flag(answer.profile != nil),
        ])
    }
    let liars = answers.filter { $0.refusals > 0 }.map { "\($0.relay)" }
    if !liars.isEmpty {
      console.insist("Invalid events were ignored, from \(liars.joined(separator: ", ")).")
    }
    guard let profile = NostrProfile.newest(of: answers.compactMap(\.profile)) else { return false }
    json.write(
      "profile",
      [
        "npub": .string(profile.event.author.npub), "name": profile.name.map { .string($0) },
        "vehicle": profile.vehicle.map { .string($0) }, "picture": profile.picture.map { .string($0) },
        "createdAt": .integer(profile.event.createdAt),
      ])
    guard !json.isOn else { return true }
    for line in [profile.name, profile.vehicle, profile.picture.map { "Picture: \($0)" }] {
      if let line { Console.result(VisibleText.of(line)) }
    }
    return true
  }

  /// Returns why there is no profile.
  func words(_ answers: [RelayAnswer], of key: NostrKey) -> String {
    let short = "\(key.npub.prefix(14))…\(key.npub.suffix(6))"
    if answers.contains(where: { $0.ending == .complete }) { return "no relay has a profile of \(short)" }
    return "no relay has answered for \(short). Try again, or name others with --relay"
  }
}
