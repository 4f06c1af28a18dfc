/// A path on a host, and the experience to which its URLs lead.
final class RouteEntry: Sendable {
  let experience: Experience
  let product: Product
  private let host: String
  private let segments: [PathPattern.Segment]
  /// The words of the path; `nil` for a segment to capture.
  private let words: [[UInt8]?]

  init(host: String, path: PathPattern, _ experience: Experience, _ product: Product) {
    (self.host, segments, self.experience, self.product) = (host, path.segments, experience, product)
    words = segments.map { segment in
      if case .word(let word) = segment { Array(word.utf8) } else { nil }
    }
  }

  /// Returns whether a path has this number of segments, and these words.
  func takes(_ path: URLPath) -> Bool {
    guard words.count == path.count else { return false }
    return words.indices.allSatisfy { index in words[index].map { $0.elementsEqual(path[index]) } ?? true }
  }

  /// Checks the captured segments of a path that this place takes.
  func check(_ path: URLPath) throws(CaptureRule.Refusal) {
    for (index, segment) in segments.enumerated() {
      if case .capture(_, let rule) = segment { try rule.check(path[index]) }
    }
  }

  /// Returns the values captured from a path that was checked, and from a query.
  func captured(_ path: URLPath, query: Slice<URLBytes>) -> [String: String] {
    var captured: [String: String] = [:]
    for (index, segment) in segments.enumerated() {
      if case .capture(let name, let rule) = segment { captured[name] = rule.captured(path[index]) }
    }
    if let name = experience.url { captured[name] = canonical(path) }
    var seen: Set<String> = []
    let items = experience.query.isEmpty ? [] : query.split(separator: UInt8(ascii: "&"))
    for item in items {
      let halves = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(decoding: URLPath.decoded(halves[0]), as: UTF8.self)
      guard let wanted = experience.query.first(where: { $0.name.utf8.elementsEqual(name.utf8) }),
        seen.insert(name).inserted
      else {
        continue
      }
      let value = halves.count == 2 ? URLPath.decoded(halves[1]) : []
      if (try? wanted.rule.check(value)) != nil { captured[name] = wanted.rule.captured(value) }
    }
    return captured
  }

  /// Returns the URL without query, fragment and trailing slash. Every byte that needs an escape has one.
  private func canonical(_ path: URLPath) -> String {
    var bytes = Array("https://\(host)".utf8)
    let (plain, digits): (ASCIISet, StaticString) = (.segment, "0123456789ABCDEF")
    for index in 0..<path.count {
      bytes.append(UInt8(ascii: "/"))
      for byte in path[index] {
        if plain.contains(byte) {
          bytes.append(byte)
        } else {
          bytes.append(UInt8(ascii: "%"))
          digits.withUTF8Buffer { bytes += [$0[Int(byte >> 4)], $0[Int(byte & 15)]] }
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
