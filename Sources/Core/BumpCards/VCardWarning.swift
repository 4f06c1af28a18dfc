/// A deviation of a card from the standard, or a part that is not read. The card can be read nevertheless, and its bytes
/// are sent and saved whole.
public enum VCardWarning: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// An encoding is called BASE64 instead of b.
  case base64Name = "base64-name"
  /// A parameter has no name, as in version 2.1.
  case bareParameter = "bare-param"
  /// A property says that it is in UTF-8, as every property is.
  case charset
  /// An extension, a line whose name begins with X-, is no property. It is skipped.
  case extensionName = "x-name"
  /// FN is absent or blank. It was made from N.
  case formattedName = "fn"
  /// N is absent or blank.
  case name = "n"
  /// The photo is not base64, or not a picture of a known type. `VCard.photo` does not have it.
  case photo
  /// The photo is larger than `CardLimits.photo`. `VCard.photo` does not have it.
  case photoSize = "photo-size"
  /// The card has only the photo's address, which is never fetched.
  case photoAddress = "photo-uri"

  /// The warning for a person.
  public var description: String {
    switch self {
    case .base64Name: "an encoding is called BASE64, and not b"
    case .bareParameter: "a parameter has no name, as in vCard 2.1"
    case .charset: "a property names its character set, which vCard 3.0 does not have"
    case .extensionName: "a line that begins with X- is not a property, and is skipped"
    case .formattedName: "the card has no FN, so the name is put together of N"
    case .name: "the card has no N"
    case .photo: "the photo is not shown: it is not a JPEG, PNG or GIF in base64"
    case .photoSize: "the photo is not shown: it has more than \(CardLimits.photo) bytes"
    case .photoAddress: "the photo is not shown: the card has only its address, which is not fetched"
    }
  }
}
