import BumpClip

/// A URL of a website, as in project.json: `https://irl.app/claim/4711`. A segment in braces stands for any segment, as
/// in `https://irl.app/claim/{claimId}`.
struct ProjectLink: Hashable, Sendable {
  /// The host in lower case.
  let host: String
  /// The path as written, with its escapes; at least `/`.
  let path: String
  /// The query without the `?`; `nil` if there is none.
  let query: String?
  /// The fragment without the `#`; `nil` if there is none.
  let fragment: String?

  /// What a segment that is no name in braces may not have (RFC 3986 §3.3).
  private static let foreign = "\"<>[\\]^`{|}"

  /// Reads a URL; `nil` unless it is an https URL with a host name, without user and port, and with
  /// braces around whole segments only.
  init?(_ text: String) {
    guard text.utf8.count <= Router.limit, text.lowercased().hasPrefix("https://"),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    let rest = text.dropFirst("https://".count)
    let upToFragment = rest.prefix { $0 != "#" }
    let upToQuery = upToFragment.prefix { $0 != "?" }
    let authority = upToQuery.prefix { $0 != "/" }
    guard ATName.isHandle(authority.utf8) else { return nil }
    host = authority.lowercased()
    let path = String(upToQuery.dropFirst(authority.count))
    self.path = path.isEmpty ? "/" : path
    query = upToQuery.count < upToFragment.count ? String(upToFragment.dropFirst(upToQuery.count + 1)) : nil
    fragment = upToFragment.count < rest.count ? String(rest.dropFirst(upToFragment.count + 1)) : nil
    guard segments.allSatisfy({ $0?.contains { Self.foreign.contains($0) } != true }) else { return nil }
  }

  /// The segments of the path; `nil` for a segment in braces.
  var segments: [String?] {
    path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
      segment.hasPrefix("{") && segment.hasSuffix("}") ? nil : String(segment)
    }
  }

  /// The path of one URL that this one stands for: each segment in braces becomes a word.
  var sample: String { "/" + segments.map { $0 ?? "x" }.joined(separator: "/") }

  /// The pattern that takes all URLs that this one stands for.
  var pattern: String { "/" + segments.map { $0 ?? "*" }.joined(separator: "/") }

  /// Returns whether this URL stands for another one, or for a URL above it.
  func covers(_ url: ProjectLink) -> Bool {
    guard host == url.host else { return false }
    var mine = segments
    if mine.last == "" { mine.removeLast() }
    let theirs = url.segments
    return theirs.count >= mine.count && zip(mine, theirs).allSatisfy { $0 == nil ? $1 != "" : $0 == $1 }
  }
}
