/// Reads and writes amounts of a chain's own coin: a decimal number and `wei`, `gwei` (10⁹ wei) or `ether` (10¹⁸ wei).
/// The unit is always there, so that nobody takes one for another.
package enum CoinAmount {
  private static let units: [(name: String, decimals: Int)] = [("ether", 18), ("gwei", 9), ("wei", 0)]

  /// Returns an amount in wei; `nil` for another form, more decimals than the unit has, or more than 2¹²⁸ − 1 wei.
  package static func wei(_ text: String) -> UInt128? {
    guard
      let match = text.wholeMatch(of: /(0|[1-9][0-9]*)(?:\.([0-9]+))? (wei|gwei|ether)/),
      let unit = units.first(where: { $0.name == match.3 })
    else { return nil }
    let fraction = match.2.map(String.init) ?? ""
    guard fraction.count <= unit.decimals else { return nil }
    return UInt128(match.1 + fraction + String(repeating: "0", count: unit.decimals - fraction.count))
  }

  /// Returns the text of an amount, which `wei` reads as the same amount.
  package static func text(_ wei: UInt128) -> String {
    let unit = wei == 0 || wei >= 100_000_000_000_000 ? units[0] : wei >= 1_000_000 ? units[1] : units[2]
    let digits = String(wei)
    let padded = String(repeating: "0", count: max(0, unit.decimals + 1 - digits.count)) + digits
    let fraction = String(padded.suffix(unit.decimals).reversed().drop { $0 == "0" }.reversed())
    return "\(padded.dropLast(unit.decimals))\(fraction.isEmpty ? "" : ".\(fraction)") \(unit.name)"
  }
}
