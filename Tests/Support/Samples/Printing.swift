import BumpClaims
package import BumpText
import Testing

/// How values with a secret in them are printed, and what must not be seen then.
package enum Printing {
  /// Every way in which Swift prints a value.
  private static let printers: [(String, @Sendable (Any) -> String)] = [
    ("String(describing:)", { String(describing: $0) }),
    ("String(reflecting:)", { String(reflecting: $0) }),
    ("an interpolation", { "\($0)" }),
    (
      "dump",
      { value in
        var text = ""
        dump(value, to: &text)
        return text
      }
    ),
    (
      "print",
      { value in
        var text = ""
        print(value, to: &text)
        return text
      }
    ),
    (
      "debugPrint",
      { value in
        var text = ""
        debugPrint(value, to: &text)
        return text
      }
    ),
    ("a mirror", { "\(Mirror(reflecting: $0).children.map { "\($0)" })" }),
    ("an array's description", { "\([$0])" }),
    ("an optional's description", { String(reflecting: Optional($0)) }),
    ("another value's description", { "\(Carrier(value: $0))" }),
  ]

  private struct Carrier { let value: Any }

  package static let ways = printers.map(\.0)

  /// - Parameter way: one of `ways`.
  package static func printed(_ value: Any, _ way: String) -> String {
    printers.first { $0.0 == way }?.1(value) ?? "no way of printing: \(way)"
  }

  /// Records an issue where `Vector`'s secret is to be read in `value`.
  package static func expectNoSecret(in value: Any, _ way: String) {
    let text = printed(value, way)
    let flat = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    for leak in forms(of: Vector.secretBytes) + forms(of: Array(Vector.payload.utf8)) {
      #expect(!flat.contains(leak.lowercased()), "\(text)")
    }
  }

  /// How the first few bytes would look, were they printed: enough of them that chance does not make them.
  private static func forms(of bytes: [UInt8]) -> [String] {
    let few = bytes.prefix(3)
    return [
      String(Base64.encoded(bytes).prefix(6)), String(Base64.urlEncoded(bytes).prefix(6)),
      few.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(),
      few.map { "\($0)" }.joined(separator: ", "), few.map { "- \($0)" }.joined(separator: " "),
    ]
  }

  /// Records an issue where `secret`, or what it lies in, prints as anything but `<redacted>`.
  package static func expectRedacted(_ secret: any Redacted) {
    struct Carrier { let secret: any Redacted }
    #expect("\(secret)" == "<redacted>")
    #expect(String(describing: secret) == "<redacted>")
    #expect(String(reflecting: secret) == "<redacted>")
    #expect(Mirror(reflecting: secret).children.isEmpty)
    var dumped = ""
    dump(secret, to: &dumped)
    #expect(dumped == "- <redacted>\n")
    #expect("\([secret])" == "[<redacted>]" && "\(Carrier(secret: secret))" == "Carrier(secret: <redacted>)")
  }
}
