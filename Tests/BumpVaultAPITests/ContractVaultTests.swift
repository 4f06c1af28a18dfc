import BumpClaims
import Foundation
import Testing

@testable import BumpVaultAPI
@testable import BumpWallet

/// Vaults that are contracts, as servers describe them and as a user's configuration names them.
struct ContractVaultTests {
  private static let code = "0x" + String(repeating: "c0", count: 32)
  private static let tokenCode = "0x" + String(repeating: "70", count: 32)
  private static let contract = "0x" + String(repeating: "1", count: 40)
  private static let token = "0x" + String(repeating: "2", count: 40)
  private static let receiptKey = "0x" + String(repeating: "3", count: 40)

  private static let file = """
    {"contracts":[{"chainId":8453,"address":"\(contract)","codeHash":"\(code)","receiptKey":"\(receiptKey)","tokens":[
      {"symbol":"USDC","address":"\(token)","codeHash":"\(tokenCode)","domain":{"name":"USD Coin","version":"2"}}]}]}
    """

  private static func statement(chainID: UInt64 = 8453) throws -> String {
    let separator = Domain(
      name: "USD Coin", version: "2", chainID: chainID, verifyingContract: try Address(token)
    ).separator
    return """
      {"kind":"contract","chainId":\(chainID),"address":"\(contract)","receiptKey":"\(receiptKey)","codeHash":"\(code)",\
      "tokens":[{"symbol":"USDC","address":"\(token)","decimals":6,"codeHash":"\(tokenCode)",\
      "domainSeparator":"\(separator)","domain":{"name":"USD Coin","version":"2"}}],"confirmations":3,\
      "limits":{"amount":"100.00","authorizationSeconds":600},"challenge":false,"faucet":false}
      """
  }

  private static func read(_ text: String) throws -> VaultStatement { try VaultStatement(Array(text.utf8)) }

  @Test func `a contract is described with its code, its receipt key and the code of its tokens`() throws {
    let statement = try Self.read(Self.statement())
    #expect(statement.vault.isContract && statement.authorizationSeconds == 600)
    #expect(statement.vault.codeHash?.description == Self.code)
    #expect(try statement.vault.receiptKey == Address(Self.receiptKey))
    #expect(statement.vault.tokens.map { $0.codeHash?.description } == [Self.tokenCode])
  }

