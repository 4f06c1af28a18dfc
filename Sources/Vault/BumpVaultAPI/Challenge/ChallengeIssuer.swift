import BumpClaims
public import Crypto

/// Makes challenges and checks solutions. Servers that share a key accept each other's challenges.
///
/// The issuer does not store its challenges: their signature proves that it made them. The caller must accept each
/// digest only once, until `expires`.
public struct ChallengeIssuer: Sendable {
  /// How long a challenge may be solved, in seconds.
  public static let lifetime: Int64 = 300
  /// The default for the greatest number. A solution takes half as many hashes on average, some 50 ms of one core.
  public static let usualNumber: Int64 = 100_000

  private let key: SymmetricKey
  private let maximumNumber: Int64

  /// - Parameters:
  ///   - key: 32 random bytes, which clients never see.
  ///   - maximumNumber: the greatest number that may solve a challenge.
  public init(key: SymmetricKey, maximumNumber: Int64 = usualNumber) {
    self.key = key
    self.maximumNumber = maximumNumber
  }

  /// Makes a challenge.
  ///
  /// - Parameter now: the time in seconds since 1970.
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

  /// The result of checking a solution.
  public enum Verdict: Hashable, Sendable {
    /// This key made the challenge, the number solves it, and it has not expired. The caller must accept the digest
    /// only once, until `expires`.
    case solved(digest: String, expires: Int64)
    /// This key made the challenge and the number solves it, but too late.
    case expired
    /// This key did not make the challenge, or the number does not solve it.
    case invalid
  }

  /// Checks a solution, but not whether it was used before.
  ///
  /// - Parameter now: the time in seconds since 1970.
  public func verdict(on solution: SolvedChallenge, at now: Int64) -> Verdict {
    guard
      let signature = Fields.bytes(ofDigits: solution.signature), let expires = Self.expiry(in: solution.salt),
      Challenge.digest(of: solution.salt, solution.number) == solution.digest,
      (0...maximumNumber).contains(solution.number),
      HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: Array(solution.digest.utf8), using: key)
    else { return .invalid }
    return now < expires ? .solved(digest: solution.digest, expires: expires) : .expired
  }

  /// Returns the expiry in a salt of the form that this issuer makes; `nil` for any other.
  private static func expiry(in salt: String) -> Int64? {
    guard let match = salt.wholeMatch(of: /[0-9a-f]{24}\?expires=([1-9][0-9]{0,17})&/) else { return nil }
    return Int64(match.1)
  }
}
