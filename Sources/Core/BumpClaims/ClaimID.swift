import BumpText

/// The public id of a claim: 1 to 64 of `A-Z a-z 0-9 - _`, and no `-` first.
public struct ClaimID: Hashable, Sendable, CustomStringConvertible {
  /// The id as text.
  public let description: String

  /// Reads an id.
  ///
  /// - Throws: `ClaimError.claimID` for another length or character, or a `-` at the beginning.
  public init(_ text: some StringProtocol) throws(ClaimError) {
    let text = String(text)
    guard ClaimLimits.claimID.contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isURLSafe), Self.isNoOption(text)
    else {
      throw ClaimError(.claimID, "a claim id is 1 to 64 of A-Z, a-z, 0-9, - and _, and does not begin with -")
    }
    description = text
  }

  /// Draws an id: 22 characters of unpadded base64url. Draws again where it would begin with `-`, as one in 64 would.
  ///
  /// - Parameter draw: returns 16 random bytes, others each time.
  public init(drawing draw: () throws -> [UInt8]) rethrows {
    var text: String
    repeat { text = Base64.urlEncoded(try draw()) } while !Self.isNoOption(text)
    description = text
  }

  /// Whether a program that is given the id as an argument takes it for no option: the id `-h` would ask for help.
  private static func isNoOption(_ text: String) -> Bool { text.utf8.first != UInt8(ascii: "-") }
}
