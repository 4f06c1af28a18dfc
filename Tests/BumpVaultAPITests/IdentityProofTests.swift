import BumpClaims
import BumpVault
import BumpVaultHTTP
import BumpWallet
import Foundation
import Testing

@testable import BumpVaultAPI

/// The message by which a vault proves who it is, held against a second implementation: Tests/Support/Vectors/identity.json,
/// made with eth-account.
struct IdentityProofTests {
  struct Vector: Decodable, Sendable, CustomStringConvertible {
    struct Token: Decodable, Sendable { let token, symbol, name, version: String }
    let key, address, nonce, origin, digest, signature: String
    let chainId: UInt64
    let faucet: Bool
    let tokens: [Token]
    var description: String { origin }

    func vault() throws -> VaultDescription {
      try VaultDescription(
        chainID: chainId, address: Address(address),
        tokens: tokens.map {
          TokenContract(
            token: try .init($0.symbol), address: try Address($0.token), domainName: $0.name, domainVersion: $0.version)
        })
    }
  }

  private static func vectors() throws -> [Vector] {
    struct File: Decodable { let cases: [Vector] }
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try JSONDecoder().decode(
      File.self, from: Data(contentsOf: tests.appending(path: "Support/Vectors/identity.json"))
    ).cases
  }

  @Test(arguments: try vectors()) func `the proof is the vector's`(vector: Vector) throws {
    let vault = try vector.vault()
    let origin = try #require(VaultURL(vector.origin))
    let message = SelfDescription(
      vault: vault, hasFaucet: vector.faucet, origin: origin, nonce: try Bytes32(vector.nonce))
    #expect(message.digest.description == vector.digest)
    let key = try PrivateKey(Bytes32(vector.key).bytes)
    let proof = IdentityProof(vault, hasFaucet: vector.faucet, at: origin, nonce: message.nonce, by: key)
    #expect(proof.signature.description == vector.signature)
    #expect(proof.isMade(by: vault, hasFaucet: vector.faucet))
  }

  @Test(arguments: try vectors())
  func `a proof is worth nothing for another nonce, origin, faucet flag, token, chain or address`(
    vector: Vector
  ) throws {
    let vault = try vector.vault()
    let origin = try #require(VaultURL(vector.origin))
    let (nonce, signature) = (try Bytes32(vector.nonce), try Signature(vector.signature))
    func isMade(
      _ other: VaultDescription? = nil, hasFaucet: Bool? = nil, at url: VaultURL? = nil, nonce other32: Bytes32? = nil
    ) -> Bool {
      IdentityProof(nonce: other32 ?? nonce, origin: url ?? origin, signature: signature)
        .isMade(by: other ?? vault, hasFaucet: hasFaucet ?? vector.faucet)
    }
    #expect(isMade())
    #expect(!isMade(nonce: .word(77 as UInt64)))
    #expect(!isMade(at: VaultURL("https://vault.example:1")))
    #expect(!isMade(hasFaucet: !vector.faucet))
    let another = TokenContract(
      token: try Token("GBPC"), address: try PrivateKey(Bytes32(vector.key).bytes.reversed()).address,
      domainName: "GBPC", domainVersion: "1")
    let address = vault.address
    #expect(!isMade(try VaultDescription(chainID: vault.chainID, address: address, tokens: vault.tokens + [another])))
    #expect(!isMade(try VaultDescription(chainID: vault.chainID + 1, address: address, tokens: vault.tokens)))
    #expect(
      !isMade(try VaultDescription(chainID: vault.chainID, address: another.address, tokens: vault.tokens)))
    for (number, token) in vault.tokens.enumerated() {
      let changes = [
        TokenContract(
          token: try Token("GBPC"), address: token.address, domainName: token.domainName,
          domainVersion: token.domainVersion),
        TokenContract(
          token: token.token, address: another.address, domainName: token.domainName,
          domainVersion: token.domainVersion),
        TokenContract(
          token: token.token, address: token.address, domainName: "other", domainVersion: token.domainVersion),
        TokenContract(
          token: token.token, address: token.address, domainName: token.domainName, domainVersion: "other"),
      ]
      for change in changes {
        var tokens = vault.tokens
        tokens[number] = change
        #expect(!isMade(try VaultDescription(chainID: vault.chainID, address: address, tokens: tokens)))
      }
    }
  }

  @Test func `a statement has its proof whole, with the origin in its one form, or none`() throws {
    let vector = try #require(try Self.vectors().first)
    let vault = try vector.vault()
    let proof = IdentityProof(
      vault, hasFaucet: false, at: try #require(VaultURL("https://vault.example")), nonce: try Bytes32(vector.nonce),
      by: try PrivateKey(Bytes32(vector.key).bytes))
    let body = Answer.vault(
      vault, .init(), version: "1", asksForChallenge: false, hasFaucet: false, proof: proof
    ).body.text
    #expect(try VaultStatement(Array(body.utf8)).proof == proof)
    for name in ["origin", "nonce", "signature"] {
      let renamed = body.replacing("\"\(name)\":", with: "\"x\(name)\":")
      #expect(try VaultStatement(Array(renamed.utf8)).proof == nil)
    }
    for origin in ["https://vault.example/", "https://Vault.example", "https://vault.example:443", "vault", ""] {
      let other = body.replacing("\"https://vault.example\"", with: "\"\(origin)\"")
      #expect(throws: RequestError.self) { try VaultStatement(Array(other.utf8)) }
    }
  }
}
