import BumpClaims
import BumpWallet
import Foundation
import Samples

@testable import BumpChain

/// What another implementation makes of a claim on a chain: Tests/Support/Vectors/chain.json; and the claims themselves,
/// from vault.json.
struct ChainVector: Decodable, Sendable {
  struct Case: Decodable, Sendable, CustomStringConvertible {
    struct Log: Decodable, Sendable {
      let address, data: String
      let topics: [String]
    }
    let claimId, depositWithAuthorization, claim, refund, claims, authorizationState, claimsAnswer: String
    let created, claimed: Log
    let bloomOfCreated: String

    var description: String { claimId }
  }

  struct Transaction: Decodable, Sendable, CustomStringConvertible {
    let chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas, value, data, signingHash, raw, hash: String
    let to: String?

    var description: String { "nonce \(nonce) on chain \(chainId)" }
  }

  struct Encoding: Decodable, Sendable, CustomStringConvertible {
    let value: RLP
    let encoding: String

    var description: String { String(encoding.prefix(20)) }
  }

  struct Created: Decodable, Sendable {
    let nonce, address: String
  }

  let relayerKey, relayer: String
  let selectors, topics, signatures: [String: String]
  let cases: [Case]
  let rlp: [Encoding]
  let transactions: [Transaction]
  let create: [Created]

  static let file = Result { try read("chain.json", as: ChainVector.self) }

  static func read<Contents: Decodable>(_ name: String, as: Contents.Type) throws -> Contents {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try JSONDecoder().decode(
      Contents.self, from: Data(contentsOf: tests.appending(path: "Support/Vectors/\(name)")))
  }

  static func key() throws -> PrivateKey { try PrivateKey(hex(file.get().relayerKey)) }
}

/// A claim of vault.json.
struct VaultVector: Decodable, Sendable {
  struct File: Decodable, Sendable {
    struct Contract: Decodable, Sendable { let verifyingContract: String }
    let vault, token: Contract
    let cases: [VaultVector]
  }

  let claimId, amountBaseUnits, sender, receiver, secretHash, ledgerId, proof, authorization: String
  let expiry, authorizationValidBefore: Int64

  static let file = Result { try ChainVector.read("vault.json", as: File.self) }

  static func named(_ id: String) throws -> VaultVector {
    guard let vector = try file.get().cases.first(where: { $0.claimId == id }) else { throw Unexpected() }
    return vector
  }

  func terms() throws -> ClaimTerms {
    guard let amount = Int64(amountBaseUnits).flatMap(Amount.init(baseUnits:)) else { throw Unexpected() }
    return ClaimTerms(
      secretHash: try Bytes32(secretHash), token: try Address(Self.file.get().token.verifyingContract), amount: amount,
      expiry: Expiry(clamping: expiry))
  }
}

extension RLP: Decodable {
  /// Reads `0x…` as bytes, and a list as a list.
  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self = .bytes(hex(text))
    } else {
      self = .list(try decoder.singleValueContainer().decode([RLP].self))
    }
  }
}

/// The bytes behind `0x`.
func hex(_ text: String) -> [UInt8] { bytes(String(text.dropFirst(2))) }

/// A number in decimal digits.
func number<Number: FixedWidthInteger>(_ text: String) throws -> Number {
  guard let number = Number(text) else { throw Unexpected() }
  return number
}