  @Test(arguments: [
    (#""kind":"contract""#, #""kind":"bank""#), (#""kind":"contract","#, ""),
    (#""codeHash":"0xc0"#, #""codeHashes":"0xc0"#), (#""codeHash":"0x70"#, #""codeHashes":"0x70"#),
    (#""receiptKey":"0x3333333333333333333333333333333333333333""#, #""receiptKey":"\#(contract)""#),
    (#""receiptKey":"0x3333333333333333333333333333333333333333""#, #""receiptKey":"\#(Address.zero)""#),
    (#""faucet":false"#, #""faucet":true"#), (#""name":"USD Coin""#, #""name":"USDC""#),
    (#""domainSeparator""#, #""separator""#), (#""authorizationSeconds":600"#, #""authorizationSeconds":601"#),
    (#""authorizationSeconds":600"#, #""authorizationSeconds":59"#),
  ])
  func `a contract's description that contradicts itself is refused`(text: String, other: String) throws {
    let body = try Self.statement()
    #expect(body.contains(text))
    #expect(throws: RequestError.self) { try Self.read(body.replacing(text, with: other)) }
  }

  @Test func `the file of contracts names what is signed for on a public chain`() throws {
    let contracts = try ContractsFile.contracts(Array(Self.file.utf8))
    #expect(contracts.count == 1)
    let vault = try Self.read(Self.statement()).vault
    #expect(try PinnedVault(vault, among: contracts).vault == vault)
    #expect(throws: WalletError(.chain, "")) { try PinnedVault(vault, among: []) }
    let elsewhere = try Self.read(Self.statement(chainID: 1)).vault
    #expect(throws: WalletError(.chain, "")) { try PinnedVault(elsewhere, among: contracts) }
    let test = try Self.read(Self.statement(chainID: 31337)).vault
    #expect(try PinnedVault(test, among: contracts).vault == test)
  }

  @Test(arguments: [
    ("0xc0c0", "0xc0c1"), ("0x7070", "0x7071"), ("0x2222", "0x2223"), ("0x3333", "0x3334"), ("USDC", "EURC"),
    ("USD Coin", "USDC"),
  ])
  func `a server that describes a configured contract otherwise is refused`(text: String, other: String) throws {
    let changed = try #require(Self.file.range(of: text).map { Self.file.replacingCharacters(in: $0, with: other) })
    let contracts = try ContractsFile.contracts(Array(changed.utf8))
    let vault = try Self.read(Self.statement()).vault
    #expect(throws: WalletError(.changedVault, "")) { try PinnedVault(vault, among: contracts) }
  }

  @Test func `of a configured contract only the configured tokens are signed for`() throws {
    let contracts = try ContractsFile.contracts(Array(Self.file.utf8))
    let vault = try Self.read(Self.statement()).vault
    let other = TokenContract(
      token: try Token("EURC"), address: try Address("0x" + String(repeating: "4", count: 40)), domainName: "EURC",
      domainVersion: "2", codeHash: try Bytes32(Self.code))
    let more = try VaultDescription(
      chainID: vault.chainID, address: vault.address, tokens: vault.tokens + [other], receiptKey: vault.receiptKey,
      codeHash: vault.codeHash)
    #expect(try PinnedVault(more, among: contracts).vault.tokens == vault.tokens)
  }

  @Test(arguments: [
    (#""chainId":8453"#, #""chainId":-1"#), (#""chainId":8453,"#, ""), (#""codeHash":"0xc0"#, #""code":"0xc0"#),
    (#""contracts":["#, #""contracts":[1,"#), (#""receiptKey":"#, #""receiptkey":"#),
    (#""version":"2""#, #""version":2"#), (#""version":"2""#, #""version":"2","salt":"x""#),
    (#""symbol":"USDC","#, ""), (#""tokens":["#, #""tokens":[],"others":["#),
  ])
  func `a file of contracts with a typing error is refused`(text: String, other: String) throws {
    #expect(Self.file.contains(text))
    #expect(throws: RequestError.self) {
      try ContractsFile.contracts(Array(Self.file.replacing(text, with: other).utf8))
    }
  }

  @Test func `a contract that is named twice is refused`() throws {
    let one = Self.file.dropFirst(#"{"contracts":["#.count).dropLast("]}".count)
    #expect(throws: RequestError.self) {
      try ContractsFile.contracts(Array(#"{"contracts":[\#(one),\#(one)]}"#.utf8))
    }
  }

  @Test func `a vault that changes its code, its receipt key or a token's code is refused`() throws {
    let vault = try Self.read(Self.statement(chainID: 31337)).vault
    let pinned = try PinnedVault(confirmed: vault)
    try pinned.check(vault)
    for (text, other) in [("0xc0c0", "0xc0c1"), ("0x3333", "0x3334"), ("0x7070", "0x7071")] {
      let body = try Self.statement(chainID: 31337)
      let changed = try #require(body.range(of: text).map { body.replacingCharacters(in: $0, with: other) })
      #expect(throws: WalletError(.changedVault, "")) { try pinned.check(Self.read(changed).vault) }
    }
    let embedded = try VaultDescription(
      chainID: vault.chainID, address: vault.address, tokens: vault.tokens, receiptKey: vault.receiptKey)
    #expect(throws: WalletError(.changedVault, "")) { try pinned.check(embedded) }
  }

  @Test func `a contract's identity is proved by its receipt key`() throws {
    let key = try PrivateKey([UInt8](repeating: 7, count: 32))
    let text = try Self.statement(chainID: 31337).replacing(Self.receiptKey, with: key.address.description)
    let vault = try Self.read(text).vault
    let origin = try #require(VaultURL("https://vault.example"))
    let proof = IdentityProof(vault, hasFaucet: false, at: origin, nonce: .word(1 as UInt64), by: key)
    #expect(proof.isMade(by: vault, hasFaucet: false))
    #expect(!proof.isMade(by: try Self.read(Self.statement(chainID: 31337)).vault, hasFaucet: false))
  }
}
