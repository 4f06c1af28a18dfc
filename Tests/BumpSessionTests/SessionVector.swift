import BumpClaims
import BumpSession
import BumpWire
import Crypto
import Foundation
import Samples

/// Whole sessions with fixed randomness, one per mode, made by an independent implementation of the protocol:
/// Tests/Support/Vectors/sessions.json. Both ends ask their person, so both HOLD.
struct SessionVector: Sendable, CustomStringConvertible {
  let description: String
  let credential: Credential
  let keysR: SessionKeys
  let keysS: SessionKeys
  let claim: Claim
  let offer: Offer
  let handshakeHash: [UInt8]
  /// Both screens', in two groups.
  let digits: String
  let claimMAC: [UInt8]
  let link: String
  /// Every frame, in order, exactly as on the wire.
  let frames: [[UInt8]]

  static func all() throws -> [SessionVector] { try file().map { try $0.session() } }
  static func code() throws -> SessionVector { try of("code") }
  static func key() throws -> SessionVector { try of("key") }

  private static func of(_ mode: String) throws -> SessionVector {
    guard let vector = try file().first(where: { $0.mode == mode }) else {
      throw WireError(.frame, "no vector of this mode")
    }
    return try vector.session()
  }

  private static func file() throws -> [Written] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = tests.appending(path: "Support/Vectors/sessions.json")
    return try JSONDecoder().decode([Written].self, from: Data(contentsOf: file))
  }
}

/// A vector as the file has it.
private struct Written: Decodable {
  let mode, nonceR, nonceS, ephemeralR, ephemeralS, offer, claim, handshakeHash, digits, claimMAC, link: String
  let code, key, ya, yb: String?
  let frames: [String]

  func session() throws -> SessionVector {
    SessionVector(
      description: mode, credential: try credential, keysR: try keys(nonceR, ephemeralR, ya),
      keysS: try keys(nonceS, ephemeralS, yb), claim: try Claim(payload: Array(claim.utf8)),
      offer: try Offer(json: Array(offer.utf8)), handshakeHash: bytes(handshakeHash),
      digits: "\(digits.prefix(3)) \(digits.suffix(3))", claimMAC: bytes(claimMAC), link: link,
      frames: frames.map(bytes))
  }

  private var credential: Credential {
    get throws {
      if let code { return .code(try OneTimeCode(code)) }
      guard let key else { return .none }
      guard let shared = SharedKey(bytes(key)) else { throw WireError(.frame, "a vector that does not parse") }
      return .key(shared)
    }
  }

  /// Outside of mode code no scalar is used: it is 1.
  private func keys(_ nonce: String, _ ephemeral: String, _ scalar: String?) throws -> SessionKeys {
    SessionKeys(
      nonce: bytes(nonce), ephemeral: try .init(rawRepresentation: bytes(ephemeral)),
      scalar: SymmetricKey(data: scalar.map(bytes) ?? [1] + [UInt8](repeating: 0, count: 31)))
  }
}
