import Samples
import Testing

@testable import BumpWallet

@Suite struct SignatureTests {
  @Test func `whoever signed is recovered, and for another digest it is somebody else`() throws {
    for number in 0..<200 {
      let (key, digest) = (try Seeded.key(number), Seeded.digest(number))
      let signature = key.sign(digest)
      #expect(signature.signer(of: digest) == key.address)
      #expect(signature.signer(of: Seeded.digest(number + 1)) != key.address)
      #expect(try Signature(signature.bytes) == signature)
      #expect(try Signature(signature.description) == signature)
      #expect(try Signature("0x" + signature.description.dropFirst(2).uppercased()) == signature)
    }
  }

  @Test func `nobody makes a second signature of one by changing a bit`() throws {
    for number in 0..<4 {
      let (key, digest) = (try Seeded.key(number), Seeded.digest(number))
      let signature = key.sign(digest)
      for bit in 0..<65 * 8 {
        var changed = signature.bytes
        changed[bit / 8] ^= 1 << (bit % 8)
        #expect((try? Signature(changed))?.signer(of: digest) != key.address, "bit \(bit)")
      }
    }
  }

  @Test func `the other s of a signature is refused`() throws {
    for number in 0..<50 {
      let signature = try Seeded.key(number).sign(Seeded.digest(number)).bytes
      let malleated = signature[..<32] + negated(signature[32..<64]) + [signature[64] ^ 27 ^ 28]
      #expect(throws: WalletError(.signature, "")) { try Signature(malleated) }
    }
  }

  @Test func `the ends of what r and s may be`() throws {
    let (one, zero) = (adding(1, to: zeros), zeros)
    let greatest = adding(-1, to: order)
    for (r, s) in [(one, one), (greatest, one), (one, halfOrder), (greatest, halfOrder)] {
      for v in [27, 28] as [UInt8] { #expect(try Signature(r + s + [v]).bytes == r + s + [v]) }
    }
    let wrong = [
      (zero, one), (one, zero), (order, one), (adding(1, to: order), one), (one, adding(1, to: halfOrder)),
      (one, greatest), (one, order), (ones, one), (one, ones),
    ]
    for (r, s) in wrong { #expect(throws: WalletError(.signature, "")) { try Signature(r + s + [27]) } }
  }

  @Test func `v is twenty-seven or twenty-eight`() throws {
    let signature = try Seeded.key(0).sign(Seeded.digest(0)).bytes
    for v in (0...255 as ClosedRange<UInt8>) where v != 27 && v != 28 {
      #expect(throws: WalletError(.signature, "")) { try Signature(signature[..<64] + [v]) }
    }
  }

  @Test func `a signature that is cut or extended is refused`() throws {
    let signature = try Seeded.key(0).sign(Seeded.digest(0))
    for count in [0, 1, 63, 64] {
      #expect(throws: WalletError(.signature, "")) { try Signature(signature.bytes.prefix(count)) }
    }
    #expect(throws: WalletError(.signature, "")) { try Signature(signature.bytes + [0]) }
    let text = signature.description
    let wrong = [
      "", "0x", String(text.dropFirst(2)), String(text.dropLast()), String(text.dropLast(2)), text + "00", " " + text,
      text + "\n", text.dropLast() + "g", "0X" + text.dropFirst(2),
    ]
    for text in wrong { #expect(throws: WalletError(.signature, "")) { try Signature(text) } }
  }

  /// No point of the curve has x = 5.
  @Test func `a signature that no key can have made has no signer`() throws {
    let signature = try Signature(adding(5, to: zeros) + adding(1, to: zeros) + [27])
    for number in 0..<10 { #expect(signature.signer(of: Seeded.digest(number)) == nil) }
  }

  @Test func `thirty-two bytes are read and printed`() throws {
    let digest = Seeded.digest(0)
    #expect(try Bytes32(digest.description) == digest)
    #expect(Bytes32(digest.bytes) == digest)
    #expect(Bytes32(digest.bytes.dropLast()) == nil && Bytes32(digest.bytes + [0]) == nil)
    for text in [
      "", "0x", String(digest.description.dropFirst(2)), digest.description + "0", "0x" + digest.description,
    ] {
      #expect(throws: WalletError.self) { try Bytes32(text) }
    }
  }

  private let zeros = [UInt8](repeating: 0, count: 32)
  private let ones = [UInt8](repeating: 0xFF, count: 32)
}
