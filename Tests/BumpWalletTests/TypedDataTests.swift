import BumpWallet
import Testing

@Suite struct TypedDataTests {
  /// The example of EIP-712 (assets/eip-712/Example.js): a letter from Cow to Bob.
  struct Mail: TypedData {
    static let typeHash = Keccak256.hash(
      "Mail(Person from,Person to,string contents)Person(string name,address wallet)".utf8)
    let words: [Bytes32]
    let domain: Domain

    static func person(_ name: String, _ wallet: String) throws -> Bytes32 {
      let type = Keccak256.hash("Person(string name,address wallet)".utf8)
      let words = [type, Keccak256.hash(name.utf8), try .word(Address(wallet))]
      return Keccak256.hash(words.flatMap(\.bytes))
    }

    static func example() throws -> Mail {
      Mail(
        words: [
          try person("Cow", "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"),
          try person("Bob", "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"),
          Keccak256.hash("Hello, Bob!".utf8),
        ],
        domain: Domain(
          name: "Ether Mail", version: "1", chainID: 1,
          verifyingContract: try Address("0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC")))
    }
  }

  @Test func `the letter of EIP-712 has its separator, digest and signature`() throws {
    let mail = try Mail.example()
    #expect(
      mail.domain.separator.description == "0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f")
    #expect(mail.digest.description == "0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2")
    let cow = try PrivateKey(Keccak256.hash("cow".utf8).bytes)
    #expect(cow.address.description == "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826")
    #expect(
      cow.sign(mail.digest).description == """
        0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d\
        07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c
        """)
    #expect(mail.isSigned(by: cow.address, cow.sign(mail.digest)))
    #expect(!mail.isSigned(by: .zero, cow.sign(mail.digest)))
  }

  /// RECEIVE_WITH_AUTHORIZATION_TYPEHASH of EIP-3009's reference implementation.
  @Test func `the type hash of an authorization is EIP-3009's`() {
    #expect(
      DepositAuthorization.typeHash.description
        == "0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8")
  }

  /// What DOMAIN_SEPARATOR() of these contracts answers.
  @Test(arguments: [
    (
      "USD Coin", 1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
      "0x06c37168a7db5138defc7866392bb87a741f9b3d104deb5094588ce041cae335"
    ),
    (
      "USD Coin", 8453, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      "0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f"
    ),
    (
      "USDC", 84532, "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
      "0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818"
    ),
  ])
  func `USDC's domains have the separators of its contracts`(
    name: String, chainID: UInt64, contract: String, separator: String
  ) throws {
    let domain = Domain(name: name, version: "2", chainID: chainID, verifyingContract: try Address(contract))
    #expect(domain.separator.description == separator)
  }

  @Test func `a domain that differs in anything has another separator`() throws {
    let (one, other) = (try Address("0x" + String(repeating: "11", count: 20)), Address.zero)
    let domains = [
      Domain(name: "a", version: "1", chainID: 1, verifyingContract: one),
      Domain(name: "b", version: "1", chainID: 1, verifyingContract: one),
      Domain(name: "a", version: "2", chainID: 1, verifyingContract: one),
      Domain(name: "a", version: "1", chainID: 2, verifyingContract: one),
      Domain(name: "a", version: "1", chainID: 1, verifyingContract: other),
      Domain(name: "a1", version: "", chainID: 1, verifyingContract: one),
    ]
    #expect(Set(domains.map(\.separator)).count == domains.count && Set(domains).count == domains.count)
  }
}
