import BumpClaims
import BumpWire
import Crypto
import FoundationEssentials
import Testing

@testable import BumpSession

@Suite struct SessionKeysTests {
  @Test func `the keys of a session print as redacted, and so does what holds them`() throws {
    let keys = SessionKeys(drawnFrom: .system)
    var dumped = ""
    dump(keys, to: &dumped)
    #expect("\(keys)" == "<redacted>" && String(reflecting: keys) == "<redacted>" && dumped == "- <redacted>\n")
    #expect("\(Optional(keys) as Any)".contains("<redacted>"))
  }

  @Test func `they are drawn as they are told to be, each from bytes of its own`() throws {
    let keys = SessionKeys(drawnFrom: RandomBytes { count in [UInt8](repeating: UInt8(count), count: count) })
    #expect(keys.nonce == [UInt8](repeating: 16, count: 16))
    #expect(Array(keys.ephemeral.rawRepresentation) == [UInt8](repeating: 32, count: 32))
    #expect(keys.scalar == CPace.sampleScalar(SymmetricKey(data: [UInt8](repeating: 64, count: 64))))
  }

  /// The draw's own array must not be touched: a generator may still hold it.
  @Test func `a key is drawn without a change to what drew it`() {
    let bytes: [UInt8] = [1, 2, 3, 4]
    #expect(RandomBytes { _ in bytes }.key(4) == SymmetricKey(data: [1, 2, 3, 4]))
    #expect(bytes == [1, 2, 3, 4])
  }
}
