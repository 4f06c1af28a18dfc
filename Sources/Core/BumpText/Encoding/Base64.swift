import FoundationEssentials

/// Base64 and base64url (RFC 4648 §4, §5). Decoding accepts canonical text only: two texts for one value would make one
/// claim look like two.
public enum Base64 {
  /// Returns bytes in base64, padded.
  public static func encoded(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
  }

  /// Returns bytes in base64url, unpadded.
  public static func urlEncoded(_ bytes: [UInt8]) -> String {
    String(
      encoded(bytes).compactMap { character in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }

  /// Returns the bytes of a text in base64; `nil` unless `encoded` returns exactly this text for them.
  public static func decoded(_ text: some StringProtocol) -> [UInt8]? {
    guard let data = Data(base64Encoded: String(text)) else { return nil }
    let bytes = Array(data)
    return encoded(bytes).utf8.elementsEqual(text.utf8) ? bytes : nil
  }

  /// Returns the bytes of a text in base64url; `nil` unless `urlEncoded` returns exactly this text for them.
  public static func urlDecoded(_ text: some StringProtocol) -> [UInt8]? {
    var standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    standard += String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    guard let bytes = decoded(standard), urlEncoded(bytes).utf8.elementsEqual(text.utf8) else { return nil }
    return bytes
  }
}
