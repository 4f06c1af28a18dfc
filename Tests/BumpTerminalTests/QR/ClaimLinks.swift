import Samples

/// A claim link made of its parts, here without a true mac: only its length and its characters matter to a picture.
struct ClaimLink {
  var base = "https://irl.app/claim"
  var id = "bumpVectorClaim0000001"
  var secret = "7BdsstEA8zBj4r1e4B9dcg"
  var amount = "1.00"
  var expiry = "1795300000"
  var mac = "pRl0JreFBhnzudPF71_QEg"

  var text: String { "\(base)/\(id)#s=\(secret)&a=\(amount)&t=USDC&x=\(expiry)&m=\(mac)" }
}

func sampleLink(base: String = defaultBase, amount: String = "1.00") -> ClaimLink {
  ClaimLink(base: base, amount: amount)
}

let defaultBase = "https://irl.app/claim"
let bases = [defaultBase, "https://pay.example/cl"]
/// The smallest, the usual, the largest that the default must have room for, and the largest there is.
let amounts = ["0.000001", "1.00", "9999999.99", "9223372036854.775807"]

/// Links with random ids, secrets, expiries and macs, the same in every run.
func randomLinks(base: String, amount: String, count: Int) -> [ClaimLink] {
  var random = SplitMix64(seed: 1)
  return (0..<count).map { _ in
    ClaimLink(
      base: base, id: random.base64URL(22), secret: random.base64URL(22), amount: amount,
      expiry: String(Int.random(in: 1_000_000_000...9_999_999_999, using: &random)), mac: random.base64URL(22))
  }
}

extension SplitMix64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  fileprivate mutating func base64URL(_ count: Int) -> String {
    String((0..<count).map { _ in Self.alphabet[Int.random(in: 0..<64, using: &self)] })
  }
}
