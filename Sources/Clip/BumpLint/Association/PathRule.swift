/// A rule of `applinks` that takes or excludes URLs: one element of `components`, or of `paths`.
struct PathRule: Sendable {
  /// The pattern for the query as a whole, or one for each of its items.
  enum Query: Sendable {
    case whole(Pattern)
    case items([(name: String, pattern: Pattern)])
  }

  let place: FileLocation
  /// The pattern of the path, as written.
  let text: String
  let path: Pattern
  let query: Query
  let fragment: Pattern
  let excludes: Bool
  let isCaseSensitive: Bool
  /// Whether patterns are compared with the URL as written. Otherwise each part is decoded first.
  let isPercentEncoded: Bool

  /// Returns whether the rule takes or excludes a URL.
  ///
  /// A pattern of a query item is for every item of that name. An absent item, and one without a value, counts as
  /// empty (WWDC 2019, session 717).
  func matches(_ link: ProjectLink, path: String? = nil, ignoringCase: Bool = false, _ work: inout MatchWork) -> Bool {
    func scalars(_ text: String) -> [Unicode.Scalar] {
      Array((isPercentEncoded ? text : text.percentDecoded).unicodeScalars)
    }
    let ignoresCase = ignoringCase || !isCaseSensitive
    guard self.path.matches(scalars(path ?? link.sample), ignoringCase: ignoresCase, &work),
      fragment.matches(scalars(link.fragment ?? ""), ignoringCase: ignoresCase, &work)
    else { return false }
    switch query {
    case .whole(let pattern): return pattern.matches(scalars(link.query ?? ""), ignoringCase: ignoresCase, &work)
    case .items(let items):
      let present = (link.query ?? "").split(separator: "&").map { item in
        item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      }
      for (name, pattern) in items {
        let values = present.filter { $0[0] == name }.map { $0.count == 2 ? String($0[1]) : "" }
        for value in values.isEmpty ? [""] : values {
          guard pattern.matches(scalars(value), ignoringCase: ignoresCase, &work) else { return false }
        }
      }
      return true
    }
  }

  /// Whether the rule matches every URL.
  var isCatchAll: Bool {
    guard case .whole(let query) = query else { return false }
    return ["*", "/*"].contains(path.text) && query.text == "*" && fragment.text == "*"
  }

  /// The key of the rule. Of two rules with the same key, the second never decides.
  var key: String {
    let query =
      switch query {
      case .whole(let pattern): "=\(pattern.text)"
      case .items(let items): items.map { "\($0.name)=\($0.pattern.text)" }.joined(separator: "&")
      }
    return "\(path.text)\u{0}\(query)\u{0}\(fragment.text)\u{0}\(isCaseSensitive)\(isPercentEncoded)"
  }
}

extension String {
  /// The text with each `%` and its two hex digits decoded; the text itself if the result is not UTF-8.
  fileprivate var percentDecoded: String {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = Self.byte(of: rest.prefix(2)) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? self
  }

  /// Returns the byte of two hex digits; `nil` for anything else. Swift would take a sign for a digit.
  private static func byte(of digits: Substring.UTF8View) -> UInt8? {
    let digits = String(decoding: digits, as: UTF8.self)
    return digits.count == 2 && digits.allSatisfy(\.isHexDigit) ? UInt8(digits, radix: 16) : nil
  }
}
