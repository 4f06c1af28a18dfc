/// The public name of a claim: 1 to 64 of `A-Z a-z 0-9 - _`.
public struct ClaimID: Hashable, Sendable, CustomStringConvertible {
  public let description: String

  /// - Throws: `WireError.claimID`.
  public init(_ text: some StringProtocol) throws(WireError) {
    guard Limits.claimID.contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isURLSafe) else {
      throw WireError(.claimID, "a claim id is 1 to 64 of A-Z, a-z, 0-9, - and _")
    }
    description = String(text)
  }

  /// The id that 16 random bytes make: 22 characters of unpadded base64url.
  public init(random bytes: [UInt8]) {
    description = Base64.urlEncoded(bytes)
  }
}
