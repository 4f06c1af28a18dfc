/// Finds the experience that takes a URL. A pure function of the URL's text: it repairs nothing, and fetches nothing.
///
/// It reads the text itself. Foundation's `URL` keeps user names and ports apart from the host, collapses `//`, and
/// maps some characters outside ASCII to others.
public struct Router: Sendable {
  /// The greatest length of a URL in bytes.
  public static let limit = 2048

  private struct Entry {
    let host: [UInt8]
    let words: [[UInt8]?]
    let pattern: PathPattern
    let experience: Experience
    let product: Product
  }

  private let entries: [Entry]

  init(_ products: [Product]) {
    entries = products.flatMap { product in
      product.experiences.flatMap { experience in
        experience.hosts.flatMap { host in
          experience.paths.map { pattern in
            let words = pattern.segments.map { segment -> [UInt8]? in
              if case .word(let word) = segment { Array(word.utf8) } else { nil }
            }
            return Entry(
              host: Array(host.utf8), words: words, pattern: pattern, experience: experience, product: product)
          }
        }
      }
    }
  }

  /// Routes a URL.
  public func route(_ url: String) -> Route {
    var url = url
    return url.withUTF8 { bytes in
      do throws(Refusal) {
        return try route(bytes)
      } catch {
        return .none(error.mismatch)
      }
    }
  }

  private struct Refusal: Error { let mismatch: Route.Mismatch }

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  private func route(_ url: Bytes) throws(Refusal) -> Route {
    let parts = try Self.parts(of: url)
    guard entries.contains(where: { Self.isEqual(url[parts.host], $0.host) }) else { throw Refusal(mismatch: .host) }
    if url[parts.path].contains(UInt8(ascii: "%")) {
      let decoded = try Self.decoded(url[parts.path])
      return try decoded.bytes.withUnsafeBufferPointer { (path) throws(Refusal) in
        try route(url, parts, path, decoded.segments)
      }
    }
    return try route(url, parts, url, try Self.segments(of: url, in: parts.path))
  }

  /// The ranges of a URL's parts. `query` and `fragment` are empty if there is none.
  private struct Parts {
    let host: Range<Int>
    let path: Range<Int>
    let query: Range<Int>
    let fragment: Range<Int>
  }

  /// The segments of a path, at most one more than a pattern may have: a URL with more matches none.
  private struct Segments {
    private var starts = InlineArray<9, Int>(repeating: 0)
    private var ends = InlineArray<9, Int>(repeating: 0)
    private(set) var count = 0

    subscript(index: Int) -> Range<Int> { starts[index]..<ends[index] }

    mutating func append(_ range: Range<Int>) throws(Refusal) {
      guard count <= PathPattern.limit else { throw Refusal(mismatch: .path) }
      (starts[count], ends[count]) = (range.lowerBound, range.upperBound)
      count += 1
    }

    mutating func removeLast() { count -= 1 }
  }

