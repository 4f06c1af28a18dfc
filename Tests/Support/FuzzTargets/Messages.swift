import BumpKit
import Foundation

/// Any bytes as an inner message, as OFFER's JSON and as a claim payload: what parses is encoded as it came, and
/// another JSON parser reads the same of it.
func fuzzMessages(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  if let message = try? Message(bytes) {
    check(message.bytes == bytes, "a message that has another encoding")
    switch message {
    case .offer(let json): readOffer(json)
    case .claim(_, let payload): readClaim(payload)
    default: break
    }
  }
  readOffer(bytes)
  readClaim(bytes)
}

private func readOffer(_ json: [UInt8]) {
  guard let offer = try? Offer(json: json) else { return }
  check(offer.json == json && json.count <= WireLimits.offer, "an OFFER that has another encoding")
  check((try? Amount(offer.amount.description)) == offer.amount, "an amount that does not come back")

  let other = object(json)
  check(Set(other.keys) == ["v", "claimId", "token", "amount", "expiry", "from"], "an OFFER of other keys")
  check(other["claimId"] as? String == offer.claimID.description, "another claim id")
  check(other["token"] as? String == offer.token.description, "another token")
  check((other["expiry"] as? NSNumber)?.int64Value == offer.expiry.unixSeconds, "another expiry")
  let from = other["from"] as? String ?? ""
  check(from.unicodeScalars.elementsEqual(offer.from.text.unicodeScalars), "another display name")
}

private func readClaim(_ payload: [UInt8]) {
  guard let claim = try? Claim(payload: payload) else { return }
  check(claim.payload == payload && payload.count <= ClaimLimits.claim, "a claim that has another encoding")

  let other = object(payload)
  check(Set(other.keys) == ["v", "claimId", "secret", "token", "amount"], "a claim of other keys")
  check(other["claimId"] as? String == claim.id.description, "another claim id")
  check(other["token"] as? String == claim.token.description, "another token")
  let secret = (other["secret"] as? String).flatMap { Data(base64Encoded: $0) }
  check(secret.map(Array.init) == claim.secret.exposed, "another secret")
}

/// What Foundation reads.
private func object(_ json: [UInt8]) -> [String: Any] {
  guard let object = try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] else {
    fatalError("not JSON at all")
  }
  return object
}
