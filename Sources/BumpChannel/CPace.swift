public import Crypto

/// CPace over ristretto255 with SHA-512 (CPACE-RISTR255-SHA512 of draft-irtf-cfrg-cpace-21), initiator and responder.
///
/// From a short password that both ends know it makes a key that only they know. Whoever does not know it can try
/// one password a session.
public struct CPace: Sendable {
  private static let dsi = Array("CPaceRistretto255".utf8)
  /// The input block size of SHA-512.
  private static let sInBytes = 128

  private let sid: [UInt8]
  private let y: [UInt8]
  /// This end's public share, Ya or Yb: scalar_mult(y, g).
  public let share: [UInt8]

  /// sample_scalar(), of 64 uniform bytes.
  public static func sampleScalar(fromUniform bytes: [UInt8]) -> [UInt8] { Ristretto255.scalar(fromUniform: bytes) }

  /// - Parameters:
  ///   - prs: the password-related string.
  ///   - ci: the channel identifier.
  ///   - sid: the session id.
  ///   - y: sample_scalar(): fresh for every session, below the order of the group, and not zero.
  /// - Throws: `SecureChannelError.handshake` where `y` is zero.
  public init(prs: [UInt8], ci: [UInt8], sid: [UInt8], y: [UInt8]) throws {
    let g = Self.calculateGenerator(prs: prs, ci: ci, sid: sid)
    guard let share = Ristretto255.multiply(y, g) else {
      throw SecureChannelError(.handshake, "a scalar that gives no share")
    }
    (self.sid, self.y, self.share) = (sid, y, share)
  }

  /// The intermediate session key ISK, from the initiator's view: `share` is Ya, the other end's Yb.
  ///
  /// - Throws: `SecureChannelError.lowOrderKey` where scalar_mult_vfy gives the identity, as for what is no element.
  public func isk(asInitiator ada: [UInt8], yb: [UInt8], adb: [UInt8]) throws -> SymmetricKey {
    try isk(peer: yb, transcript: Self.transcriptIR(ya: share, ada: ada, yb: yb, adb: adb))
  }

  /// The same from the responder's view: `share` is Yb, the other end's Ya.
  ///
  /// - Throws: `SecureChannelError.lowOrderKey`, as above.
  public func isk(asResponder adb: [UInt8], ya: [UInt8], ada: [UInt8]) throws -> SymmetricKey {
    try isk(peer: ya, transcript: Self.transcriptIR(ya: ya, ada: ada, yb: share, adb: adb))
  }

  private func isk(peer: [UInt8], transcript: [UInt8]) throws -> SymmetricKey {
    guard let k = Ristretto255.multiply(y, peer) else {
      throw SecureChannelError(.lowOrderKey, "a share that is none")
    }
    let input = Self.lvCat(Self.dsi + Array("_ISK".utf8), sid, k) + transcript
    return SymmetricKey(data: SHA512.hash(data: input))
  }

  /// calculate_generator(H, PRS, CI, sid): generator_string, hashed to the group.
  static func calculateGenerator(prs: [UInt8], ci: [UInt8], sid: [UInt8]) -> [UInt8] {
    let used = prependLength(prs).count + prependLength(dsi).count
    let zPad = [UInt8](repeating: 0, count: max(0, sInBytes - 1 - used))
    return Ristretto255.element(fromUniform: Array(SHA512.hash(data: lvCat(dsi, prs, zPad, ci, sid))))
  }

  /// transcript_ir(Ya, ADa, Yb, ADb).
  private static func transcriptIR(ya: [UInt8], ada: [UInt8], yb: [UInt8], adb: [UInt8]) -> [UInt8] {
    lvCat(ya, ada) + lvCat(yb, adb)
  }

  /// lv_cat(…): each string behind its length.
  static func lvCat(_ strings: [UInt8]...) -> [UInt8] { strings.flatMap(prependLength) }

  /// prepend_len(data): the length in LEB128.
  private static func prependLength(_ data: [UInt8]) -> [UInt8] {
    var length = data.count
    var encoded: [UInt8] = []
    while length >= 0x80 {
      encoded.append(UInt8(length & 0x7F) | 0x80)
      length >>= 7
    }
    return encoded + [UInt8(length)] + data
  }
}
