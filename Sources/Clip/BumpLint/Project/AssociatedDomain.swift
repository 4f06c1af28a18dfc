import BumpClip

/// An entry of the entitlement `com.apple.developer.associated-domains`: `appclips:irl.app`.
struct AssociatedDomain: Hashable, Sendable {
  static let services = ["applinks", "appclips", "webcredentials", "activitycontinuation"]

  let service: String
  /// The host in lower case, without the wildcard.
  let host: String
  /// Whether the entry is for the subdomains of the host, as `*.irl.app`, and not for the host itself.
  let isWildcard: Bool
  /// The value of `?mode=`.
  let mode: String?

  /// Reads an entry; `nil` if the text is not valid.
  init?(_ text: String) {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, Self.services.contains(String(halves[0])) else { return nil }
    service = String(halves[0])
    let parts = halves[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    isWildcard = parts[0].hasPrefix("*.")
    host = (isWildcard ? parts[0].dropFirst(2) : parts[0]).lowercased()
    let modes = ["developer", "managed", "developer+managed"]
    mode = parts.count == 2 ? modes.first { parts[1] == "mode=\($0)" } : nil
    guard ATName.isHandle(host.utf8), parts.count == 1 || mode != nil else { return nil }
  }

  /// Returns whether the entry is for a host. `*.` is for "all subdomains" (Apple, Supporting associated domains).
  func takes(_ other: String) -> Bool { isWildcard ? other.hasSuffix("." + host) : host == other }
}
