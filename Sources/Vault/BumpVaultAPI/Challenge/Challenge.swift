import BumpText
import Crypto

/// A proof-of-work challenge in ALTCHA's first format: find the number whose digits, appended to a salt, have a given
/// SHA-256.
///
/// The salt ends with `&`. Without it, digits could be shifted between the time in the salt and the number, and one
/// solution would be good forever (ALTCHA's advisory of December 2025, GHSA-6gvq-jcmp-8959).
public struct Challenge: Hashable, Sendable {
  /// Random hex digits, `?expires=`, seconds since 1970, `&`.
  public let salt: String
  /// SHA-256 of salt and number, in hex.
  public let digest: String
  /// The greatest number that may be the solution.
  public let maximumNumber: Int64
  /// HMAC-SHA256 of the digest's hex digits with the issuer's key, in hex.
  public let signature: String

  init(salt: String, digest: String, maximumNumber: Int64, signature: String) {
    (self.salt, self.digest, self.maximumNumber, self.signature) = (salt, digest, maximumNumber, signature)
  }

  /// Reads a challenge from a server's answer.
  ///
  /// - Throws: `RequestError`.
  public init(_ body: some Collection<UInt8>) throws(RequestError) {
    var fields = try JSONFields(body)
    _ = try fields.required("algorithm", Fields.algorithm)
    salt = try fields.required("salt") { try $0.string() }
    digest = try fields.required("challenge") { try $0.string() }
    maximumNumber = try fields.required("maxnumber") { try $0.integer() }
    signature = try fields.required("signature") { try $0.string() }
    try fields.end()
  }

  /// The challenge by ALTCHA's names: `challenge` is the digest, `maxnumber` the greatest number.
  public var json: JSONValue {
    [
      "algorithm": "SHA-256", "challenge": .string(digest), "maxnumber": .integer(maximumNumber), "salt": .string(salt),
      "signature": .string(signature),
    ]
  }

  /// Finds the number by trying one after the other: some 50 ms of one core for 100,000.
  ///
  /// - Parameters:
  ///   - limit: the greatest number to try, whatever the server asks for.
  ///   - isOver: asked every few milliseconds whether to give up. In between, other tasks can run.
  /// - Returns: `nil` if no number up to the limit is the solution, or if the search was given up.
  public func solved(
    upTo limit: Int64 = 10_000_000, unless isOver: () -> Bool = { Task.isCancelled }
  ) async -> SolvedChallenge? {
    for number in 0...max(0, min(maximumNumber, limit)) {
      if number.isMultiple(of: 10_000) {
        await Task.yield()
        if isOver() { return nil }
      }
      if Self.digest(of: salt, number) == digest { return SolvedChallenge(self, number: number) }
    }
    return nil
  }

  static func digest(of salt: String, _ number: Int64) -> String {
    Fields.digits(SHA256.hash(data: Array("\(salt)\(number)".utf8)))
  }
}

/// A challenge with the number that solves it.
public struct SolvedChallenge: Hashable, Sendable {
  /// The challenge's salt, which contains its expiry: see `Challenge.salt`.
  public let salt: String
  /// The challenge's digest, in hex. Reading does not check that it is that of salt and number.
  public let digest: String
  /// The number that solves the challenge, by the client's word.
  public let number: Int64
  /// The issuer's HMAC of the digest, in hex: see `Challenge.signature`.
  public let signature: String

  init(_ challenge: Challenge, number: Int64) {
    (salt, digest, signature) = (challenge.salt, challenge.digest, challenge.signature)
    self.number = number
  }

  /// Reads a client's solution: base64 of a JSON object.
  ///
  /// - Throws: `RequestError`.
  public init(payload: String) throws(RequestError) {
    guard let bytes = Base64.decoded(payload) else {
      throw RequestError(.field, "the solved challenge is not base64", field: "altcha")
    }
    do {
      var fields = try JSONFields(bytes)
      _ = try fields.required("algorithm", Fields.algorithm)
      salt = try fields.required("salt") { try $0.string() }
      digest = try fields.required("challenge") { try $0.string() }
      number = try fields.required("number") { try $0.integer() }
      signature = try fields.required("signature") { try $0.string() }
      // ALTCHA's widget adds how long the solution took, in milliseconds.
      _ = try fields.optional("took") { try $0.integer() }
      try fields.end()
    } catch {
      throw RequestError(error.code, "in the solved challenge \(error.reason)", field: "altcha")
    }
  }

  /// The value of the field `altcha`: base64 of a JSON object.
  public var payload: String {
    let json: JSONValue = [
      "algorithm": "SHA-256", "challenge": .string(digest), "number": .integer(number), "salt": .string(salt),
      "signature": .string(signature),
    ]
    return Base64.encoded(json.encoded)
  }
}
