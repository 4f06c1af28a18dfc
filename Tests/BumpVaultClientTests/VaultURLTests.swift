import BumpVaultAPI
import BumpWallet
import Testing

@Suite struct VaultURLTests {
  @Test(arguments: [
    ("https://vault.example", "https://vault.example"), ("HTTPS://Vault.Example/", "https://vault.example"),
    ("https://vault.example:443", "https://vault.example"), ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
    ("http://[::1]:8080", "http://[::1]:8080"), ("http://localhost:80", "http://127.0.0.1"),
    ("http://LOCALHOST:8642", "http://127.0.0.1:8642"), ("https://localhost:8642", "https://localhost:8642"),
  ])
  func `a vault's URL has one form`(text: String, form: String) {
    #expect(VaultURL(text)?.description == form)
  }

  @Test func `an answer is the vault's own over TLS and from this machine`() {
    for text in ["https://vault.example", "http://127.0.0.1:8080", "http://[::1]", "http://localhost:80"] {
      #expect(VaultURL(text)?.isAuthentic == true, "\(text)")
    }
    let elsewhere = [
      "http://vault.example", "http://192.0.2.1", "http://127.0.0.1.example", "http://localhost.example",
      // Resolvers take these for names, which a DNS server of the network may answer.
      "http://127.0.0.256", "http://127.0.0.08", "http://127.0.0.1.", "http://127.0..1",
    ]
    for text in elsewhere {
      #expect(VaultURL(text)?.isAuthentic == false, "\(text)")
    }
  }

  @Test func `the pages for receiver and sender are where nobody on the way can change them`() throws {
    let ledgerID = Bytes32.word(7 as UInt64)
    for text in ["https://vault.example", "https://192.0.2.1:8443", "http://127.0.0.1:8642", "http://[::1]"] {
      let url = try #require(VaultURL(text))
      #expect(url.linkBase == "\(text)/claim" && url.sentPage(of: ledgerID) == "\(text)/sent/\(ledgerID)")
      #expect(VaultURL(namedByLinkBase: "\(text)/claim") == url)
    }
    for text in ["http://vault.example", "http://192.0.2.1:8642"] {
      let url = try #require(VaultURL(text))
      #expect(url.linkBase == nil && url.sentPage(of: ledgerID) == nil)
      #expect(VaultURL(namedByLinkBase: "\(text)/claim") == nil)
    }
    // The vault of this machine has one URL, so its links have one base.
    #expect(VaultURL("http://localhost:8642")?.linkBase == "http://127.0.0.1:8642/claim")
    #expect(VaultURL(namedByLinkBase: "http://localhost:8642/claim") == nil)
  }

  @Test(arguments: [
    "", "vault.example", "ftp://vault.example", "https://", "https://vault.example/path", "https://user@vault.example",
    "https://vault.example:0", "https://vault.example:65536", "https://vault.example:", "https://va ult.example",
    "https://vault.example?x", "https://vault.example#x", "https://[::1", "https://vault.example\n",
    "https://ü.example",
    "https://-vault.example", "javascript:alert(1)",
  ])
  func `what is no origin is no vault's URL`(text: String) {
    #expect(VaultURL(text) == nil)
  }
}
