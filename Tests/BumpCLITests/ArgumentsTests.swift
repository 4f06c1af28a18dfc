import ArgumentParser
import BumpClaims
import BumpDiscovery
import BumpKit
import BumpWire
import Testing

@testable import BumpCLI
@testable import BumpTerminal

@Suite struct ArgumentsTests {
  /// An amount as people write it, and why it is none.
  @Test(arguments: [
    ("1,00", "a point and no commas, such as 1.00"), ("1,250.00", "no commas"), ("$1", "has no $. Write 1"),
    ("1.00USDC", "--token names the token"), ("1 USDC", "--token names the token"), ("1e3", "is digits and a point"),
    ("1e3", "--token names the token, and --to the receiver"),
    ("-1", "has no sign. Write 1"), ("+1", "has no sign. Write 1"), ("-50", "has no sign. Write 50"),
    ("-", "has no sign, such as 1.00"), ("-0", "has no sign, such as 1.00"), ("$", "has no $, such as 1.00"),
    (".5", "begins with a digit, and has no $. Write 0.5"), ("1.", "ends with a digit. Write 1"),
    (".00", "has no $, which a shell replaces. Write it like 5.00"), ("0.00", "has no $, which a shell replaces"),
    (".", "such as 1.00"), ("0.", "ends with a digit, such as 1.00"), (".5.", "such as 1.00"),
    ("1.0.0", "has one point"), ("01.00", "no leading zero"), ("", "a decimal number such as 1"),
    ("0", "greater than zero"),
    ("1.0000001", "at most six decimals"), ("9223372036855", "at most 9223372036854.775807"),
    ("１", "is digits and a point"),
  ])
  func `an amount that is refused is refused with its reason`(text: String, reason: String) throws {
    let error = #expect(throws: ValidationError.self) { try Arguments.amount(text) }
    #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    "-50", "+1", "-", "-0", "-.5", "$5.00", "$0", ".5", ".00", "0.00", ".", "..", "1.", "0.", ".5.", "1,5",
  ])
  func `an example of how to write an amount is an amount`(text: String) throws {
    let error = #expect(throws: ValidationError.self) { try Arguments.amount(text) }
    let message = try #require(error?.message)
    let example = try #require(message.firstMatch(of: /[0-9][0-9.]*/)).output
    #expect((try? Amount(example)) != nil, "\(message)")
  }

  @Test(arguments: [
    ("10", 10_000), ("2.5", 2500), ("0.001", 1), ("0.2", 200), ("1.005", 1005), ("3600", 3_600_000), ("060", 60_000),
    ("3s", 3000), ("2.5s", 2500),
  ])
  func `a time is seconds with up to three decimals, with their unit or without`(
    text: String, milliseconds: Int
  ) throws {
    #expect(try Arguments.seconds(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    "nothing": "", "zero": "0", "less than a millisecond": "0.0005", "more than an hour": "3600.001", "far more": "1e9",
    "a minus": "-1", "a plus": "+1", "an exponent": "1e1", "a hexadecimal": "0x10", "not a number": "nan",
    "infinity": "inf",
    "a word": "soon", "another unit": "1m", "a unit in capitals": "10S", "a unit alone": "s", "a space": " 10",
    "a space before the unit": "10 s", "a comma": "2,5", "no decimals": "1.", "no whole": ".5",
    "a fourth decimal": "1.0005", "a full-width digit": "１",
  ])
  func `what is no time is refused`(why: String, text: String) {
    let error = #expect(throws: ValidationError.self, "\(why)") { try Arguments.seconds(text) }
    #expect(error?.message.contains("number of seconds") == true)
  }

  @Test(arguments: [
    ("1s", Int64(1)), ("90s", 90), ("15m", 900), ("24h", 86_400), ("7d", 604_800), ("365d", 31_536_000),
    ("007d", 604_800),
  ])
  func `a lifetime is a number and a unit`(text: String, seconds: Int64) throws {
    #expect(try Arguments.lifetime(text) == seconds)
  }

  @Test(arguments: [
    "nothing": "", "no unit": "24", "no number": "h", "zero": "0s", "a minus": "-1h", "a plus": "+1h",
    "a fraction": "1.5h",
    "more than a year": "366d", "a second more than a year": "31536001s", "more than fits": "99999999999999999999d",
    "more than fits in seconds": "9223372036854775807d", "an unknown unit": "1w", "a unit in capitals": "1H",
    "two units": "1h30m", "a space": "1 h", "a full-width digit": "１h",
  ])
  func `what is no lifetime is refused`(why: String, text: String) {
    let error = #expect(throws: ValidationError.self, "\(why)") { try Arguments.lifetime(text) }
    #expect(error?.message.contains("a lifetime is") == true)
  }

  @Test(arguments: [
    ("192.0.2.1:4000", "192.0.2.1:4000"), ("[2001:db8::1]:4000", "[2001:db8::1]:4000"), ("[::1]:1", "[::1]:1"),
    ("[fe80::1%lo]:4000", "[fe80::1%lo]:4000"), ("alice.example:65535", "alice.example:65535"),
    ("localhost:80", "localhost:80"),
  ])
  func `a peer is an address or a name, and a port`(text: String, shown: String) throws {
    #expect(try Arguments.peer(text).description == shown)
  }

  @Test(arguments: [
    "nothing": "", "no port": "host", "an empty port": "host:", "no host": ":80", "port zero": "host:0",
    "a port too great": "host:65536", "a port with a minus": "host:-1", "a service": "host:http",
    "an address without brackets": "fd77::1", "an address and a port without brackets": "fd77::1:80",
    "empty brackets": "[]:80",
    "half a bracket": "[::1:80", "a name in brackets": "[alice]:80", "a zone without brackets": "fe80::1%lo:80",
    "an interface that is not there": "[fe80::1%nowhere0]:80", "a space": "my host:80", "a path": "host/x:80",
    "a link": "https://host:80", "a full-width digit": "host:８０",
  ])
  func `what is no peer is refused`(why: String, text: String) {
    let error = #expect(throws: ValidationError.self, "\(why)") { try Arguments.peer(text) }
    #expect(error?.message.contains("HOST:PORT") == true)
  }

  @Test(arguments: ["", "IRL", "-a", "a-", "a--b", "123", "abcdefghijklmnop", "a_b", "é", "_irl-bump", "irl-bump._tcp"])
  func `a service type against the rule is refused`(text: String) {
    let error = #expect(throws: ValidationError.self) { try Arguments.serviceType(text) }
    #expect(error?.message.contains("irl-bump") == true)
  }

  @Test func `a service type is a name without its decoration`() throws {
    #expect(try Arguments.serviceType("irl-bump") == .irlBump)
    #expect(try Arguments.serviceType("a1").description == "_a1._tcp")
  }

  @Test(arguments: [
    "", "http://irl.app", "https://", "https://irl.app/", "https://irl.app/#x", "https://irl.app/ x", "irl.app",
  ])
  func `a link base against the rule is refused`(text: String) {
    let error = #expect(throws: ValidationError.self) { try Arguments.linkBase(text) }
    #expect(error?.message.contains("https://irl.app/claim") == true)
  }

  @Test func `a link base is taken as it is`() throws {
    #expect(try Arguments.linkBase("https://pay.example/cl") == "https://pay.example/cl")
  }

  @Test func `an interface is one that is there`() throws {
    #expect(try Arguments.interface("lo").name == "lo")
    #expect(throws: ValidationError.self) { try Arguments.interface("nowhere0") }
    #expect(throws: ValidationError.self) { try Arguments.interface("") }
  }

  @Test func `a name, a token, an amount and a claim id are those of the protocol`() throws {
    #expect(try Arguments.name("Zoë").text == "Zoë")
    #expect(throws: ValidationError.self) { try Arguments.name("a\nb") }
    #expect(try Arguments.token("USDT").description == "USDT")
    #expect(throws: ValidationError.self) { try Arguments.token("usdt") }
    #expect(try Arguments.amount("1.5").description == "1.50")
    #expect(throws: ValidationError.self) { try Arguments.amount("1,5") }
    #expect(try Arguments.claimID("a-_9").description == "a-_9")
    #expect(throws: ValidationError.self) { try Arguments.claimID("a/b") }
  }
}
