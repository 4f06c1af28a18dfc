import BumpCards
import BumpClaims
import BumpText
import Testing

/// Cards as files have them.
enum Cards {
  /// A card of these lines, each with CRLF, between the lines that every card has.
  static func text(_ lines: [String], version: String = "VERSION:3.0") -> String {
    (["BEGIN:VCARD", version] + lines + ["END:VCARD"]).map { $0 + "\r\n" }.joined()
  }

  static func bytes(_ lines: [String]) -> [UInt8] { Array(text(lines).utf8) }

  static let named = ["N:Public;Jo;;;", "FN:Jo Public"]

  static func photo(_ bytes: [UInt8], _ parameters: String = ";ENCODING=b;TYPE=JPEG") -> String {
    "PHOTO\(parameters):\(Base64.encoded(bytes))"
  }

  static func read(_ lines: [String]) throws -> VCard.Reading { try VCard.read(bytes(lines)) }

  /// What reading the bytes fails with; `nil` where it does not.
  static func failure(_ bytes: [UInt8]) -> VCardError.Code? {
    do {
      _ = try VCard.read(bytes)
      return nil
    } catch {
      return error.code
    }
  }

  static func failure(_ lines: [String]) -> VCardError.Code? { failure(bytes(lines)) }
}
