/// A name for this host while it publishes something: the machine's own name is nobody's business.
enum HostName {
  /// `bump-` and sixteen hex digits, without a domain. So many bits need no proof that they are unique.
  static func random() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return "bump-" + String(repeating: "0", count: 16 - digits.count) + digits
  }
}
