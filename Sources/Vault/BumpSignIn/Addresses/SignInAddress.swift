public import BumpText

/// An address to which a code can be sent. It prints as `<redacted>`: an address belongs into the message that is sent
/// to it, and nowhere else.
public enum SignInAddress: Hashable, Sendable, Redacted {
  /// An e-mail address.
  case mail(MailAddress)
  /// The number of a phone that receives SMS.
  case phone(PhoneNumber)

  /// The bytes of which a store keeps a keyed hash: the kind of address, and the normalized address. No number is
  /// somebody's e-mail address.
  var identity: [UInt8] {
    switch self {
    case .mail(let address): Array("mail:\(address.text)".utf8)
    case .phone(let number): Array("phone:\(number.text)".utf8)
    }
  }
}

/// The reason why a text is not an address. It never repeats the text.
public struct AddressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, for a person.
  public let reason: String
  /// What to try, as a sentence.
  public let remedy: String

  init(_ reason: String, remedy: String) { (self.reason, self.remedy) = (reason, remedy) }

  /// The reason, followed by the remedy as its own sentence.
  public var description: String { "\(reason). \(remedy)" }
}
