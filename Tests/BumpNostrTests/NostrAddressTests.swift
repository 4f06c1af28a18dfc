import NostrAuthor
import Testing

@testable import BumpNostr

/// Keys and profiles by NIP-19, with its own examples.
@Suite struct NostrAddressTests {
  private static let npub = "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
  private static let hex = "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e"
  private static let nprofile =
    "nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p"
  private static let key = NostrAuthor(1).key

  private static func refusal(_ text: String) -> NostrAddress.Refusal? {
    do throws(NostrAddress.Refusal) {
      _ = try NostrAddress(text)
      return nil
    } catch {
      return error
    }
  }

  @Test func `the key of NIP-19 is read in either case, and written as it came`() throws {
    for text in [Self.npub, Self.npub.uppercased()] {
      let address = try NostrAddress(text)
      #expect(address.key.hex == Self.hex && address.relays == [])
      #expect(address.text == Self.npub && "\(address.key)" == Self.npub)
    }
  }

  @Test func `the profile of NIP-19 is read with its relays, and written as it came`() throws {
    let address = try NostrAddress(Self.nprofile)
    #expect(address.key.hex == "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d")
    #expect(address.relays == ["wss://r.x.com", "wss://djbas.sadkb.com"])
    #expect(address.text == Self.nprofile)
  }

  @Test(arguments: ["nostr:\(npub)", "NOSTR:\(npub.uppercased())", "Nostr:\(npub)"])
  func `a URI of NIP-21 is read as its key`(text: String) throws {
    #expect(try NostrAddress(text) == NostrAddress(Self.npub))
  }

  @Test func `the profile in a URI of NIP-21 is read with its relays`() throws {
    #expect(try NostrAddress("nostr:\(Self.nprofile)") == NostrAddress(Self.nprofile))
  }

  @Test(arguments: [
    ("a changed character", npub.dropLast() + "h", NostrAddress.Refusal.bech32),
    ("both cases", "N" + npub.dropFirst(), .bech32), ("nothing", "", .bech32),
    ("an event", Bech32("note", [UInt8](repeating: 7, count: 32)).text, .prefix),
    ("31 bytes", Bech32("npub", [UInt8](repeating: 7, count: 31)).text, .length),
    ("33 bytes", Bech32("npub", [UInt8](repeating: 7, count: 33)).text, .length),
    ("a private key", Bech32("nsec", [UInt8](repeating: 7, count: 32)).text, .secretKey),
    ("a private key with a typing error", "nsec1qqqq", .secretKey), ("one in capitals", "NSEC1QQQQ", .secretKey),
    ("one in a URI", "nostr:nsec1qqqq", .secretKey), ("one in a URI in capitals", "NOSTR:NSEC1QQQQ", .secretKey),
    ("another scheme", "bitcoin:\(npub)", .bech32), ("two schemes", "nostr:nostr:\(npub)", .bech32),
    ("a URI of two slashes", "nostr://\(npub)", .bech32), ("a scheme alone", "nostr:", .bech32),
  ]) func `what names nobody is refused for its reason`(what: String, text: String, reason: NostrAddress.Refusal) {
    #expect(Self.refusal(text) == reason, "\(what)")
  }

  @Test(arguments: [
    ("no key", [1, 1, 0x61], NostrAddress.Refusal.tlv), ("nothing", [], .tlv),
    ("a type without a length", [0, 32] + key.bytes + [1], .tlv),
    ("a length beyond the end", [0, 32] + key.bytes + [1, 2, 0x61], .tlv),
    ("a relay that is no ASCII", [0, 32] + key.bytes + [1, 2, 0xC3, 0xA4], .tlv),
    ("a short key", [0, 31] + key.bytes.dropLast(), .length),
  ]) func `fields that are not whole are refused`(what: String, fields: [UInt8], reason: NostrAddress.Refusal) {
    #expect(Self.refusal(Bech32("nprofile", fields).text) == reason, "\(what)")
  }

  @Test func `fields of unknown types are skipped, and the first key counts`() throws {
    let other = NostrAuthor(2).key
    let fields = [200, 3, 1, 2, 3, 0, 32] + Self.key.bytes + [0, 32] + other.bytes + [9, 0]
    #expect(try NostrAddress(Bech32("nprofile", fields).text) == NostrAddress(key: Self.key, relays: []))
  }

  /// The checksum does not see it: the length does.
  @Test func `a q before a final p is no key`() throws {
    let longer = (0..<4096).lazy.compactMap { number in
      NostrKey([UInt8(number >> 8), UInt8(number & 0xFF)] + [UInt8](repeating: 7, count: 30))?.npub
    }.filter { $0.hasSuffix("p") }.map { "\($0.dropLast())qp" }
    let text = try #require(longer.first { (try? Bech32($0)) != nil })
    #expect(Self.refusal(text) == .length)
  }

  @Test func `an address without a text has none`() {
    #expect(NostrAddress(key: Self.key, relays: [String(repeating: "a", count: 256)]).text == nil)
    #expect(NostrAddress(key: Self.key, relays: ["wss://ä"]).text == nil)
  }
}
