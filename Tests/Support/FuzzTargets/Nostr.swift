@testable import BumpNostr

/// The driver whose profile the corpus has, and the time at which it is asked for.
private let author: NostrKey? = try? NostrAddress("npub1lycg5qvjtrp3qjf5f7zl382j9x6nrjz9sdhenvyxq8c3808qxmus6gq266").key
private let now: Int64 = 1_700_000_000

/// Any bytes as the text of a key, and, split at line feeds, as what a relay sends.
func fuzzNostr(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  let text = String(decoding: bytes, as: UTF8.self)

  if let read = try? Bech32(text) {
    check(read.text == text.lowercased(), "bech32 that is written otherwise")
  }
  if let address = try? NostrAddress(text) {
    check(!text.lowercased().hasPrefix("nsec1"), "a private key that is read")
    check((try? NostrAddress(address.key.npub))?.key == address.key, "a key that does not come back")
    if let written = address.text {
      check((try? NostrAddress(written)) == address, "an address that does not come back")
    }
  }
  if let url = RelayURL(text) {
    check(RelayURL(url.description) == url, "a relay that does not come back")
    check(!url.authority.contains { $0.isWhitespace } && !url.path.contains { $0.isWhitespace }, "a second header")
  }

  guard let author else { fatalError("the corpus has no author") }
  var session = RelaySession(for: author, at: now)
  _ = session.handle(.connected)
  for message in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
    let wasOver = session.ending != nil
    let actions = session.handle(.received(Array(message)))
    check(actions.isEmpty == (session.ending == nil || wasOver), "a session that ends without a word, or twice")
    check(actions.isEmpty || actions.last == .close, "a session that ends and is not closed")
  }
  if let profile = session.profile {
    check(profile.event.author == author && profile.event.createdAt <= now + 900, "somebody else's profile")
    check((profile.name?.unicodeScalars.count ?? 0) <= 256, "a name that is too long")
  }
}
