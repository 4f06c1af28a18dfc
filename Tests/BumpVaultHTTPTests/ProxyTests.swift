import BumpVaultAPI
import Testing

@testable import BumpVaultHTTP

/// Who asks, where a proxy stands in between.
struct ProxyTests {
  private func client(
    _ headers: [(String, String)], from peer: String = "10.0.0.1", isTLS: Bool = false,
    header: Proxies.Header = .xForwardedFor, origin: String = "http://127.0.0.1:8642"
  ) throws -> Client {
    let proxies = Proxies(
      [try #require(AddressRange("10.0.0.0/24")), try #require(AddressRange("::1"))], header: header)
    return proxies.client(
      of: VaultRequest(
        "GET", "/", headers: headers.map { .init($0.0, $0.1) }, from: try #require(ClientAddress(peer)), isTLS: isTLS),
      at: VaultURL(origin))
  }

  private func expect(
    _ client: Client, _ address: String, isSecure: Bool = false, isLocal: Bool = false,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      client.address.description == address && client.isSecure == isSecure && client.isLocal == isLocal, "\(client)",
      sourceLocation: location)
  }

  @Test func `the client is the last that is no proxy of ours`() throws {
    expect(try client([("X-Forwarded-For", "192.0.2.1")]), "192.0.2.1")
    expect(try client([("x-forwarded-for", "203.0.113.1, 192.0.2.1,10.0.0.7")]), "192.0.2.1")
    expect(try client([("X-Forwarded-For", "203.0.113.1"), ("X-Forwarded-For", "192.0.2.1")]), "192.0.2.1")
    expect(try client([("X-Forwarded-For", "[2001:db8::1]:4711")]), "2001:db8::1")
    expect(try client([("X-Forwarded-For", "192.0.2.1:80")]), "192.0.2.1")
  }

  @Test func `a proxy that says nothing, or nonsense, is the client itself, and nothing is secure`() throws {
    for value in ["", "unknown", "localhost", "10.0.0.2", "192.0.2.1,", "192.0.2.1, x", "192.0.2.1, _hidden"] {
      expect(try client([("X-Forwarded-For", value)]), "10.0.0.1")
    }
    expect(try client([]), "10.0.0.1")
    expect(try client([("X-Forwarded-Proto", "https")]), "10.0.0.1")
    // On this machine too.
    expect(try client([], from: "::1"), "::1")
  }

  @Test func `a request is secure where the proxy says that it came over TLS`() throws {
    expect(try client([("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-Proto", "https")]), "192.0.2.1", isSecure: true)
    expect(try client([("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-Proto", "http")]), "192.0.2.1")
    expect(try client([("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-Proto", "https, http")]), "192.0.2.1")
    // TLS between the proxy and the vault says nothing of the way to the proxy.
    expect(try client([("X-Forwarded-For", "192.0.2.1")], isTLS: true), "192.0.2.1")
  }

  @Test func `a client of the proxy is not on this machine, even if it says so`() throws {
    expect(try client([("X-Forwarded-For", "127.0.0.1")], from: "::1"), "127.0.0.1")
  }

  @Test func `a peer that is no proxy is the client, whatever it says`() throws {
    let headers = [
      ("X-Forwarded-For", "198.51.100.1"), ("Forwarded", "for=198.51.100.1;proto=https"),
      ("X-Forwarded-Proto", "https"),
    ]
    expect(try client(headers, from: "192.0.2.7"), "192.0.2.7")
    expect(try client(headers, from: "192.0.2.7", isTLS: true), "192.0.2.7", isSecure: true)
    expect(try client([], from: "127.0.0.1"), "127.0.0.1", isSecure: true, isLocal: true)
    // A proxy on this machine that the configuration does not name.
    expect(try client(headers, from: "127.0.0.1"), "127.0.0.1")
  }

  @Test(arguments: ["Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Via"])
  func `a request on this machine with any header of a proxy's may have come from anywhere`(name: String) throws {
    for value in ["", "127.0.0.1"] { expect(try client([(name, value)], from: "127.0.0.1"), "127.0.0.1") }
  }

  @Test func `one header is read, as the configuration says`() throws {
    let both = [("X-Forwarded-For", "192.0.2.1"), ("Forwarded", "for=192.0.2.2")]
    expect(try client(both), "192.0.2.1")
    expect(try client(both, header: .forwarded), "192.0.2.2")
  }

  @Test func `Forwarded is read as RFC 7239 has it`() throws {
    func read(_ value: String) throws -> Client { try client([("Forwarded", value)], header: .forwarded) }
    expect(try read("For=192.0.2.1; proto=HTTPS"), "192.0.2.1", isSecure: true)
    expect(
      try read("for=203.0.113.1, for=\"[2001:db8::1]:4711\";proto=https;by=10.0.0.1"), "2001:db8::1", isSecure: true)
    expect(try read("for=192.0.2.1;proto=https, for=10.0.0.4;proto=http"), "192.0.2.1", isSecure: true)
    for value in ["for=192.0.2.1, for=unknown", "for=192.0.2.1;for=192.0.2.2", "for", "for=192.0.2.1, for=_secret"] {
      expect(try read(value), "10.0.0.1")
    }
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.0/31", "10.0.0.1", true),
    ("10.0.0.0/31", "10.0.0.2", false), ("0.0.0.0/0", "255.1.2.3", true), ("0.0.0.0/0", "::1", false),
    ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false), ("::1", "::1", true),
    ("::1", "::2", false), ("10.0.0.0/8", "::ffff:10.1.1.1", true),
  ])
  func `a range has the addresses that its bits say`(range: String, address: String, isIn: Bool) throws {
    #expect(try #require(AddressRange(range)).contains(try #require(ClientAddress(address))) == isIn)
  }

  @Test(arguments: [
    "", "x", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/08", "10.0.0/8", "::/129", "10.0.0.0/8/8",
    "fe80::1%eth0",
  ])
  func `anything else is no range`(text: String) {
    #expect(AddressRange(text) == nil)
  }
}
