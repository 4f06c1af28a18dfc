import ArgumentParser
import BumpDiscovery
import BumpKit
import BumpWire

/// Arguments are parsed at the edge: a value that exists is valid.
enum Arguments {
  /// Puts claim ids that begin with a hyphen behind `--`, as one in 64 does: the parser would take them for options.
  static func protectingClaimIDs(_ arguments: [String]) -> [String] {
    let isHyphenated = { (argument: String) in
      // An id that was drawn has 22 characters; no option of ours has.
      argument.hasPrefix("-") && argument.utf8.count == 22 && (try? ClaimID(argument)) != nil
    }
    let ids = arguments.filter(isHyphenated)
    return ids.isEmpty || arguments.contains("--") ? arguments : arguments.filter { !isHyphenated($0) } + ["--"] + ids
  }

  /// Puts what a person may mean for an amount below zero behind `--`, where it stands alone: the parser would call it an
  /// unknown option, and not say what is wrong with it.
  static func protectingAmount(_ arguments: [String]) -> [String] {
    guard arguments.first == "send", arguments.count > 1, !arguments.contains("--"),
      arguments[1].wholeMatch(of: /-[0-9.,]+/) != nil
    else { return arguments }
    return ["send"] + arguments.dropFirst(2) + ["--", arguments[1]]
  }

  static func storePath(_ text: String) throws -> String {
    guard !text.isEmpty else { throw ValidationError("a store is a file; name it, or leave out --store") }
    return text
  }

  /// An amount as people write it. Where they write it otherwise, the error says what is in the way.
  static func amount(_ text: String) throws -> Amount {
    do {
      return try Amount(text)
    } catch {
      throw ValidationError(whyNoAmount(text) ?? error.description)
    }
  }

  private static func whyNoAmount(_ text: String) -> String? {
    let characters = Set(text)
    if text.contains(",") { return "an amount has a point and no commas, such as 1.00 or 1250.50" }
    if text.hasPrefix("-") || text.hasPrefix("+") { return "an amount has no sign; write 1.00" }
    if !characters.isSubset(of: "0123456789.") {
      return "an amount is digits and a point, such as 1.00; --token names the token"
    }
    if text.hasPrefix(".") { return "an amount begins with a digit; write 0\(text)" }
    if text.hasSuffix(".") { return "an amount ends with a digit; write \(text.dropLast())" }
    if characters.contains("."), text.filter({ $0 == "." }).count > 1 {
      return "an amount has one point, such as 1.00"
    }
    if text.hasPrefix("0"), text.dropFirst().first?.isNumber == true {
      return "an amount has no leading zero, such as 1.00 or 0.50"
    }
    return nil
  }

  static func token(_ text: String) throws -> Token { try parsed { () throws(WireError) in try Token(text) } }
  static func claimID(_ text: String) throws -> ClaimID { try parsed { () throws(WireError) in try ClaimID(text) } }

  /// The beginning of an id, but no amount: `bump send 5 --again` is neither another amount nor the claim whose id begins
  /// with 5.
  static func claimToSendAgain(_ text: String) throws -> ClaimID {
    if text.wholeMatch(of: /[0-9]{0,7}|[0-9]*[.,][0-9.,]*/) != nil {
      throw ValidationError(
        "--again sends a claim as it was made, so leave out the amount; name a claim by 8 or more characters of its id")
    }
    return try claimID(text)
  }

  static func name(_ text: String) throws -> DisplayName {
    try parsed { () throws(WireError) in try DisplayName(own: text) }
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

  static func interface(_ text: String) throws -> NetworkInterface {
    do {
      return try NetworkInterface(text)
    } catch {
      throw ValidationError(error.description)
    }
  }

  static func linkBase(_ text: String) throws -> String {
    try parsed { () throws(WireError) in try ClaimLink.check(base: text) }
    return text
  }

  static func peer(_ text: String) throws -> Endpoint {
    guard let endpoint = Endpoint(text) else {
      throw ValidationError("a peer is HOST:PORT, such as 192.0.2.1:4000 or [2001:db8::1]:4000")
    }
    return endpoint
  }

  /// 0 to 65535.
  static func port(_ text: String) throws -> UInt16 {
    guard text.allSatisfy(\.isASCII), let port = UInt16(text) else {
      throw ValidationError("a port is a number from 1 to 65535, or 0 for one that is free")
    }
    return port
  }

  /// 1 to 65535.
  static func fixedPort(_ text: String) throws -> UInt16 {
    guard let port = try? port(text), port > 0 else {
      throw ValidationError("a port is a number from 1 to 65535")
    }
    return port
  }

  /// Seconds with up to three decimals, more than zero, at most an hour.
  static func seconds(_ text: String) throws -> Duration {
    // `Double` reads more than that: signs, exponents, hexadecimal.
    let isPlain = text.wholeMatch(of: /[0-9]+(\.[0-9]{1,3})?/) != nil
    guard isPlain, let seconds = Double(text), seconds >= 0.001, seconds <= 3600 else {
      throw ValidationError("a time-out is a number of seconds, 3600 at most, such as 10 or 2.5")
    }
    return .milliseconds(Int64((seconds * 1000).rounded()))
  }

  /// `90s`, `15m`, `24h`, `7d`: in seconds, at most a year.
  static func lifetime(_ text: String) throws -> Int64 {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
    guard
      let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
      text.utf8.first.map({ (0x30...0x39).contains($0) }) == true,
      case (let seconds, false) = count.multipliedReportingOverflow(by: unit), (1...365 * 86400).contains(seconds)
    else { throw ValidationError("a lifetime is a number with s, m, h or d, a year at most, such as 90s, 24h or 7d") }
    return seconds
  }

  private static func parsed<Value>(_ parse: () throws(WireError) -> Value) throws -> Value {
    do {
      return try parse()
    } catch {
      throw ValidationError(error.description)
    }
  }
}
