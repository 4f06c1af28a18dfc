import BumpDiscovery
import Testing

@Suite struct ServiceSubtypeTests {
  @Test(arguments: ["c27", "a", "k0123456789abcdef", "a-b", String(repeating: "x", count: 62)])
  func `a name by the rule is taken, and has an underscore`(name: String) throws {
    #expect(try ServiceSubtype(name).description == "_\(name)")
  }

  @Test(arguments: ["", "A", "a b", "a.b", "a,b", #"a\b"#, "é", "_c27", String(repeating: "x", count: 63)])
  func `a name that a backend would have to escape, or that is no label, is refused`(name: String) {
    #expect(throws: DiscoveryError(.badServiceType, "")) { try ServiceSubtype(name) }
  }

  @Test func `a subtype is browsed by a name of its own, and registered behind a comma`() throws {
    let subtypes = [try ServiceSubtype("c27"), try ServiceSubtype("k0")]
    #expect(ServiceType.irlBump.browsed(subtypes[0]) == "_c27._sub._irl-bump._tcp")
    #expect(ServiceType.irlBump.browsed(nil) == "_irl-bump._tcp")
    #expect(ServiceType.irlBump.with(subtypes) == "_irl-bump._tcp,_c27,_k0")
    #expect(ServiceType.irlBump.with([]) == "_irl-bump._tcp")
  }
}