  /// Checks a URL's characters, scheme and authority, and finds its parts.
  private static func parts(of url: Bytes) throws(Refusal) -> Parts {
    guard url.count <= limit else { throw Refusal(mismatch: .length) }
    let (characters, hex) = (ASCIISet.url, ASCIISet.hex)
    var fragment = url.count
    var index = 0
    while index < url.count {
      let byte = url[index]
      guard characters.contains(byte) else { throw Refusal(mismatch: .character) }
      if byte == UInt8(ascii: "%") {
        guard index + 2 < url.count, hex.contains(url[index + 1]), hex.contains(url[index + 2]) else {
          throw Refusal(mismatch: .percent)
        }
      } else if byte == UInt8(ascii: "#") {
        guard fragment == url.count else { throw Refusal(mismatch: .character) }
        fragment = index
      }
      index += 1
    }
    let scheme: StaticString = "https://"
    let isSecure =
      url.count >= scheme.utf8CodeUnitCount
      && scheme.withUTF8Buffer { isEqual(url[..<scheme.utf8CodeUnitCount], $0) }
    guard isSecure else { throw Refusal(mismatch: .scheme) }

    let start = scheme.utf8CodeUnitCount
    let query = url[start..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment
    let path = url[start..<query].firstIndex(of: UInt8(ascii: "/")) ?? query
    let authority = url[start..<path]
    guard !authority.contains(UInt8(ascii: "@")) else { throw Refusal(mismatch: .user) }
    let host = authority.firstIndex(of: UInt8(ascii: ":")) ?? path
    let port = url[min(host + 1, path)..<path]
    guard port.isEmpty || port.elementsEqual("443".utf8) else { throw Refusal(mismatch: .port) }
    return Parts(
      host: start..<host, path: path..<query, query: min(query + 1, fragment)..<fragment,
      fragment: min(fragment + 1, url.count)..<url.count)
  }

  /// Returns whether bytes equal a text in lower case. The bytes may be in either case.
  private static func isEqual(_ bytes: Slice<Bytes>, _ lower: some Collection<UInt8>) -> Bool {
    bytes.count == lower.count
      && zip(bytes, lower).allSatisfy { byte, lower in
        ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == lower
      }
  }

  /// Splits a path without escapes at `/`, and drops one trailing slash.
  private static func segments(of url: Bytes, in path: Range<Int>) throws(Refusal) -> Segments {
    var segments = Segments()
    var start = path.lowerBound + 1
    while start <= path.upperBound {
      let end = url[start..<path.upperBound].firstIndex(of: UInt8(ascii: "/")) ?? path.upperBound
      if start == end, end == path.upperBound { break }
      try check(url[start..<end])
      try segments.append(start..<end)
      start = end + 1
    }
    return segments
  }

  /// Splits a path with escapes in the same way, and decodes each segment once. Rejects encoded control characters and
  /// slashes.
  private static func decoded(_ path: Slice<Bytes>) throws(Refusal) -> (bytes: [UInt8], segments: Segments) {
    var (bytes, segments): ([UInt8], Segments) = ([], Segments())
    var parts = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    for part in parts {
      let segment = decodedOnce(part)
      try check(segment)
      guard
        !segment.contains(UInt8(ascii: "/")), let text = String(validating: segment, as: UTF8.self),
        !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      else { throw Refusal(mismatch: .segment) }
      try segments.append(bytes.count..<bytes.count + segment.count)
      bytes += segment
    }
    return (bytes, segments)
  }

  private static func check(_ segment: some Collection<UInt8>) throws(Refusal) {
    guard !segment.isEmpty, !segment.elementsEqual(".".utf8), !segment.elementsEqual("..".utf8) else {
      throw Refusal(mismatch: .segment)
    }
  }

  /// Decodes each `%` and its two digits, which were checked before.
  private static func decodedOnce(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    var iterator = bytes.makeIterator()
    while let byte = iterator.next() {
      if byte == UInt8(ascii: "%"), let high = iterator.next(), let low = iterator.next() {
        decoded.append(value(of: high) << 4 | value(of: low))
      } else {
        decoded.append(byte)
      }
    }
    return decoded
  }

  private static func value(of digit: UInt8) -> UInt8 { digit < 0x3A ? digit & 0xF : digit & 0xF + 9 }

  /// Routes a URL whose parts are known.
  ///
  /// - Parameter path: the buffer with the segments' bytes, decoded.
  private func route(
    _ url: Bytes, _ parts: Parts, _ path: Bytes, _ segments: Segments
  ) throws(Refusal) -> Route {
    let match = entries.first { entry in
      guard entry.words.count == segments.count, Self.isEqual(url[parts.host], entry.host) else { return false }
      return entry.words.indices.allSatisfy { index in
        entry.words[index].map { $0.elementsEqual(path[segments[index]]) } ?? true
      }
    }
    guard let entry = match else { throw Refusal(mismatch: .path) }
    do throws(CaptureRule.Refusal) {
      return .match(try Self.match(entry, url, parts, path, segments))
    } catch {
      return .broken(entry.experience, of: entry.product, error.reason)
    }
  }

  private static func match(
    _ entry: Entry, _ url: Bytes, _ parts: Parts, _ path: Bytes, _ segments: Segments
  ) throws(CaptureRule.Refusal) -> Match {
    var captured: [String: String] = [:]
    for (index, segment) in entry.pattern.segments.enumerated() {
      if case .capture(let name, let rule) = segment { captured[name] = try rule.captured(path[segments[index]]) }
    }
    if let name = entry.experience.url { captured[name] = canonical(entry, path, segments) }
    guard !entry.experience.query.isEmpty || entry.experience.hasClaimLink else {
      return Match(product: entry.product, experience: entry.experience, captured: captured, link: nil)
    }
    var seen: Set<String> = []
    let items = entry.experience.query.isEmpty ? [] : url[parts.query].split(separator: UInt8(ascii: "&"))
    for item in items {
      let halves = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(decoding: decodedOnce(halves[0]), as: UTF8.self)
      guard let wanted = entry.experience.query.first(where: { $0.name.utf8.elementsEqual(name.utf8) }),
        seen.insert(name).inserted
      else {
        continue
      }
      captured[name] = try? wanted.rule.captured(halves.count == 2 ? decodedOnce(halves[1]) : [])
    }
    let hasFragment = parts.fragment.lowerBound > parts.path.upperBound && !parts.fragment.isEmpty
    let link =
      entry.experience.hasClaimLink && hasFragment ? SecretLink(text: String(decoding: url, as: UTF8.self)) : nil
    return Match(product: entry.product, experience: entry.experience, captured: captured, link: link)
  }

  /// Returns the URL without query, fragment and trailing slash. Every byte that needs an escape has one.
  private static func canonical(_ entry: Entry, _ path: Bytes, _ segments: Segments) -> String {
    var bytes = Array("https://".utf8) + entry.host
    let (plain, digits): (ASCIISet, StaticString) = (.segment, "0123456789ABCDEF")
    for index in 0..<segments.count {
      bytes.append(UInt8(ascii: "/"))
      for byte in path[segments[index]] {
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
