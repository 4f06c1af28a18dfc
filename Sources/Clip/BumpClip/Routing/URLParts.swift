typealias URLBytes = UnsafeBufferPointer<UInt8>

/// The parts of a URL, as they are in its text.
struct URLParts {
  private let host: Slice<URLBytes>
  let path: Slice<URLBytes>
  /// Empty if there is none.
  let query: Slice<URLBytes>

  /// Checks a URL's characters, scheme and authority, and finds its parts.
  init(_ url: URLBytes) throws(Route.Mismatch) {
    let (query, fragment) = try Self.marks(in: url)
    let scheme: StaticString = "https://"
    let start = scheme.utf8CodeUnitCount
    guard url.count >= start, scheme.withUTF8Buffer({ Self.isEqual(url[..<start], $0) }) else { throw .scheme }
    let path = url[start..<query].firstIndex(of: UInt8(ascii: "/")) ?? query
    let authority = url[start..<path]
    guard !authority.contains(UInt8(ascii: "@")) else { throw .user }
    let host = authority.firstIndex(of: UInt8(ascii: ":")) ?? path
    let port = url[min(host + 1, path)..<path]
    guard port.isEmpty || port.elementsEqual("443".utf8) else { throw .port }
    (self.host, self.path, self.query) = (
      url[start..<host], url[path..<query], url[min(query + 1, fragment)..<fragment]
    )
  }

  /// Checks a URL's length and characters. Returns where its `?` and its `#` are; where the part before ends if there is
  /// none.
  private static func marks(in url: URLBytes) throws(Route.Mismatch) -> (query: Int, fragment: Int) {
    guard url.count <= Router.limit else { throw .length }
    let (plain, hex) = (ASCIISet.unmarked, ASCIISet.hex)
    var (query, fragment) = (url.count, url.count)
    for index in url.indices where !plain.contains(url[index]) {
      switch url[index] {
      case UInt8(ascii: "%"):
        guard index + 2 < url.count, hex.contains(url[index + 1]), hex.contains(url[index + 2]) else { throw .percent }
      case UInt8(ascii: "?"): query = min(query, index)
      case UInt8(ascii: "#"):
        guard fragment == url.count else { throw .character }
        fragment = index
      default: throw .character
      }
    }
    return (min(query, fragment), fragment)
  }

  /// Returns whether the host has this name in lower case. The URL's may be in either case.
  func isHost(_ name: [UInt8]) -> Bool { Self.isEqual(host, name) }

  private static func isEqual(_ bytes: Slice<URLBytes>, _ lower: some Collection<UInt8>) -> Bool {
    bytes.count == lower.count
      && zip(bytes, lower).allSatisfy { byte, lower in
        ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == lower
      }
  }
}
