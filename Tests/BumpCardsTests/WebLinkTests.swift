import BumpCards
import Testing

@Suite struct WebLinkTests {
  @Test(arguments: [
    "https://a", "HTTPS://example.org/a%20b?x=y&z=[1]#top", "https://[2001:db8::1]:8443/", "https://example.org?q#f",
    "https://example.org/@alice",
  ])
  func `an address of a page is kept as it came`(text: String) {
    #expect(WebLink(text.utf8)?.text == text)
  }

  @Test(arguments: [
    "nothing": "", "no host": "https://", "no host before a path": "https:///a", "no host before a port": "https://:80",
    "another scheme": "http://a", "a script": "javascript:alert(1)", "a file": "file:///etc/passwd",
    "a user before the host": "https://example.org@evil.example/", "a space": "https://a/ b",
    "a line end": "https://a\n", "a backslash": #"https://a\b"#, "a quote": "https://a/\"", "a brace": "https://a/{x}",
    "an escape of a terminal": "https://a/\u{1B}[2J", "a letter outside ASCII": "https://exämple.org",
    "a host in another script's dot": "https://bsky。app/", "two hashes": "https://a/#b#c",
    "half an escape": "https://a/%2", "no escape": "https://a/%zz", "an escape at the end": "https://a/%",
  ])
  func `anything else is refused`(why: String, text: String) {
    #expect(WebLink(text.utf8) == nil, "\(why)")
  }

  @Test func `an address of 2048 bytes is taken, and no longer one`() {
    let longest = "https://a/" + String(repeating: "b", count: WebLink.limit - 10)
    #expect(WebLink(longest.utf8)?.text.utf8.count == 2048)
    #expect(WebLink((longest + "b").utf8) == nil)
  }
}
