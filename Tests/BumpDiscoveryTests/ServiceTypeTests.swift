import BumpDiscovery
import Testing

@Suite struct ServiceTypeTests {
  @Test(arguments: ["irl-bump", "a", "a1", "x-y-z", "abcdefghijklmno"])
  func `a name by the rule is taken`(name: String) throws {
    #expect(try ServiceType(name).description == "_\(name)._tcp")
  }

  @Test(arguments: ["", "123", "-a", "a-", "a--b", "A", "a_b", "a b", "abcdefghijklmnop", "é", "irl.bump"])
  func `a name against the rule is refused`(name: String) {
    #expect(throws: DiscoveryError(.badServiceType, "")) { try ServiceType(name) }
  }
}
