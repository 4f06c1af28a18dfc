import BumpText

extension VCard {
  /// A card that was read, and the warnings about it.
  public struct Reading: Hashable, Sendable {
    /// The properties that bump knows. The others are left out.
    public let card: VCard
    /// The warnings, each once, in the order in which they were found.
    public let warnings: [VCardWarning]
  }

  /// Reads a vCard 3.0. Nothing is fetched, and no picture is decoded.
  ///
  /// - Parameter bytes: any bytes, from a file or from a peer.
  /// - Throws: `VCardError`. Its codes are listed in the order of the checks.
  public static func read(_ bytes: [UInt8]) throws(VCardError) -> Reading {
    guard bytes.count <= CardLimits.card else {
      throw VCardError(.size, "the card has more than \(CardLimits.card) bytes", remedy: "Take a smaller photo")
    }
    let lines = try CardLines(bytes)
    try lines.check()
    var reader = CardReader()
    for line in lines.lines {
      if let property = try Property(line) { try reader.take(property) } else { reader.warn(.extensionName) }
    }
    return try reader.finish()
  }
}

/// Builds a card from its properties.
private struct CardReader {
  private var formattedName: String?
  private var name: [String]?
  private var title: String?
  private var organization: [String]?
  private var telephones: [String] = []
  private var emails: [String] = []
  /// The first photo that is in the card itself, in base64.
  private var photo: String?
  private var photoElsewhere: VCardWarning?
  private var warnings: [VCardWarning] = []

  /// Takes a property.
  ///
  /// - Throws: `encoding`, `charset`, `limits`, in this order.
  mutating func take(_ property: Property) throws(VCardError) {
    let isBase64 = try takeEncoding(property)
    try takeCharset(property)
    if property.name == "PHOTO" { takePhoto(property, isBase64: isBase64) }
    guard Self.texts.contains(property.name) else { return }
    guard property.value.utf8.count <= CardLimits.text else {
      throw VCardError(.limits, "\(property.place) has more than \(CardLimits.text) bytes")
    }
    takeText(property.value, of: property.name)
  }

  private static let texts: Set = ["FN", "N", "TITLE", "ORG", "TEL", "EMAIL"]

  private mutating func takeText(_ value: String, of name: String) {
    switch name {
    case "FN": formattedName = formattedName ?? CardText.unescaped(value)
    case "N": self.name = self.name ?? CardText.parts(value)
    case "TITLE": title = title ?? CardText.unescaped(value)
    case "ORG": organization = organization ?? CardText.parts(value)
    case "TEL": telephones.append(CardText.unescaped(value))
    default: emails.append(CardText.unescaped(value))
    }
  }

  /// Checks the encoding of a property.
  ///
  /// - Returns: whether the value is in base64.
  private mutating func takeEncoding(_ property: Property) throws(VCardError) -> Bool {
    var isBase64 = false
    for parameter in property.parameters {
      for value in parameter.values.map({ $0.uppercased() }) {
        switch (parameter.name, value) {
        case ("ENCODING", "B"), (nil, "B"), (nil, "BASE64"):
          isBase64 = true
        case ("ENCODING", "BASE64"):
          isBase64 = true
          warn(.base64Name)
        case ("ENCODING", _), (nil, "QUOTED-PRINTABLE"):
          let encoding = CharacterSet.knownEncoding(value).map { "the encoding \($0), which" } ?? "an encoding that"
          throw VCardError(
            .encoding, "\(property.place) is in \(encoding) vCard 3.0 does not have",
            remedy: CharacterSet.remedy)
        default:
          break
        }
      }
      if parameter.name == nil { warn(.bareParameter) }
    }
    return isBase64
  }

  private mutating func takeCharset(_ property: Property) throws(VCardError) {
    for value in property.values(of: "CHARSET") {
      guard value == "UTF-8" else {
        throw VCardError(
          .charset, "\(property.place) is in \(CharacterSet.known(value) ?? "another character set"), not in UTF-8",
          remedy: CharacterSet.remedy)
      }
      warn(.charset)
    }
  }

  private mutating func takePhoto(_ property: Property, isBase64: Bool) {
    switch PhotoValue(property, isBase64: isBase64) {
    case .base64(let text): photo = photo ?? text
    case .address: photoElsewhere = photoElsewhere ?? .photoAddress
    case .other: photoElsewhere = photoElsewhere ?? .photo
    }
  }

  mutating func warn(_ warning: VCardWarning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }

  /// Makes the card.
  ///
  /// - Throws: `name`.
  mutating func finish() throws(VCardError) -> VCard.Reading {
    let parts = (name ?? []) + Array(repeating: "", count: 5)
    let name = VCard.Name(
      family: parts[0], given: parts[1], additional: parts[2], prefix: parts[3], suffix: parts[4])
    let isUnnamed = formattedName?.isBlank ?? true
    if isUnnamed, name.isBlank { throw VCardError(.name, "the card has no name, neither FN nor N") }
    if isUnnamed { warn(.formattedName) }
    if name.isBlank { warn(.name) }
    let photo = takenPhoto()
    let card = VCard(
      formattedName: isUnnamed ? name.joined : formattedName ?? "", name: name, title: title,
      organization: organization ?? [], telephones: telephones, emails: emails, photo: photo)
    return VCard.Reading(card: card, warnings: warnings)
  }

  private mutating func takenPhoto() -> Photo? {
    guard let photo else {
      photoElsewhere.map { warn($0) }
      return nil
    }
    guard let bytes = Base64.decoded(photo), ImageHeader(bytes) != nil else {
      warn(.photo)
      return nil
    }
    let taken = Photo(bytes)
    if taken == nil { warn(.photoSize) }
    return taken
  }
}
