import Testing

@testable import BumpNostr

@Suite struct RelayURLTests {
  @Test(arguments: [
    ("wss://relay.example", "relay.example", 443, "/", "wss://relay.example"),
    ("WSS://Relay.Example:443/", "relay.example", 443, "/", "wss://relay.example"),
    ("ws://127.0.0.1:7777/a/b?c=d", "127.0.0.1", 7777, "/a/b?c=d", "ws://127.0.0.1:7777/a/b?c=d"),
    ("wss://[::1]:8443?x", "::1", 8443, "/?x", "wss://[::1]:8443/?x"), ("wss://a:", "a", 443, "/", "wss://a"),
  ]) func `a relay's place is read`(text: String, host: String, port: Int, path: String, written: String) throws {
    let url = try #require(RelayURL(text))
    #expect(url.host == host && url.port == port && url.path == path && "\(url)" == written)
    #expect(RelayURL(url.description) == url)
  }

  @Test(arguments: [
    "", "wss://", "https://a", "relay.example", "wss:///a", "wss://a:0", "wss://a:65536", "wss://a:+1", "wss://a:1a",
    "wss://user@a", "wss://a/ b", "wss://a/\r\nHost: b", "wss://a#b", "wss://[::1", "wss://[::1]a", "wss://[g]",
    "wss://a\\b", "wss://bücher.example", "wss://" + String(repeating: "a", count: 507), "wss://a b",
  ]) func `anything else is no relay`(text: String) { #expect(RelayURL(text) == nil) }
}
