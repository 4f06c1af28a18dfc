import BumpClaims
public import Crypto

/// Makes challenges and checks what was made of them. Servers that share a key take each other's.
///
/// A challenge is not remembered when it is made: its signature says that it was. That it is used once is for the caller to
/// see to, by the digest, until `expires`.
public struct ChallengeIssuer: Sendable {
  /// Seconds for which a challenge may be solved.
  public static let lifetime: Int64 = 300
  /// The greatest number by default: half as many hashes on average, some 50 ms of one core.
  public static let usualNumber: Int64 = 100_000

  private let key: SymmetricKey
  private let maximumNumber: Int64

  /// - Parameter key: 32 random bytes, which clients never see.
  public init(key: SymmetricKey, maximumNumber: Int64 = usualNumber) {
    self.key = key
    self.maximumNumber = maximumNumber
  }

  /// Makes a challenge.
  ///
  /// - Parameter now: seconds since 1970.
  public func challenge(at now: Int64, using generator: inout some RandomNumberGenerator) -> Challenge {
    let random = generator.bytes(12)
    let number = Int64.random(in: 0...maximumNumber, using: &generator)
    return challenge(Fields.digits(random), number: number, expires: now + Self.lifetime)
  }

  func challenge(_ random: String, number: Int64, expires: Int64) -> Challenge {
    let salt = "\(random)?expires=\(expires)&"
    let digest = Challenge.digest(of: salt, number)
    return Challenge(salt: salt, digest: digest, maximumNumber: maximumNumber, signature: signature(of: digest))
  }

  private func signature(of digest: String) -> String {
    Fields.digits(HMAC<SHA256>.authenticationCode(for: Array(digest.utf8), using: key))
  }

  /// What became of a challenge.
  public enum Verdict: Hashable, Sendable {
    /// It was made by this key, is solved, and has not expired. Whoever sees it first takes it, until then.
    case solved(digest: String, expires: Int64)
    case expired
    /// It was not made by this key, or is not solved.
    case invalid
  }

  /// Checks a solution, but not whether it was used before.
  ///
  /// - Parameter now: seconds since 1970.
  public func verdict(on solution: SolvedChallenge, at now: Int64) -> Verdict {
    guard
      let signature = Fields.bytes(ofDigits: solution.signature), let expires = Self.expiry(in: solution.salt),
      Challenge.digest(of: solution.salt, solution.number) == solution.digest,
      (0...maximumNumber).contains(solution.number),
      HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: Array(solution.digest.utf8), using: key)
    else { return .invalid }
    return now < expires ? .solved(digest: solution.digest, expires: expires) : .expired
  }

  /// The time in a salt of the one form that is issued here; `nil` for any other.
  private static func expiry(in salt: String) -> Int64? {
    guard let match = salt.wholeMatch(of: /[0-9a-f]{24}\?expires=([1-9][0-9]{0,17})&/) else { return nil }
    return Int64(match.1)
  }
}
