/// What happens to the peer's bytes on their way: altered, cut in two, or several at once.
struct Wire {
  /// What becomes of the next bytes: the place, and what is flipped there.
  var alteration: (place: Int, mask: UInt8)?
  /// Where the next bytes are cut.
  var cut: Int?
  var isHolding = false
  /// What passed last.
  private(set) var last: [UInt8] = []
  private var held: [UInt8] = []

  mutating func pass(_ words: [UInt8]?) -> [[UInt8]] {
    if var bytes = words, !bytes.isEmpty {
      if let (place, mask) = alteration {
        bytes[place % bytes.count] ^= mask
        alteration = nil
      }
      last = bytes
      held += bytes
    }
    return isHolding ? [] : flush()
  }

  mutating func flush() -> [[UInt8]] {
    let bytes = held
    held = []
    guard let place = cut, !bytes.isEmpty else { return bytes.isEmpty ? [] : [bytes] }
    cut = nil
    let half = place % bytes.count
    return [Array(bytes[..<half]), Array(bytes[half...])]
  }
}
