/// The encoding of a label of a domain in ASCII (RFC 3492).
enum Punycode {
  /// Returns the encoded label, without `xn--`. Returns `nil` for a label whose numbers overflow.
  static func encoded(_ label: String) -> String? {
    let scalars = label.unicodeScalars.map { Int($0.value) }
    var output = scalars.filter { $0 < 0x80 }
    let basic = output.count
    if basic > 0 { output.append(0x2D) }
    var (number, delta, bias, handled) = (0x80, 0, 72, basic)
    while handled < scalars.count {
      guard let next = scalars.filter({ $0 >= number }).min() else { return nil }
      let (step, isOver) = (next - number).multipliedReportingOverflow(by: handled + 1)
      guard !isOver, delta <= Int(Int32.max) - step else { return nil }
      delta += step
      number = next
      for scalar in scalars {
        if scalar < number { delta += 1 }
        guard scalar == number else { continue }
        output += digits(of: delta, bias)
        bias = adapted(delta, handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      number += 1
    }
    return String(String.UnicodeScalarView(output.compactMap(Unicode.Scalar.init)))
  }

  private static let (base, tMin, tMax) = (36, 1, 26)

  /// Returns a number as a variable-length integer (§3.3).
  private static func digits(of number: Int, _ bias: Int) -> [Int] {
    var (rest, digits, k) = (number, [Int](), base)
    while true {
      let threshold = min(max(k - bias, tMin), tMax)
      if rest < threshold { return digits + [digit(rest)] }
      digits.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      k += base
    }
  }

  /// Returns `a` to `z` for 0 to 25, and `0` to `9` for 26 to 35.
  private static func digit(_ value: Int) -> Int { value < 26 ? value + 0x61 : value - 26 + 0x30 }

  /// Returns the next bias (§6.1).
  private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var (delta, k) = (isFirst ? delta / 700 : delta / 2, 0)
    delta += delta / count
    while delta > (base - tMin) * tMax / 2 {
      delta /= base - tMin
      k += base
    }
    return k + (base - tMin + 1) * delta / (delta + 38)
  }
}
