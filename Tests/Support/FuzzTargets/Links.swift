import BumpKit

/// Any text as a claim link: what parses is encoded as it came; its mac made right, it verifies, and with one bit of it
/// wrong it does not.
func fuzzLinks(_ input: UnsafeBufferPointer<UInt8>) {
  var program = Program(input)
  let (place, bit) = (Int(program.byte()) << 8 | Int(program.byte()), program.byte() & 7)
  let bytes = program.remainder()
  let text = String(decoding: bytes, as: UTF8.self)
  guard let unverified = try? UnverifiedClaimLink(text) else { return }
  check(unverified.link.sealed(mac: unverified.mac).utf8.elementsEqual(bytes), "a link that has another encoding")
  check(unverified.link.description.hasSuffix("#<redacted>"), "a link whose secret is printed")

  guard let key = SharedKey([UInt8](repeating: 7, count: SharedKey.length)) else { return }
  check(
    (try? unverified.verify()) == nil || (try? unverified.verify(key: key)) == nil, "made with a key, and without one")

  for maker in [key, nil] {
    let made = unverified.link.text(key: maker)
    let verified = try? UnverifiedClaimLink(made).verify(key: maker)
    check(verified?.claim == unverified.link.claim, "a link of ours that does not verify")
    check(verified?.expiry == unverified.link.expiry, "a link of ours with another expiry")
    check(verified?.origin == (maker == nil ? .link : .linkOfKeyHolder), "a link of another origin")
    check((try? UnverifiedClaimLink(made).verify(key: maker == nil ? key : nil)) == nil, "whose link does not matter")

    var wrong = Array(made.utf8)
    wrong[place % wrong.count] ^= 1 << bit
    let garbled = String(decoding: wrong, as: UTF8.self)
    check((try? UnverifiedClaimLink(garbled).verify(key: maker)) == nil, "a garbled link that verifies")
  }
}
