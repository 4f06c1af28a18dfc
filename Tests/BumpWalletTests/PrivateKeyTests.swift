import Crypto
import Samples
import Testing

@testable import BumpWallet

@Suite struct PrivateKeyTests {
  @Test func `one and the order less one are keys`() throws {
    #expect(try key(1).address.description == "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
    #expect(
      try PrivateKey(adding(-1, to: order)).address == Address("0x80c0dbf239224071c59dd8970ab9d542e3414ab2"))
    // The generator (SEC 2 §2.4.1).
    #expect(
      try key(1).publicKey.bytes
        == bytes(
          """
          79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798\
          483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8
          """))
  }

  @Test func `zero, the order and what is above it, and other lengths are no keys`() {
    let wrong = [
      zeros, order, adding(1, to: order), [UInt8](repeating: 0xFF, count: 32), [], Array(zeros.dropLast()) + [1, 1],
      [UInt8](repeating: 1, count: 31),
    ]
    for bytes in wrong {
      let error = #expect(throws: WalletError.self) { try PrivateKey(bytes) }
      #expect(error?.code == .privateKey)
    }
  }

  @Test func `forty-eight bytes are reduced modulo the order less one, and one is added`() throws {
    let ends = [UInt8](repeating: 0, count: 16)
    let cases: [(uniform: [UInt8], key: [UInt8])] = [
      (ends + zeros, adding(1, to: zeros)),
      (ends + adding(-2, to: order), adding(-1, to: order)),
      (ends + adding(-1, to: order), adding(1, to: zeros)),
      (ends + order, adding(2, to: zeros)),
      // By Python: integer % (n - 1) + 1.
      (
        [UInt8](repeating: 0xFF, count: 48),
        bytes("4551231950b75fc4402da1732fc9bec14551231950b75fc4402da1732fc9bec0")
      ),
      (Array(1...48), bytes("1259f2ae83a986c3c506758609bd3a765cbd0f1eb17d26eaa25b0ee42a775b31")),
    ]
    for (uniform, key) in cases {
      #expect(PrivateKey(uniform: SymmetricKey(data: uniform)).exposed == key)
    }
  }

  /// As published on bitcointalk.org (topic 285142) for keys and texts, with the lower s; most implementations test with
  /// them. They are of SHA-256 of the text.
  @Test(arguments: [
    (
      "0000000000000000000000000000000000000000000000000000000000000001", "Satoshi Nakamoto",
      """
      934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8\
      2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5
      """
    ),
    (
      "0000000000000000000000000000000000000000000000000000000000000001",
      "All those moments will be lost in time, like tears in rain. Time to die...",
      """
      8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b\
      547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21
      """
    ),
    (
      "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140", "Satoshi Nakamoto",
      """
      fd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d0\
      6b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5
      """
    ),
    (
      "f8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181", "Alan Turing",
      """
      7063ae83e7f62bbb171798131b4a0564b956930092b33b07b395615d9ec7e15c\
      58dfcc1e00a35e1572f366ffe34ba0fc47db1e7189759b9fb233c5b05ab388ea
      """
    ),
  ])
  func `a signature has RFC 6979's nonce and the lower s`(key: String, text: String, compact: String) throws {
    let digest = try #require(Bytes32(Array(SHA256.hash(data: Array(text.utf8)))))
    let signature = try PrivateKey(bytes(key)).sign(digest)
    #expect(signature.bytes.prefix(64).elementsEqual(bytes(compact)))
  }

  @Test func `threads share one context`() async throws {
    let (key, digest) = (try Seeded.key(0), Seeded.digest(0))
    let expected = key.sign(digest)
    await withTaskGroup { group in
      for _ in 0..<64 { group.addTask { (key.sign(digest), expected.signer(of: digest)) } }
      for await (signature, signer) in group { #expect(signature == expected && signer == key.address) }
    }
  }

  @Test func `a key file is a line of sixty-four hex digits`() throws {
    let key = try Seeded.key(0)
    let digits = key.exposed.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    #expect(key.exposedFile == Array((digits + "\n").utf8))
    for text in [digits, digits + "\n", digits.uppercased(), "0x" + digits, "0x" + digits + "\n"] {
      #expect(try PrivateKey(file: Array(text.utf8)) == key)
    }
  }

  @Test(
    arguments: [
      { _ in "" }, { _ in "\n" }, { _ in "0x" }, { String($0.dropLast()) }, { $0 + "0" }, { $0 + "\n\n" }, { " " + $0 },
      { $0 + " " },
      { "0x0x" + $0 }, { "0X" + $0 }, { $0.dropLast() + "g" }, { $0 + "\n" + $0 + "\n" }, { $0 + "\0" },
      { _ in String(repeating: "0", count: 64) }, { _ in String(repeating: "f", count: 64) },
    ] as [@Sendable (String) -> String])
  func `what is no key file is refused, and not repeated`(change: @Sendable (String) -> String) throws {
    let digits = String(decoding: try Seeded.key(0).exposedFile.dropLast(), as: UTF8.self)
    let error = #expect(throws: WalletError.self) { try PrivateKey(file: Array(change(digits).utf8)) }
    #expect(error?.code == .privateKey)
    #expect(error?.description.contains(digits.prefix(6)) == false)
  }

  private let zeros = [UInt8](repeating: 0, count: 32)
  private func key(_ number: Int) throws -> PrivateKey { try PrivateKey(adding(number, to: zeros)) }
}
