import BumpWire
import Testing

@Suite struct ClaimSecretTests {
  @Test(arguments: [0, 1, 15, 17, 32])
  func `a secret of any length but sixteen bytes is refused`(count: Int) {
    let error = #expect(throws: WireError.self) { try ClaimSecret([UInt8](repeating: 7, count: count)) }
    #expect(error?.code == .secret)
  }

  @Test func `equal bytes make equal secrets, and one bit makes another`() throws {
    let secret = try ClaimSecret(Vector.secretBytes)
    var other = Vector.secretBytes
    other[15] ^= 1
    #expect(try ClaimSecret(Vector.secretBytes) == secret)
    #expect(try ClaimSecret(Vector.secretBytes).hashValue == secret.hashValue)
    #expect(try ClaimSecret(other) != secret)
    #expect(secret.exposed == Vector.secretBytes)
  }

  /// Every way in which Swift prints a value.
  static let printers: [(String, @Sendable (Any) -> String)] = [
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

  /// Whatever carries a secret, by name.
  static var carriers: [String: Any] {
    get throws {
      let claim = try Vector.claim
      let link = try ClaimLink(claim: claim, expiry: try #require(Expiry(unixSeconds: 1_795_300_000)))
      return [
        "ClaimSecret": claim.secret, "Claim": claim, "ClaimLink": link,
        "UnverifiedClaimLink": try UnverifiedClaimLink(Vector.link),
        "Message": Message.claim(mac: [UInt8](repeating: 0, count: 32), payload: claim.payload),
      ]
    }
  }

  @Test(arguments: ["ClaimSecret", "Claim", "ClaimLink", "UnverifiedClaimLink", "Message"], printers.map(\.0))
  func `no way of printing shows a secret`(carrier: String, way: String) throws {
    let value = try #require(try Self.carriers[carrier])
    let text = try #require(Self.printers.first { $0.0 == way }).1(value)
    let flat = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    for leak in Self.forms(of: Vector.secretBytes) + Self.forms(of: Array(Vector.payload.utf8)) {
      #expect(!flat.contains(leak.lowercased()), "\(text)")
    }
  }

  @Test(arguments: ["String(describing:)", "String(reflecting:)", "an interpolation", "dump", "print", "debugPrint"])
  func `a secret prints as redacted`(way: String) throws {
    let text = try #require(Self.printers.first { $0.0 == way }).1(try ClaimSecret(Vector.secretBytes))
    #expect(text.contains("<redacted>"))
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
}
