public import Crypto
import FoundationEssentials

/// CPace over ristretto255 with SHA-512 (CPACE-RISTR255-SHA512 of draft-irtf-cfrg-cpace-21), initiator and responder.
///
/// Derives a key from a short password that both ends know. An attacker can try one password per session.
public struct CPace: Sendable {
  /// G.DSI.
  private static let dsi = Array("CPaceRistretto255".utf8)
  /// H.s_in_bytes: the input block size of SHA-512.
  private static let sInBytes = 128

  private let sid: [UInt8]
  private let y: SymmetricKey
  /// This end's public share, Ya or Yb: scalar_mult(y, g), 32 bytes.
  public let share: [UInt8]

  /// Returns sample_scalar() from 64 uniform bytes.
  public static func sampleScalar(_ uniform: SymmetricKey) -> SymmetricKey { Ristretto255.sampleScalar(uniform) }

  /// - Parameters:
  ///   - prs: PRS, the password-related string.
  ///   - ci: CI, the channel identifier.
  ///   - sid: the session id.
  ///   - y: sample_scalar(): fresh for every session, below the order of the group, and not zero.
  /// - Throws: `SecureChannelError.lowOrderKey` if `y` is zero.
  init(prs: SymmetricKey, ci: [UInt8], sid: [UInt8], y: SymmetricKey) throws {
    let g = Self.calculateGenerator(prs: prs, ci: ci, sid: sid)
    share = try Ristretto255.scalarMultVfy(y, g).withUnsafeBytes(Array.init)
    (self.sid, self.y) = (sid, y)
  }

  /// The intermediate session key: ISK = H.hash(lv_cat(DSI ‖ `"_ISK"`, sid, K) ‖ transcript).
  ///
  /// - Parameters:
  ///   - peerShare: the other end's share.
  ///   - transcript: `transcriptIR` with both shares.
  /// - Throws: `SecureChannelError.lowOrderKey` if K is the identity, or if the share is not the encoding of an element
  ///   of the group.
  func isk(_ peerShare: [UInt8], transcript: Octets) throws -> SymmetricKey {
    let k = try Ristretto255.scalarMultVfy(y, peerShare)
    return SymmetricKey(data: Self.hash(Self.lvCat(Self.dsi + Array("_ISK".utf8), sid, k) + transcript))
  }

  /// transcript_ir(Ya, ADa, Yb, ADb).
  static func transcriptIR(_ ya: [UInt8], _ ada: [UInt8], _ yb: [UInt8], _ adb: [UInt8]) -> Octets {
    lvCat(ya, ada) + lvCat(yb, adb)
  }

  /// calculate_generator(H, PRS, CI, sid).
  static func calculateGenerator(prs: SymmetricKey, ci: [UInt8], sid: [UInt8]) -> [UInt8] {
    Ristretto255.elementDerivation(hash(generatorString(prs: prs, ci: ci, sid: sid)))
  }

  /// generator_string(DSI, PRS, CI, sid, s_in_bytes): zeros after the password fill the hash's first block.
  private static func generatorString(prs: SymmetricKey, ci: [UInt8], sid: [UInt8]) -> Octets {
    let used = (prependLen(prs) + prependLen(dsi)).reduce(0) { $0 + $1.withUnsafeBytes(\.count) }
    return lvCat(dsi, prs, [UInt8](repeating: 0, count: max(0, sInBytes - 1 - used)), ci, sid)
  }

  // MARK: Strings

  /// A string in pieces, so that a secret piece is hashed in place and no copy of it stays in memory.
  typealias Octets = [any ContiguousBytes]

  /// H.hash(…).
  static func hash(_ string: Octets) -> SHA512.Digest {
    string.reduce(into: SHA512()) { hash, piece in piece.withUnsafeBytes { hash.update(bufferPointer: $0) } }.finalize()
  }

  /// lv_cat(…): each string after its length.
  static func lvCat(_ strings: any ContiguousBytes...) -> Octets { strings.flatMap(prependLen) }

  /// prepend_len(data).
  private static func prependLen(_ data: any ContiguousBytes) -> Octets {
    [leb128(data.withUnsafeBytes(\.count)), data]
  }

  private static func leb128(_ number: Int) -> [UInt8] {
    number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + leb128(number >> 7)
  }
}
