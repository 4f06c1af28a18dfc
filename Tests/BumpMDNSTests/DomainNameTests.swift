import Testing

@testable import BumpMDNS

@Suite struct DomainNameTests {
  @Test func `names differ by more than the case of ASCII letters`() {
    #expect(DomainName("Alice.Local") == DomainName("aLICE.lOCAL."))
    #expect(DomainName("Älice.local") != DomainName("älice.local"))
    #expect(DomainName("[.local") != DomainName("{.local"))
    #expect(DomainName("Alice.Local")?.description == "Alice.Local.")
    #expect(Set([DomainName("A.local"), DomainName("a.local")]).count == 1)
  }

  @Test func `a label holds any bytes, which text escapes`() throws {
    let name = try #require(DomainName(labels: [Array("a.b\\c".utf8) + [0, 0x7F], Array("local".utf8)]))
    #expect(name.description == "a\\.b\\\\c\\000\\127.local.")
    #expect(DomainName(name.description) == name)
    #expect(name.firstLabel == "a.b\\c\0\u{7F}")
    #expect(name.parent == DomainName("local"))
    #expect(DomainName("local")?.prefixed(Array("a.b".utf8)) == DomainName("a\\.b.local"))
  }

  @Test func `what is no name is none`() {
    #expect(DomainName(String(repeating: "x", count: 64)) == nil)
    #expect(DomainName(String(repeating: "x", count: 63)) != nil)
    #expect(DomainName("a..b") == nil)
    #expect(DomainName("a\\") == nil)
    #expect(DomainName("a\\256") == nil)
    let long = Array(repeating: String(repeating: "x", count: 63), count: 4).joined(separator: ".")
    #expect(DomainName(long) == nil)
    #expect(DomainName(String(long.dropLast(2))) != nil)
    #expect(DomainName("")?.parent == nil)
    #expect(DomainName(labels: [[0xFF, 0xFE]])?.firstLabel == nil)
    #expect(DomainName(labels: [[0xFF, 0x61]])?.description == "\\255a.")
    #expect(DomainName("\\255a") == DomainName(labels: [[0xFF, 0x61]]))
  }
}
