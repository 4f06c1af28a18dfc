import BumpClaims
import BumpText
import BumpWallet
import Samples
import Testing

@testable import BumpVaultAPI

/// The bodies of requests: each field by its name, and nothing else.
struct RequestTests {
  private static let address = "0x52908400098527886E0F7030069857D2E4169EE7"
  private static let hash = "0x" + String(repeating: "0a", count: 32)

  private static let draft: [(String, String)] = [
    ("claimId", #""theirs""#), ("secretHash", "\"\(hash)\""), ("token", "\"\(address)\""), ("amount", #""1.00""#),
    ("expiry", "1800000000"),
  ]
  private static let deposit = [
    ("sender", "\"\(address)\""), ("authorization", #""0x00ff""#), ("validBefore", "1800000000"),
  ]
  private static let payout = [("receiver", "\"\(address)\""), ("proof", #""0x00ff""#)]
  private static let faucet = [("address", "\"\(address)\""), ("amount", #""1.00""#), ("id", "\"\(hash)\"")]

  enum Kind: CaseIterable {
    case draft, deposit, payout, faucet

    var fields: [(String, String)] {
      switch self {
      case .draft: RequestTests.draft
      case .deposit: RequestTests.deposit
      case .payout: RequestTests.payout
      case .faucet: RequestTests.faucet
      }
    }

    /// Reads the body, and writes it again.
    func read(_ body: String) throws(RequestError) -> JSONValue {
      switch self {
      case .draft: try DraftRequest(body.utf8).json
      case .deposit: try DepositRequest(body.utf8).json
      case .payout: try PayoutRequest(body.utf8).json
      case .faucet: try FaucetRequest(body.utf8).json
      }
    }
  }

  private func body(_ fields: [(String, String)]) -> String {
    "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  private func error(_ kind: Kind, _ fields: [(String, String)]) -> RequestError? {
    do {
      _ = try kind.read(body(fields))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: Kind.allCases)
  func `what is written is read as the same, in any order`(kind: Kind) throws {
    let whole = body(kind.fields)
    #expect(try kind.read(whole).text == whole)
    #expect(try kind.read(body(kind.fields.reversed())).text == whole)
  }

  @Test(arguments: Kind.allCases)
  func `a field that is missing, unknown, or there twice is refused by its name`(kind: Kind) {
    for (index, field) in kind.fields.enumerated() {
      var fields = kind.fields
      fields.remove(at: index)
      // Only the faucet's id is optional.
      if field.0 != "id" {
        let missing = error(kind, fields)
        #expect(missing?.code == .missingField && missing?.field == field.0, "\(field.0)")
      }
      let twice = error(kind, kind.fields + [field])
      #expect(twice?.code == .duplicateField && twice?.field == field.0)
    }
    let unknown = error(kind, kind.fields + [("Amount", #""2.00""#)])
    #expect(unknown?.code == .unknownField && unknown?.field == "Amount")
    #expect(unknown?.reason.contains("\"Amount\"") == true)
  }

  @Test(arguments: Kind.allCases)
  func `a field of another kind is refused by its name`(kind: Kind) {
    for (index, field) in kind.fields.enumerated() {
      for wrong in ["null", "true", "[]", "{}", #""""#, "-1"] {
        var fields = kind.fields
        fields[index].1 = wrong
        let refusal = error(kind, fields)
        #expect(refusal?.code == .field && refusal?.field == field.0, "\(field.0): \(wrong)")
      }
    }
  }

  @Test(arguments: ["1.00", "1", "100"])
  func `an amount that is a number is refused`(amount: String) {
    var fields = Kind.draft.fields
    fields[3].1 = amount
    let refusal = error(.draft, fields)
    #expect(refusal?.code == (amount.contains(".") ? .float : .field))
  }

  @Test func `a draft names both, id and hash, or neither`() throws {
    #expect(try DraftRequest(body(Array(Self.draft.dropFirst(2))).utf8).identity == nil)
    #expect(error(.draft, Array(Self.draft.dropFirst(1)))?.field == "claimId")
  }

  @Test func `a claim is made by a proof or by the secret, and no error repeats either`() throws {
    let secret = Base64.encoded([UInt8](repeating: 7, count: 16))
    let bySecret = [Self.payout[0], ("secret", "\"\(secret)\""), ("claimId", "\"abc\"")]
    let request = try PayoutRequest(body(bySecret).utf8)
    #expect(request.right == .secret(try ClaimSecret([UInt8](repeating: 7, count: 16)), of: try ClaimID("abc")))
    #expect(!"\(request)".contains(secret))
    #expect(error(.payout, Self.payout + [bySecret[1]])?.code == .field)
    #expect(error(.payout, Self.payout + [bySecret[2]])?.field == "claimId")
    #expect(error(.payout, Array(bySecret.dropLast()))?.field == "claimId", "the key is made of the id too")
    let wrong = error(.payout, [Self.payout[0], ("secret", "\"\(secret)x\"")])
    #expect(wrong?.code == .field && wrong?.description.contains(secret) == false)
  }

  @Test func `a list is not a request`() {
    #expect(throws: RequestError(.malformed, "")) { try DepositRequest("[]".utf8) }
  }
}
