import ArgumentParser
import BumpClaims
import BumpDiscovery
import BumpKit
import BumpTerminal
import BumpText
import BumpVaultAPI
import BumpVaultClient
import BumpWire

extension Arguments {
  /// Moves a single argument that looks like a negative amount after `--`: the parser would call it an unknown option.
  static func protectingAmount(_ arguments: [String]) -> [String] {
    // The prefix spares other arguments the regular expression, which each process would compile.
    guard arguments.first == "send", arguments.count > 1, !arguments.contains("--"), arguments[1].hasPrefix("-"),
      arguments[1].wholeMatch(of: /-[0-9.,]+/) != nil
    else { return arguments }
    return ["send"] + arguments.dropFirst(2) + ["--", arguments[1]]
  }

  static func storePath(_ text: String) throws -> String {
    guard !text.isEmpty else { throw ValidationError("a store is a file. Name it, or leave out --store") }
    return text
  }

  static func vault(_ text: String) throws -> VaultURL {
    guard let url = VaultURL(text) else {
      throw ValidationError("a vault is a URL of a host, such as https://vault.example or http://127.0.0.1:8080")
    }
    return url
  }

  static func walletPath(_ text: String) throws -> String {
    guard !text.isEmpty else { throw ValidationError("a wallet is a file. Name it, or leave out --wallet") }
    return text
  }

  /// Parses an amount as people write it. The error says which part is wrong.
  static func amount(_ text: String) throws -> Amount {
    do {
      return try Amount(text)
    } catch {
      throw ValidationError(otherOption(for: text) ?? whyNoAmount(text) ?? error.description)
    }
  }

  /// Returns the option of send that sends what was typed in place of an amount: a card or a link. Does not repeat it,
  /// since it may be money.
  private static func otherOption(for text: String) -> String? {
    if text.contains("#s=") {
      return "that is a claim's link, which is money. To offer the claim itself: bump send --again"
    }
    if text.lowercased().hasPrefix("https://") || text.lowercased().hasPrefix("http://") {
      return "a link is sent with --url: bump send --url https://HOST/PATH"
    }
    return text.lowercased().hasSuffix(".vcf") ? "a contact card is sent with --card: bump send --card FILE.vcf" : nil
  }

  private static func whyNoAmount(_ text: String) -> String? {
    let characters = Set(text)
    if text.contains(",") { return "an amount has a point and no commas, such as 1.00 or 1250.50" }
    if text.hasPrefix("-") || text.hasPrefix("+") { return "an amount has no sign\(instead(text.dropFirst()))" }
    if text.hasPrefix("$") { return "an amount has no $\(instead(text.dropFirst()))" }
    if !characters.isSubset(of: "0123456789.") {
      return "an amount is digits and a point, such as 1.00. --token names the token, and --to the receiver"
    }
    // A shell makes .00 and 0.00 of $5.00 and $10.00.
    if text.wholeMatch(of: /0*\.0+/) != nil {
      return "an amount is greater than zero, and has no $, which a shell replaces. Write it like 5.00"
    }
    if text.hasPrefix(".") { return "an amount begins with a digit, and has no $\(instead("0\(text)"))" }
    if text.hasSuffix(".") { return "an amount ends with a digit\(instead(text.dropLast()))" }
    if characters.contains("."), text.filter({ $0 == "." }).count > 1 {
      return "an amount has one point, such as 1.00"
    }
    if text.hasPrefix("0"), text.dropFirst().first?.isNumber == true {
      return "an amount has no leading zero, such as 1.00 or 0.50"
    }
    return nil
  }

  /// Returns what to write instead: this text if it is an amount, and else an example.
  private static func instead(_ text: some StringProtocol) -> String {
    (try? Amount(text)) == nil ? ", such as 1.00" : ". Write \(text)"
  }

  static func token(_ text: String) throws -> Token { try parsed { () throws(ClaimError) in try Token(text) } }
  static func claimID(_ text: String) throws -> ClaimID { try parsed { () throws(ClaimError) in try ClaimID(text) } }

  /// Parses the beginning of an id. A number with a point or a comma is an amount.
  static func claimToSendAgain(_ text: String) throws -> ClaimID {
    if text.wholeMatch(of: /[0-9]*[.,][0-9.,]*/) != nil {
      throw ValidationError("--again sends a claim as it was made. Leave out the amount, or name a claim by its id")
    }
    return try claimID(text)
  }

  static func name(_ text: String) throws -> DisplayName {
    try parsed { () throws(ClaimError) in try DisplayName(own: text) }
  }

  static func code(_ text: String) throws -> OneTimeCode {
    do {
      return try OneTimeCode(text)
    } catch {
      throw ValidationError(error.description)
    }
  }

  static func serviceType(_ text: String) throws -> ServiceType {
    do {
      return try ServiceType(text)
    } catch {
      throw ValidationError(error.description)
    }
  }

  static func peer(_ text: String) throws -> Endpoint {
    guard let endpoint = Endpoint(text) else {
      throw ValidationError("a peer is HOST:PORT, such as 192.0.2.1:4000 or [2001:db8::1]:4000")
    }
    return endpoint
  }

  /// Parses seconds with up to three decimals: more than zero, at most an hour. They may have their unit, `s`, which a
  /// lifetime needs.
  static func seconds(_ text: String) throws -> Duration {
    let number = text.hasSuffix("s") ? text.dropLast() : text[...]
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    // `Double` accepts more: signs, exponents, hexadecimal. A regular expression is compiled by each process, which takes
    // longer than all the rest here.
    let isPlain =
      parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(ASCII.isDigit) }
      && parts.dropFirst().allSatisfy { $0.utf8.count <= 3 }
    guard isPlain, let seconds = Double(number), (0.001...3600).contains(seconds) else {
      throw ValidationError("a time is a number of seconds from 0.001 to 3600. Try 10 or 2.5")
    }
    return .milliseconds(Int64((seconds * 1000).rounded()))
  }

  /// Parses the time limit for finding the other end, as `seconds` does. The error for zero names the options that the
  /// user may mean.
  static func discoveryTimeout(_ text: String) throws -> Duration {
    do { return try seconds(text) } catch {
      guard text.wholeMatch(of: /0+(?:\.0+)?s?/) != nil else { throw error }
      throw ValidationError(
        "a time is more than 0 s. Try --wait, to wait until Ctrl-C, or `bump send 1.00 --link-only`, not to wait at all"
      )
    }
  }

  /// Parses a lifetime such as `90s`, `15m`, `24h` or `7d`, at most a year. Returns seconds.
  static func lifetime(_ text: String) throws -> Int64 {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
    guard
      let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
      text.utf8.first.map({ (0x30...0x39).contains($0) }) == true,
      case (let seconds, false) = count.multipliedReportingOverflow(by: unit), (1...365 * 86400).contains(seconds)
    else {
      throw ValidationError("a lifetime is a number with s, m, h or d, from 1s to 365d. Try 90s, 15m, 24h or 7d")
    }
    return seconds
  }

  static let marginHelp = ArgumentHelp(
    "With a vault, how much time a claim must have left to be sent, or to be accepted as funded (default: 5m).",
    valueName: "time")

  /// Parses the time that a claim must have left, as `lifetime` does, or `0s`.
  static func margin(_ text: String) throws -> ExpiryMargin {
    if text == "0s" { return ExpiryMargin(seconds: 0) }
    return ExpiryMargin(seconds: try lifetime(text))
  }

  private static func parsed<Value>(_ parse: () throws(ClaimError) -> Value) throws -> Value {
    do {
      return try parse()
    } catch {
      throw ValidationError(error.description)
    }
  }
}
