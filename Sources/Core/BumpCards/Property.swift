/// One line of a card: `[group.]name[;parameters]:value` (RFC 2425 §5.8.2). The group only ties lines together, and is
/// dropped.
struct Property {
  struct Parameter {
    /// The name in upper case; `nil` for a value without a name, as in `TEL;HOME:`.
    let name: String?
    let values: [String]
  }

  private let line: CardLine
  /// Where the property is, for an error.
  var place: String { line.place }
  /// The name in upper case.
  let name: String
  let parameters: [Parameter]
  let value: String

  /// Reads a line.
  ///
  /// - Throws: `utf8`, `control`, `syntax`, in this order.
  /// - Returns: `nil` for an extension that is no property. Some writers put other characters into its name, and nobody
  ///   misses it.
  init?(_ line: CardLine) throws(VCardError) {
    self.line = line
    guard String(validating: line.bytes, as: UTF8.self) != nil else {
      let guess = CharacterSet.guess(line.bytes).map { "in \($0), as it seems, and " } ?? ""
      throw VCardError(.utf8, "\(line.place) is \(guess)not in UTF-8", remedy: CharacterSet.remedy)
    }
    guard line.bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
      throw VCardError(.control, "\(line.place) has a control character")
    }
    guard let scanned = Self.scan(line.bytes[...]) else {
      if line.isExtension { return nil }
      throw VCardError(.syntax, "\(line.place) is not a property: a name, a colon and a value")
    }
    name = scanned.name
    parameters = scanned.parameters
    value = String(decoding: scanned.rest, as: UTF8.self)
  }

  /// Returns the values of the parameters with a name, in upper case. Parameters without a name count as TYPE.
  func values(of name: String) -> [String] {
    parameters.filter { ($0.name ?? "TYPE") == name }.flatMap(\.values).map { $0.uppercased() }
  }

  private typealias Scanned = (name: String, parameters: [Parameter], rest: ArraySlice<UInt8>)

  private static func scan(_ line: ArraySlice<UInt8>) -> Scanned? {
    var rest = line
    guard var name = token(&rest) else { return nil }
    if take(".", &rest) {
      guard let second = token(&rest) else { return nil }
      name = second
    }
    var parameters: [Parameter] = []
    while take(";", &rest) {
      guard let parameter = parameter(&rest) else { return nil }
      parameters.append(parameter)
    }
    return take(":", &rest) ? (name.uppercased(), parameters, rest) : nil
  }

  private static func parameter(_ rest: inout ArraySlice<UInt8>) -> Parameter? {
    guard let word = token(&rest) else { return nil }
    guard take("=", &rest) else { return Parameter(name: nil, values: [word]) }
    var values: [String] = []
    repeat {
      guard let value = parameterValue(&rest) else { return nil }
      values.append(value)
    } while take(",", &rest)
    return Parameter(name: word.uppercased(), values: values)
  }

  /// Reads a value. In quotes it may have anything but a quote; without quotes, no quote, `;`, `:` or `,`.
  private static func parameterValue(_ rest: inout ArraySlice<UInt8>) -> String? {
    let isQuoted = take("\"", &rest)
    let end = isQuoted ? "\"" : "\";:,"
    let value = rest.prefix { !end.utf8.contains($0) }
    rest = rest.dropFirst(value.count)
    guard !isQuoted || take("\"", &rest) else { return nil }
    return String(decoding: value, as: UTF8.self)
  }

  /// Reads a name: letters, digits and hyphens, at least one.
  private static func token(_ rest: inout ArraySlice<UInt8>) -> String? {
    let token = rest.prefix {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-")
    }
    rest = rest.dropFirst(token.count)
    return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
  }

  private static func take(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
