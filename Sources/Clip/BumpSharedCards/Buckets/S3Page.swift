import FoundationEssentials

/// A page of a list of objects (ListObjectsV2): their keys and times, as far as they can be read.
///
/// A key with a character that XML escapes is not a card's, so keys are not unescaped.
struct S3Page: Sendable {
  struct Object: Sendable, Equatable {
    let key: String
    /// When the object was written, in seconds since 1970, by the service's clock.
    let modified: Int64
  }

  let objects: [Object]
  /// The token for the next page; `nil` if this is the last.
  let next: String?

  init(_ xml: [UInt8]) {
    let text = Substring(String(decoding: xml, as: UTF8.self))
    var objects: [Object] = []
    var rest = text
    while let (item, behind) = Self.element("Contents", in: rest) {
      rest = behind
      guard let key = Self.element("Key", in: item)?.content,
        let time = Self.element("LastModified", in: item)?.content,
        let modified = Self.seconds(String(time))
      else { continue }
      objects.append(Object(key: String(key), modified: modified))
    }
    self.objects = objects
    let isTruncated = Self.element("IsTruncated", in: text)?.content == "true"
    next = isTruncated ? Self.element("NextContinuationToken", in: text).map { Self.unescaped($0.content) } : nil
  }

  private static func element(_ name: String, in text: Substring) -> (content: Substring, behind: Substring)? {
    guard let start = text.firstRange(of: "<\(name)>"),
      let end = text[start.upperBound...].firstRange(of: "</\(name)>")
    else { return nil }
    return (text[start.upperBound..<end.lowerBound], text[end.upperBound...])
  }

  /// Resolves the references that XML itself defines.
  private static func unescaped(_ text: Substring) -> String {
    // The ampersand is the last: what it makes is not a reference.
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
      .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
  }

  /// Reads a time with or without fractions of a second (RFC 3339).
  private static func seconds(_ text: String) -> Int64? {
    let date =
      (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
      ?? (try? Date.ISO8601FormatStyle().parse(text))
    return date.map { Int64($0.timeIntervalSince1970) }
  }
}
