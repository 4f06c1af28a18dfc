import BumpText

/// The smart app banner of a page: `<meta name="apple-itunes-app" content="app-id=…">`.
struct Banner: Sendable {
  /// The arguments of the banner's content, by name.
  let arguments: [String: String]
  /// Whether a placeholder of a template is in the content, which may stand for further arguments.
  let isTemplate: Bool
  let place: FileLocation

  /// - Parameter content: the attribute; `nil` if a script or a template writes it.
  init(content: String?, at place: FileLocation) {
    isTemplate = content.map(TemplateText.hasPlaceholder) ?? true
    let content = content ?? ""
    var arguments: [String: String] = [:]
    for item in content.split(separator: ",") {
      let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = halves[0].trimmed
      if !name.isEmpty, arguments[name] == nil { arguments[name] = halves.count == 2 ? halves[1].trimmed : "" }
    }
    (self.arguments, self.place) = (arguments, place)
  }

  /// Finds the banners of a page. Does not parse HTML: every `<meta …>` outside a comment counts.
  static func all(in page: SourceFile) -> [Banner] {
    var banners: [Banner] = []
    let bytes = page.content
    var (position, line) = (0, 1)
    while position < bytes.count {
      if bytes[position] == 0x0A { line += 1 }
      guard bytes[position] == UInt8(ascii: "<") else {
        position += 1
        continue
      }
      let start = position
      if bytes[position...].starts(with: "<!--".utf8) {
        position = end(of: "-->", in: bytes, from: position)
      } else if isMeta(bytes[position...]) {
        position = end(of: ">", in: bytes, from: position)
        let attributes = attributes(bytes[(start + 5)..<max(start + 5, position - 1)])
        if attributes["name"]?.lowercased() == "apple-itunes-app" {
          banners.append(Banner(content: content(of: attributes), at: FileLocation(page.path, line)))
        }
      } else {
        position += 1
        continue
      }
      line += bytes[start..<position].count { $0 == 0x0A }
    }
    return banners
  }

  /// Returns the content of a banner: empty if there is none, and `nil` where its value is an expression, as of
  /// `:content`, `[content]` or `th:content`.
  private static func content(of attributes: [String: String]) -> String? {
    if let content = attributes["content"] { return content }
    return attributes.keys.contains { $0.filter(\.isLetter).hasSuffix("content") } ? nil : ""
  }

  private static func isMeta(_ bytes: ArraySlice<UInt8>) -> Bool {
    let head = bytes.prefix(6).map { ASCII.isUpper($0) ? $0 | 0x20 : $0 }
    return head.count == 6 && head.starts(with: "<meta".utf8) && !(ASCII.isLower(head[5]) || ASCII.isDigit(head[5]))
  }

  /// Returns where a tag or comment ends; the end of the page if it does not end.
  private static func end(of word: StaticString, in bytes: [UInt8], from start: Int) -> Int {
    var (position, quote): (Int, UInt8?) = (start, nil)
    let isTag = word.utf8CodeUnitCount == 1
    while position < bytes.count {
      let byte = bytes[position]
      if isTag, let open = quote {
        if byte == open { quote = nil }
      } else if isTag, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if word.withUTF8Buffer({ bytes[position...].starts(with: $0) }) {
        return position + word.utf8CodeUnitCount
      }
      position += 1
    }
    return bytes.count
  }

  private static func attributes(_ bytes: ArraySlice<UInt8>) -> [String: String] {
    var attributes: [String: String] = [:]
    var rest = Substring(String(decoding: bytes, as: UTF8.self))
    while let equals = rest.firstIndex(of: "=") {
      let name = rest[..<equals].split(whereSeparator: \.isWhitespace).last.map { $0.lowercased() } ?? ""
      rest = rest[equals...].dropFirst().drop(while: \.isWhitespace)
      let quote = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
      if quote != nil { rest = rest.dropFirst() }
      let value = rest.prefix { character in quote.map { character != $0 } ?? !character.isWhitespace }
      rest = rest[value.endIndex...].dropFirst()
      if attributes[name] == nil { attributes[name] = String(value) }
    }
    return attributes
  }
}

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)])
  }
}
