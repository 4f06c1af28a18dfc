/// The segments of a URL's path, each decoded once, without the slash at the end of the path. At most one segment more
/// than a pattern may have: a URL with more matches none.
struct URLPath {
  private let bytes: URLBytes
  private var ends = InlineArray<9, Int>(repeating: 0)
  private(set) var count = 0

  subscript(index: Int) -> Slice<URLBytes> { bytes[(index == 0 ? 0 : ends[index - 1] + 1)..<ends[index]] }

  /// Splits a path at `/`.
  ///
  /// - Parameter bytes: the path without its first slash, and without escapes.
  private init(_ bytes: URLBytes) throws(Route.Mismatch) {
    self.bytes = bytes
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
      let isDots = end - start <= 2 && bytes[start..<end].allSatisfy { $0 == UInt8(ascii: ".") }
      guard start < end, !isDots else { throw .segment }
      guard count <= PathPattern.limit else { throw .path }
      ends[count] = end
      count += 1
      start = end + 1
    }
  }

  /// Calls with the segments of a path as it is in a URL.
  static func with<Result>(
    _ path: Slice<URLBytes>, _ body: (URLPath) throws(Route.Mismatch) -> Result
  ) throws(Route.Mismatch) -> Result {
    let path = URLBytes(rebasing: path.dropFirst())
    guard path.contains(UInt8(ascii: "%")) else { return try body(URLPath(path)) }
    return try unescaped(path).withUnsafeBufferPointer { path throws(Route.Mismatch) in try body(URLPath(path)) }
  }

  /// Decodes a path. Rejects encoded control characters and slashes.
  private static func unescaped(_ path: URLBytes) throws(Route.Mismatch) -> [UInt8] {
    var segments: [[UInt8]] = []
    for part in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      let segment = decoded(part)
      guard
        !segment.contains(UInt8(ascii: "/")), let text = String(validating: segment, as: UTF8.self),
        !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      else { throw .segment }
      segments.append(segment)
    }
    return Array(segments.joined(separator: [UInt8(ascii: "/")]))
  }

  /// Decodes each `%` and its two digits, which were checked before.
  static func decoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
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
}
