/// A claim as a link, the payload of the QR code. It is bearer money: shown to a person, and nowhere else.
///
/// The secret stands behind `#`, so a browser never sends it to a server.
public struct ClaimLink: Hashable, Sendable {
  public static let defaultBase = "https://irl.app/claim"

  /// What stands before `/{claimId}`.
  public let base: String
  public let claim: Claim
  public let expiry: Expiry

  /// - Throws: `WireError.link` unless `base` is `https://` and printable ASCII without `#`, white space or a `/` at its
  ///   end, or where the link would be longer than 1,024 bytes.
  public init(base: String = Self.defaultBase, claim: Claim, expiry: Expiry) throws(WireError) {
    try Self.check(base: base)
    self.base = base
    self.claim = claim
    self.expiry = expiry
  }

  /// Checks a base without making a link.
  ///
  /// - Throws: `WireError.link`, as `init` does.
  public static func check(base: String) throws(WireError) {
    let scheme = "https://"
    guard
      base.hasPrefix(scheme), base.utf8.count > scheme.utf8.count, base.utf8.count <= Limits.link / 2,
      base.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"#'\"\\".utf8.contains($0) }),
      base.utf8.last != UInt8(ascii: "/")
    else {
      throw WireError(.link, "a link base looks like \(defaultBase): https, no # or quote, no / at its end")
    }
  }

  /// The link up to but without `&m=`: what its mac is made over.
  public var unsealed: String {
    "\(base)/\(claim.id)#s=\(Base64.urlEncoded(claim.secret.exposed))&a=\(claim.amount)&t=\(claim.token)&x=\(expiry)"
  }

  /// The whole link.
  public func sealed(mac: [UInt8]) -> String { "\(unsealed)&m=\(Base64.urlEncoded(mac))" }
}

extension ClaimLink: CustomStringConvertible {
  public var description: String { "\(base)/\(claim.id)#<redacted>" }
}

/// A link as it was read: nothing about it is known until its mac is checked.
public struct UnverifiedClaimLink: Hashable, Sendable {
  public let link: ClaimLink
  public let mac: [UInt8]

  /// Reads the text of a link.
  ///
  /// - Throws: `WireError.link` for anything but the one encoding of a link with a mac of 16 bytes.
  public init(_ text: String) throws(WireError) {
    // Bytes are compared, not strings: Swift takes a kelvin sign for a K.
    guard
      text.utf8.count <= Limits.link, let parsed = Self.scan(text),
      parsed.link.sealed(mac: parsed.mac).utf8.elementsEqual(text.utf8)
    else {
      throw WireError(.link, "not a whole claim link; scan it again, or ask for a new one")
    }
    self = parsed
  }

  private init(link: ClaimLink, mac: [UInt8]) {
    self.link = link
    self.mac = mac
  }

  private static func scan(_ text: String) -> Self? {
    let halves = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, let slash = halves[0].lastIndex(of: "/") else { return nil }
    var scanner = CanonicalScanner(halves[1].utf8)
    guard scanner.take("s=") else { return nil }
    let secret = scanner.take(while: ASCII.isURLSafe)
    guard scanner.take("&a=") else { return nil }
    let amount = scanner.take(while: CanonicalScanner.isNumeric)
    guard scanner.take("&t=") else { return nil }
    let token = scanner.take(while: Token.isCharacter)
    guard scanner.take("&x=") else { return nil }
    let expiry = scanner.take(while: ASCII.isDigit)
    guard scanner.take("&m=") else { return nil }
    let mac = scanner.take(while: ASCII.isURLSafe)
    guard
      scanner.isAtEnd, let secret = Base64.urlDecoded(secret), let expiry = Expiry(digits: expiry),
      let mac = Base64.urlDecoded(mac), mac.count == Limits.linkMAC,
      let claim = try? Claim(
        id: ClaimID(halves[0][slash...].dropFirst()), secret: ClaimSecret(secret), token: Token(token),
        amount: Amount(amount)),
      let link = try? ClaimLink(base: String(halves[0][..<slash]), claim: claim, expiry: expiry)
    else { return nil }
    return Self(link: link, mac: mac)
  }
}
