import BumpClaims
import BumpText
package import BumpWallet

/// Reads and writes the values of a message's fields.
package enum Fields {
  static func claimID(_ value: JSONValue) throws -> ClaimID { try ClaimID(value.string()) }

  package static func address(_ value: JSONValue) throws -> Address { try Address(value.string()) }

  static func bytes32(_ value: JSONValue) throws -> Bytes32 { try Bytes32(value.string()) }

  /// A string of decimal digits, as in the claim. Never a number, which might be read as a float.
  static func amount(_ value: JSONValue) throws -> Amount { try Amount(value.string()) }

  /// Whole seconds since 1970.
  static func moment(_ value: JSONValue) throws -> Expiry {
    guard let moment = Expiry(unixSeconds: try value.integer()) else { throw Mismatch("it is before 1970") }
    return moment
  }

  package static func flag(_ value: JSONValue) throws -> Bool {
    guard case .bool(let flag) = value else { throw Mismatch("it is \(value.kind), not true or false") }
    return flag
  }

  static func status(_ value: JSONValue) throws -> ClaimStatus {
    guard let status = ClaimStatus(rawValue: try value.string()) else { throw Mismatch("it is not a claim's status") }
    return status
  }

  /// The status of a claim that may be on a chain; `nil` for `submitted`.
  static func claimState(_ value: JSONValue) throws -> ClaimStatus? {
    try value.string() == "submitted" ? nil : status(value)
  }

  /// `0x` and hex digits, two for each byte. The vault checks their number, since only it knows the kind of wallet.
  static func signature(_ value: JSONValue) throws -> [UInt8] {
    guard let bytes = Hex.decode(prefixed: try value.string()) else {
      throw Mismatch("it is not 0x and an even number of hex digits")
    }
    return bytes
  }

  /// A vault's URL, in the one form that is signed.
  static func origin(_ value: JSONValue) throws -> VaultURL {
    let text = try value.string()
    guard let url = VaultURL(text), url.description == text else { throw Mismatch("it is not a vault's origin") }
    return url
  }

  /// Base64, as in the claim.
  static func secret(_ value: JSONValue) throws -> ClaimSecret {
    guard let bytes = Base64.decoded(try value.string()) else { throw Mismatch("it is not base64") }
    return try ClaimSecret(bytes)
  }

  /// Returns lower-case hex digits, the form of ALTCHA's hashes.
  static func digits(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Hex.encode(Array(bytes)), as: UTF8.self)
  }

  /// Returns the bytes of a hash in lower-case hex digits; `nil` for any other form.
  static func bytes(ofDigits text: String) -> [UInt8]? {
    Hex.decode(text.utf8).flatMap { digits($0) == text ? $0 : nil }
  }

  /// ALTCHA's name of the only hash algorithm in use.
  static func algorithm(_ value: JSONValue) throws -> String {
    let name = try value.string()
    guard name == "SHA-256" else { throw Mismatch("it is not SHA-256") }
    return name
  }

  /// The error for a value that a field does not allow.
  package struct Mismatch: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
  }
}
