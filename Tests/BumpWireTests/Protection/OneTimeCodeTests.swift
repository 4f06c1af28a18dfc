import BumpWire
import Testing

@Suite struct OneTimeCodeTests {
  @Test(arguments: ["27-482915", "27 482915", "27482915", " 27 - 482 915 ", "27-482 915"])
  func `typing is kind`(text: String) throws {
    #expect(try OneTimeCode(text).exposed == "27-482915")
  }

  /// Phones make these of a hyphen.
  @Test(arguments: ["\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2015}", "\u{2212}"])
  func `a dash counts as the hyphen`(dash: String) throws {
    #expect(try OneTimeCode("27\(dash)482915").exposed == "27-482915")
    #expect(try OneTimeCode("27 \(dash) 482 915").exposed == "27-482915")
    #expect(throws: CodeError.self) { try OneTimeCode("27\(dash)\(dash)482915") }
    #expect(throws: CodeError.self) { try OneTimeCode("\(dash)27482915") }
  }

  @Test func `a channel may have one digit, and the digits zeros`() throws {
    #expect(try OneTimeCode("7-000001").exposed == "7-000001")
    #expect(try OneTimeCode("7 000001").channel == 7)
    #expect(try OneTimeCode("7000001").exposed == "7-000001")
  }

  @Test func `a code has none of the channels that are taken, while one is free`() {
    var seed: UInt8 = 0
    func random(_ count: Int) -> [UInt8] {
      seed &+= 37
      return [UInt8](repeating: seed, count: count)
    }
    for free in [1, 50, 99] {
      let taken = Set(OneTimeCode.channels).subtracting([free])
      #expect(OneTimeCode(avoiding: taken, random: random).channel == free)
    }
    let odd = Set(OneTimeCode.channels.filter { $0 % 2 == 1 })
    for _ in 0..<50 { #expect(OneTimeCode(avoiding: odd, random: random).channel % 2 == 0) }
    #expect(OneTimeCode.channels.contains(OneTimeCode(avoiding: Set(OneTimeCode.channels), random: random).channel))
  }

  @Test func `a channel is a number from 1 to 99 as it is written here, and nothing else`() {
    for channel in 1...99 { #expect(OneTimeCode.channel(String(channel)) == channel) }
    for text in ["0", "100", "027", "07", "+1", "-1", "2 7", " 27", "27 ", "", "2a", "９", "1.0", "9223372036854775808"]
    {
      #expect(OneTimeCode.channel(text) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    "", "31", "31-59265", "31 59265", "592653", "0-592653", "07-592653", "100-592653", "31-5926535",
    "31-59a653", "31--592653", "３１-592653", "-31592653", "31-", "31-592-653",
    "31\u{2016}592653", "31\u{2043}592653", "31-592653\u{301}",
  ])
  func `what is no code is refused, and never repeated`(text: String) {
    let error = #expect(throws: CodeError.self) { try OneTimeCode(text) }
    if !text.isEmpty { #expect(error?.description.contains(text) == false) }
  }

  @Test(arguments: ["31-5926", "31 5926", "12345", "31-5926535"])
  func `of a missing digit it is said what a code looks like`(text: String) {
    let error = #expect(throws: CodeError.self) { try OneTimeCode(text) }
    #expect(error?.description == "a code is like 27-482915 or 7-482915: the last part has six digits")
  }

  @Test func `codes are drawn evenly: a draw that would favour some is made again`() {
    // 2³² mod 99 and mod 1,000,000 are not zero: the topmost numbers are passed over.
    var draws: [[UInt8]] = [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 26], [0xFF, 0xFF, 0xFF, 0xFF], [0, 7, 94, 99]]
    let code = OneTimeCode { _ in draws.removeFirst() }
    #expect(code.exposed == "27-482915")
  }
}
