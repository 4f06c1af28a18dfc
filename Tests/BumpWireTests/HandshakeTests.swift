import BumpClaims
import BumpWire
import Samples
import Testing

@Suite struct HandshakeTests {
  private static let nonce: [UInt8] = Array(1...16)
  private static let commit: [UInt8] = Array(101...132)
  private static let hello = Hello(nonce: nonce)
  private static let welcome = Welcome(mode: .open, nonce: nonce, commit: commit)

  private func changing(_ frame: Frame, at index: Int, to byte: UInt8) -> Frame {
    var body = frame.body
    body[index] = byte
    return Frame(frame.type, body)
  }

  @Test func `HELLO is the magic, the version and a nonce`() {
    #expect(Self.hello.frame.bytes == [0, 22, 1] + Array("BUMP".utf8) + [1] + Self.nonce)
    #expect(Hello.parse(Self.hello.frame) == .success(Self.hello))
  }

  @Test func `WELCOME is the magic, the version, the mode, a nonce, a commitment and a hint of zeros`() {
    let hint = [UInt8](repeating: 0, count: 8)
    #expect(Self.welcome.frame.bytes == [0, 63, 2] + Array("BUMP".utf8) + [1, 0] + Self.nonce + Self.commit + hint)
    #expect(Welcome.parse(Self.welcome.frame) == .success(Self.welcome))
  }

  @Test(arguments: 0..<4, [UInt8(0), 0x62, 0xFF])
  func `another magic is a protocol error`(index: Int, byte: UInt8) {
    #expect(Hello.parse(changing(Self.hello.frame, at: index, to: byte)) == .failure(.protocolError))
    #expect(Welcome.parse(changing(Self.welcome.frame, at: index, to: byte)) == .failure(.protocolError))
  }

  @Test(arguments: [UInt8(0), 2, 0x31, 255])
  func `another version is refused as that`(version: UInt8) {
    #expect(Hello.parse(changing(Self.hello.frame, at: 4, to: version)) == .failure(.version))
    #expect(Welcome.parse(changing(Self.welcome.frame, at: 4, to: version)) == .failure(.version))
  }

  @Test func `a mode that is not known here is refused as that`() {
    for mode in UInt8.min ... .max where Mode(rawValue: mode) == nil {
      #expect(Welcome.parse(changing(Self.welcome.frame, at: 5, to: mode)) == .failure(.mode))
    }
  }

  @Test(arguments: 54..<62)
  func `a hint of a key in mode open is a protocol error`(index: Int) {
    for bit in 0..<8 {
      #expect(Welcome.parse(changing(Self.welcome.frame, at: index, to: 1 << bit)) == .failure(.protocolError))
    }
  }

  @Test func `QUEUED is a place and a tag of zeros where there is no key`() throws {
    for credential in [Credential.none, .code(try OneTimeCode("27-482915"))] {
      let tag = credential.tag(ofPlace: 3, nonceR: Self.nonce, nonceS: Self.nonce)
      let queued = Queued(place: 3, tag: tag)
      #expect(queued.frame.bytes == [0, 10, 8, 3] + [UInt8](repeating: 0, count: 8))
      #expect(try Queued(queued.frame) == queued)
    }
  }

  @Test func `the tag of a key is that of its place and both nonces`() throws {
    let (key, other) = (try #require(SharedKey(Array(1...32))), try #require(SharedKey(Array(2...33))))
    let tags = [
      Credential.key(key).tag(ofPlace: 1, nonceR: Self.nonce, nonceS: Array(2...17)),
      Credential.key(key).tag(ofPlace: 2, nonceR: Self.nonce, nonceS: Array(2...17)),
      Credential.key(key).tag(ofPlace: 1, nonceR: Array(2...17), nonceS: Self.nonce),
      Credential.key(other).tag(ofPlace: 1, nonceR: Self.nonce, nonceS: Array(2...17)),
      Credential.key(key).keyHint(nonceR: Self.nonce, nonceS: Array(2...17)),
    ]
    #expect(Set(tags).count == 5 && tags.allSatisfy { $0.count == 8 })
  }

  @Test(arguments: [UInt8(0), 9, 255])
  func `a place that no queue has is refused`(place: UInt8) {
    let error = #expect(throws: WireError.self) {
      try Queued(Frame(.queued, [place] + [UInt8](repeating: 0, count: 8)))
    }
    #expect(error?.code == .message)
  }

  @Test func `one is not taken for the other`() {
    #expect(Hello.parse(Self.welcome.frame) == .failure(.protocolError))
    #expect(Welcome.parse(Self.hello.frame) == .failure(.protocolError))
  }

  @Test func `every nonce and commitment comes back`() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<100 {
      let hello = Hello(nonce: random.bytes(16))
      let welcome = Welcome(mode: .open, nonce: random.bytes(16), commit: random.bytes(32))
      #expect(Hello.parse(hello.frame) == .success(hello))
      #expect(Welcome.parse(welcome.frame) == .success(welcome))
    }
  }
}
