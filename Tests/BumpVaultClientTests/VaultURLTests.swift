import BumpVaultClient
import Testing

@Suite struct VaultURLTests {
  @Test(arguments: [
    ("https://vault.example", "https://vault.example"), ("HTTPS://Vault.Example/", "https://vault.example"),
    ("https://vault.example:443", "https://vault.example"), ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
    ("http://[::1]:8080", "http://[::1]:8080"), ("http://localhost:80", "http://localhost"),
  ])
  func `a vault's URL has one form`(text: String, form: String) {
    #expect(VaultURL(text)?.description == form)
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
