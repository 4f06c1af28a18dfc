import BumpWallet
import Testing

/// A wallet's key as a person writes it down.
struct RecoveryCodeTests {
  /// Keys and their codes as `Tests/Tools/ClaimPage/seal_tests.py` computes them without bump.
  private static let known = [
    (
      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
      "04HM-ASW9-NF6Y-Y093-8NKR-KAYD-XW0J-6HB7-H6NW-VVR1-4D2P-F2DB-SQQT-V305"
    ),
    (
      "00000000000000000000000000000000000000000000000000000000000000ff",
      "0000-0000-0000-0000-0000-0000-0000-0000-0000-0000-0000-0000-03ZY-9WJ7"
    ),
  ]

  private func key(_ digits: String) throws -> PrivateKey { try PrivateKey(file: Array(digits.utf8)) }

  @Test(arguments: known) func `a code is the key with a checksum`(digits: String, code: String) throws {
    #expect(try key(digits).exposedRecoveryCode == code)
    #expect(try PrivateKey(recoveryCode: code) == key(digits))
  }

  @Test func `a code is read in either case, without its hyphens, and with letters that look like digits`() throws {
    let (digits, code) = Self.known[0]
    let read = code.lowercased().replacing("-", with: " ").replacing("0", with: "o").replacing("1", with: "l")
    #expect(try PrivateKey(recoveryCode: read) == key(digits))
    #expect(try PrivateKey(recoveryCode: code.replacing("-", with: "").replacing("1", with: "I")) == key(digits))
  }

  @Test func `a code with one wrong letter, or two that are exchanged, is refused at each place`() throws {
    let letters = Array(Self.known[0].1)
    for place in letters.indices where letters[place] != "-" {
      var wrong = letters
      wrong[place] = letters[place] == "7" ? "8" : "7"
      #expect(throws: WalletError.self) { try PrivateKey(recoveryCode: String(wrong)) }
      guard let next = letters[(place + 1)...].firstIndex(where: { $0 != "-" }), letters[next] != letters[place] else {
        continue
      }
      wrong = letters
      wrong.swapAt(place, next)
      #expect(throws: WalletError.self) { try PrivateKey(recoveryCode: String(wrong)) }
    }
  }

  @Test(arguments: ["U000-0000", String(repeating: "0", count: 55), String(repeating: "é", count: 28)])
  func `what is no code is refused, and never repeated`(text: String) throws {
    let error = try #require(throws: WalletError.self) { try PrivateKey(recoveryCode: text) }
    #expect(error.code == .privateKey && !error.description.contains(text))
  }

  @Test func `nothing is no code`() {
    #expect(throws: WalletError.self) { try PrivateKey(recoveryCode: "") }
  }

  @Test func `a code that opens a wallet at its vault alone is told apart`() throws {
    let error = try #require(throws: WalletError.self) {
      try PrivateKey(recoveryCode: "0000-0000-0000-0000-0000-0000-0000")
    }
    #expect(error.reason.contains("at its vault only"))
  }
}
