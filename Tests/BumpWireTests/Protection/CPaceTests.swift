import Crypto
import FoundationEssentials
import Samples
import Testing

@testable import BumpWire

/// The test vectors of draft-irtf-cfrg-cpace-21, appendix B: G_Coffee25519 is ristretto255 with SHA-512.
@Suite struct CPaceTests {
  private let prs = key("50617373776F7264")
  private let ci = bytes("0B415F696E69746961746F720B425F726573706F6E646572")
  private let sid = bytes("7E4B4791D6A8EF019B936C79FB7F2C57")
  private let ya = key("DA3D23700A9E5699258AEF94DC060DFDA5EBB61F02A5EA77FAD53F4FF0976D08")
  private let yb = key("D2316B454718C35362D83D69DF6320F38578ED5984651435E2949762D900B80D")
  private let ada = bytes("414461")
  private let adb = bytes("414462")
  private let shareA = bytes("D6BAC480F2C386C394EFC7C47ADB9925DCD2630B64F240C50F8D0EEC482B9157")
  private let shareB = bytes("3EA7E0B19560D7C0B0F5734F63B955286DFA8232B5EBE63324E2D9E7433F7258")

  @Test func `the generator is the vector's`() {
    #expect(
      CPace.calculateGenerator(prs: prs, ci: ci, sid: sid)
        == bytes("222B6B195FE84B1652BADB6F6A3AE3D24341E7306967F0B8115B40D5698C7E56"))
  }

  @Test func `both ends make the vector's shares and its key`() throws {
    let initiator = try CPace(prs: prs, ci: ci, sid: sid, y: ya)
    let responder = try CPace(prs: prs, ci: ci, sid: sid, y: yb)
    #expect(initiator.share == shareA)
    #expect(responder.share == shareB)
    let isk = key(
      "B69EFFBF61B51D56401C0F65601ABE428DE8206FEAAF0E32198896DCAE7B35CD"
        + "2B38950A39DFD5D4A79164614C2984F7DAA460B588C1E80C3FA2068AF7900447")
    let transcript = CPace.transcriptIR(shareA, ada, shareB, adb)
    #expect(try initiator.isk(shareB, transcript: transcript) == isk)
    #expect(try responder.isk(shareA, transcript: transcript) == isk)
  }

  @Test func `the shared point is the vector's`() throws {
    let k = key("80B69A8A76457AB6A4D7F887A4BF6B55A2F80AC19C333F917A05FC9887C8B40F")
    #expect(try Ristretto255.scalarMultVfy(ya, shareB) == k)
    #expect(try Ristretto255.scalarMultVfy(yb, shareA) == k)
  }

  @Test func `a scalar times a valid point is the vector's`() throws {
    #expect(
      try Ristretto255.scalarMultVfy(
        key("7CD0E075FA7955BA52C02759A6C90DBBFC10E6D40AEA8D283E407D88CF538A05"),
        bytes("2C3C6B8C4F3800E7AEF6864025B4ED79BD599117E427C41BD47D93D654B4A51C"))
        == key("7C13645FE790A468F62C39BEB7388E541D8405D1ADE69D1778C5FE3E7F6B600E"))
  }

  /// The order itself (RFC 9496 §4), and a number below it.
  @Test(arguments: [
    "EDD3F55C1A631258D69CF7A2DEF9DE1400000000000000000000000000000010": String(repeating: "00", count: 32),
    "DA3D23700A9E5699258AEF94DC060DFDA5EBB61F02A5EA77FAD53F4FF0976D08":
      "DA3D23700A9E5699258AEF94DC060DFDA5EBB61F02A5EA77FAD53F4FF0976D08",
  ])
  func `a scalar is sampled modulo the order of the group`(uniform: String, scalar: String) {
    #expect(CPace.sampleScalar(key(uniform + String(repeating: "00", count: 32))) == key(scalar))
  }

  @Test(arguments: [
    "2B3C6B8C4F3800E7AEF6864025B4ED79BD599117E427C41BD47D93D654B4A51C",
    "0000000000000000000000000000000000000000000000000000000000000000", "",
    "2C3C6B8C4F3800E7AEF6864025B4ED79BD599117E427C41BD47D93D654B4A5",
  ])
  func `what is no element, and the identity, are refused`(point: String) throws {
    let end = try CPace(prs: prs, ci: ci, sid: sid, y: ya)
    let transcript = CPace.transcriptIR(end.share, ada, bytes(point), adb)
    let error = #expect(throws: SecureChannelError.self) { try end.isk(bytes(point), transcript: transcript) }
    #expect(error?.code == .lowOrderKey)
  }

  @Test func `a scalar of zero makes no share`() {
    #expect(throws: SecureChannelError.self) {
      try CPace(prs: prs, ci: ci, sid: sid, y: key(String(repeating: "00", count: 32)))
    }
  }

  @Test func `another password gives another key`() throws {
    let initiator = try CPace(prs: key("01"), ci: ci, sid: sid, y: ya)
    let responder = try CPace(prs: key("02"), ci: ci, sid: sid, y: yb)
    let transcript = CPace.transcriptIR(initiator.share, ada, responder.share, adb)
    let one = try initiator.isk(responder.share, transcript: transcript)
    let other = try responder.isk(initiator.share, transcript: transcript)
    #expect(one != other)
  }

  /// The vectors of prepend_len, and a length of more than two digits.
  @Test(arguments: [
    (0, [0]), (4, [0x04]), (127, [0x7F]), (128, [0x80, 0x01]), (300, [0xAC, 0x02]), (0x4000, [0x80, 0x80, 0x01]),
  ])
  func `a string's length is written in LEB128`(length: Int, encoded: [UInt8]) {
    let string = [UInt8](repeating: 7, count: length)
    #expect(flat(CPace.lvCat(string)) == encoded + string)
    #expect(flat(CPace.lvCat(string, [1])) == encoded + string + [1, 1])
  }

  private func flat(_ string: CPace.Octets) -> [UInt8] { string.flatMap { $0.withUnsafeBytes(Array.init) } }
}
