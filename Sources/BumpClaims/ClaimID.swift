import BumpText

/// The public id of a claim: 1 to 64 of `A-Z a-z 0-9 - _`.
public struct ClaimID: Hashable, Sendable, CustomStringConvertible {
  /// The id as text.
  public let description: String

  /// Reads an id.
  ///
  /// - Throws: `ClaimError.claimID` for another length or character.
  public init(_ text: some StringProtocol) throws(ClaimError) {
    guard ClaimLimits.claimID.contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isURLSafe) else {
      throw ClaimError(.claimID, "a claim id is 1 to 64 of A-Z, a-z, 0-9, - and _")
    }
    description = String(text)
  }

  /// Makes an id of 16 random bytes: 22 characters of unpadded base64url.
  public init(random bytes: [UInt8]) {
    description = Base64.urlEncoded(bytes)
  }
}
