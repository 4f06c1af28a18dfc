import BumpClaims
import BumpText
import BumpWallet
import Samples
import Testing

@Suite struct SecretTests {
  private static let sevens = [UInt8](repeating: 7, count: 32)

  static var secrets: [String: any Redacted] {
    get throws {
      [
        "PrivateKey": try PrivateKey(sevens),
        "ClaimKey": ClaimKey(secret: try ClaimSecret(sevens.prefix(16)), claimID: try ClaimID("a")),
      ]
    }
  }

  @Test(arguments: ["PrivateKey", "ClaimKey"])
  func `a key prints as redacted, and so does what it lies in`(type: String) throws {
    Printing.expectRedacted(try #require(try Self.secrets[type]))
  }

  @Test func `equal keys are equal, and one bit makes another`() throws {
    #expect(try PrivateKey(Self.sevens) == PrivateKey(Self.sevens))
    #expect(try PrivateKey(Self.sevens) != PrivateKey(Self.sevens.dropLast() + [6]))
  }
}
