/// A language of the pages. Its texts are in the file of its name.
public enum PageLanguage: String, Hashable, Sendable, CaseIterable {
  /// The language of a browser that asks for none of them.
  case english = "en"
  case german = "de"

  /// Chooses the language that a browser prefers (RFC 9110 §12.5.4). Of two with one weight it is the one that is named
  /// first.
  ///
  /// - Parameter headers: the values of the headers `Accept-Language`. What is not well-formed in them is ignored.
  init(preferredBy headers: [String]) {
    let ranges = headers.flatMap { $0.split(separator: ",") }.compactMap { LanguageRange($0) }
    let wishes = Self.allCases.compactMap { language -> (language: Self, wish: (weight: Int, place: Int))? in
      language.wish(among: ranges).map { (language: language, wish: $0) }
    }
    // The first of several that are equal.
    let best = wishes.min { ($0.wish.weight, $1.wish.place) > ($1.wish.weight, $0.wish.place) }
    self = best?.language ?? .english
  }

  /// Returns the weight of this language in a list, and where in it the language is named; `nil` if it is unwanted.
  private func wish(among ranges: [LanguageRange]) -> (weight: Int, place: Int)? {
    let own = ranges.indices.filter { ranges[$0].names(rawValue) }
    let places = own.isEmpty ? ranges.indices.filter { ranges[$0].tag == "*" } : Array(own)
    guard let weight = places.map({ ranges[$0].weight }).max(), weight > 0 else { return nil }
    return places.first { ranges[$0].weight == weight }.map { (weight, $0) }
  }
}

/// One element of `Accept-Language`, such as `de-CH;q=0.8`.
private struct LanguageRange {
  /// The language tag in lower case, or `*`.
  let tag: String
  /// From 0 to 1000; 0 for an unwanted language.
  let weight: Int

  init?(_ element: Substring) {
    let parts = element.split(separator: ";", omittingEmptySubsequences: false).map { Self.trimmed($0).lowercased() }
    tag = parts[0]
    guard !tag.isEmpty else { return nil }
    let weights = parts.dropFirst().filter { $0.hasPrefix("q=") }.map { Self.weight($0.dropFirst(2)) }
    guard weights.count <= 1 else { return nil }
    guard let weight = weights.isEmpty ? 1000 : weights[0] else { return nil }
    self.weight = weight
  }

  /// Whether it is a language, or one of its regional forms.
  func names(_ language: String) -> Bool { tag == language || tag.hasPrefix("\(language)-") }

  /// Reads `1`, `0`, or one of them with a point and at most three digits, up to `1.000`.
  private static func weight(_ text: Substring) -> Int? {
    let (whole, fraction) = (text.prefix(1), text.dropFirst(2))
    guard
      whole == "0" || whole == "1", text.dropFirst().first ?? "." == ".", fraction.utf8.count <= 3,
      fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let weight = Int("\(whole)\(fraction)" + String(repeating: "0", count: 3 - fraction.utf8.count)), weight <= 1000
    else { return nil }
    return weight
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
