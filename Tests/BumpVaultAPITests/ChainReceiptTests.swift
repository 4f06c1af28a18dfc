import BumpClaims
import BumpWallet
import Foundation
import Testing

@testable import BumpVaultAPI

/// Receipts of a vault on a chain, held against a second implementation: Tests/Support/Vectors/chainreceipt.json, made with
/// eth-account.
struct ChainReceiptTests {
  struct Vector: Decodable, Sendable, CustomStringConvertible {
    let key, receiptKey, contract, claimId, token, amount, receiver, transaction, blockHash, level: String
    let digest, signature, plainSignature: String
    let chainId, blockNumber: UInt64
    let refunded: Bool
    let time: Int64
    var description: String { "\(level) on \(chainId)" }

    func domain() throws -> Domain {
      Domain(name: "ClaimVault", version: "1", chainID: chainId, verifyingContract: try Address(contract))
    }

    func receipt() throws -> ChainReceipt {
      let units = try #require(Int64(amount))
      return ChainReceipt(
        Receipt(
          ledgerID: try Bytes32(claimId), outcome: refunded ? .refunded : .claimed, token: try Address(token),
          amount: try #require(Amount(baseUnits: units)), receiver: try Address(receiver),
          transaction: try Bytes32(transaction), time: time, domain: try domain()),
        in: Inclusion(
          blockNumber: blockNumber, blockHash: try Bytes32(blockHash),
          level: try #require(Inclusion.Level(rawValue: level))))
    }

    func signed() throws -> SignedReceipt {
      try SignedReceipt(receipt(), by: PrivateKey(Bytes32(key).bytes))
    }
  }

  private static func vectors() throws -> [Vector] {
    struct File: Decodable { let cases: [Vector] }
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try JSONDecoder().decode(
      File.self, from: Data(contentsOf: tests.appending(path: "Support/Vectors/chainreceipt.json"))
    ).cases
  }

  @Test(arguments: try vectors()) func `digest and signature are the vector's`(vector: Vector) throws {
    let signed = try vector.signed()
    #expect(try vector.receipt().digest.description == vector.digest)
    #expect(signed.signature.description == vector.signature)
    #expect(signed.isSigned(by: try Address(vector.receiptKey)))
    #expect(signed.isFinal == (vector.level == "finalized"))
  }

  @Test(arguments: try vectors()) func `what was written is read again`(vector: Vector) throws {
    let signed = try vector.signed()
    #expect(try SignedReceipt(signed.json.encoded, in: vector.domain()) == signed)
  }

  @Test(arguments: try vectors())
  func `a receipt with a level that is signed as a plain one is not signed`(vector: Vector) throws {
    let key = try Address(vector.receiptKey)
    let (signed, plain) = (try vector.signed(), try Signature(vector.plainSignature))
    #expect(SignedReceipt(signed.receipt, signature: plain).isSigned(by: key))
    let body = signed.json.text.replacing(vector.signature, with: vector.plainSignature)
    #expect(!(try SignedReceipt(Array(body.utf8), in: vector.domain())).isSigned(by: key))
  }

  @Test(arguments: try vectors())
  func `a receipt without a level that is signed as a chain's is not signed`(vector: Vector) throws {
    let signed = try vector.signed()
    let stripped = SignedReceipt(signed.receipt, signature: signed.signature)
    let read = try SignedReceipt(stripped.json.encoded, in: vector.domain())
    #expect(!read.isSigned(by: try Address(vector.receiptKey)))
  }

  @Test(arguments: try vectors())
  func `a signature is worth nothing for another block, level, chain or contract`(vector: Vector) throws {
    let (signed, key) = (try vector.signed(), try Address(vector.receiptKey))
    let included = try #require(signed.inclusion)
    let others = [
      Inclusion(blockNumber: included.blockNumber - 1, blockHash: included.blockHash, level: included.level),
      Inclusion(blockNumber: included.blockNumber, blockHash: .word(1 as UInt64), level: included.level),
      Inclusion(
        blockNumber: included.blockNumber, blockHash: included.blockHash,
        level: included.level == .confirmed ? .finalized : .confirmed),
    ]
    for other in others {
      #expect(!SignedReceipt(signed.receipt, in: other, signature: signed.signature).isSigned(by: key))
    }
    let elsewhere = [
      Domain(name: "ClaimVault", version: "1", chainID: 1, verifyingContract: try Address(vector.contract)),
      Domain(name: "ClaimVault", version: "1", chainID: vector.chainId, verifyingContract: key),
    ]
    for domain in elsewhere {
      #expect(!(try SignedReceipt(signed.json.encoded, in: domain)).isSigned(by: key))
    }
  }

  @Test(arguments: [
    (#""level":"confirmed","#, ""), (#""level":"confirmed""#, #""level":"seen""#),
    (#""level":"confirmed""#, #""level":"Finalized""#), (#""level":"confirmed""#, #""level":null"#),
    (#""number":1234"#, #""number":-1"#), (#""number":1234"#, #""number":"1234""#), (#""number":1234,"#, ""),
    (#""hash":"0x00"#, #""hash":"0x0"#), (#""block":{"#, #""blocks":{"#),
  ])
  func `a level without its block, a block without its level, or another form of one is refused`(
    text: String, other: String
  ) throws {
    let vector = try #require(try Self.vectors().first)
    let body = try vector.signed().json.text
    #expect(body.contains(text))
    #expect(throws: RequestError.self) {
      try SignedReceipt(Array(body.replacing(text, with: other).utf8), in: vector.domain())
    }
  }
}
