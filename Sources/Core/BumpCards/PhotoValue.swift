import BumpText

/// The value of the property PHOTO.
enum PhotoValue {
  /// A picture in the card itself, in base64.
  case base64(String)
  /// The address of a picture.
  case address
  /// Neither.
  case other

  /// Reads a value.
  ///
  /// A `data:` URI (RFC 2397) is a picture in the card itself, as in vCard 4.0. Some writers escape its commas and
  /// semicolons, as in a text. White space inside base64 does not count: some writers indent a folded line by two spaces.
  init(_ property: Property, isBase64: Bool) {
    let isAddress = property.values(of: "VALUE").contains { ["URI", "URL"].contains($0) }
    if property.value.prefix(5).lowercased() == "data:" {
      self = Self.data(of: property.value).map { .base64($0) } ?? .other
    } else if isAddress || !isBase64 && property.value.utf8.contains(UInt8(ascii: ":")) {
      self = .address
    } else {
      self = isBase64 ? .base64(Self.withoutBlanks(property.value)) : .other
    }
  }

  /// Returns the base64 of a `data:` URI; `nil` if its data is in another form.
  private static func data(of uri: String) -> String? {
    let uri = CardText.unescaped(uri)
    guard let comma = uri.firstIndex(of: ","), uri[..<comma].lowercased().hasSuffix(";base64") else { return nil }
    let data = withoutBlanks(uri[uri.index(after: comma)...])
    guard data.utf8.contains(UInt8(ascii: "%")) else { return data }
    // The characters of base64 that a URI may escape.
    return ["+", "/", "="].reduce(data) { data, character in
      let digits = String(character.unicodeScalars[character.startIndex].value, radix: 16)
      return data.replacing("%\(digits)", with: character).replacing("%\(digits.uppercased())", with: character)
    }
  }

  private static func withoutBlanks(_ text: some StringProtocol) -> String {
    String(decoding: text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }, as: UTF8.self)
  }
}
