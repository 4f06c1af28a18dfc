#if Vault
  import BumpSignIn
  import BumpText
  import BumpVaultAPI
  import BumpWallet
  import Foundation
  import Lab
  import Synchronization
  import Testing

  /// A folder for a vault that signs people in, with its Maildir.
  struct SignInFolder: Sendable {
    let path: String
    var store: String { "\(path)/vault.sqlite" }
    var accounts: String { "\(path)/vault-accounts.sqlite" }
    var key: String { "\(path)/vault-accounts.key" }
    var maildir: String { "\(path)/codes" }
    var options: [String] { ["--store", store, "--sign-in", "maildir:\(maildir)"] }

    /// Gives a test a folder, and removes it.
    static func with(_ body: @Sendable (SignInFolder) async throws -> Void) async throws {
      let path = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      try await body(SignInFolder(path: path))
    }

    /// The messages that were sent, in no order.
    func messages() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "\(maildir)/new").map {
        try String(contentsOfFile: "\(maildir)/new/\($0)", encoding: .utf8)
      }
    }

    /// Waits for a number of messages, and returns the code of the one to an address.
    func code(for address: String, among count: Int) async throws -> String {
      try await waitUntil("\(count) messages") { try messages().count == count }
      let message = try #require(try messages().first { $0.contains("\nTo: \(address)\n") })
      return String(try #require(message.firstMatch(of: /\n\n([0-9]{6})\n/)).1)
    }

    /// The contents of all files of the vault but its key's and the messages.
    func contents() throws -> [(name: String, data: Data)] {
      try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != "codes" && !$0.hasSuffix(".key") }.map {
        ($0, try Data(contentsOf: URL(filePath: "\(path)/\($0)")))
      }
    }
  }

  /// A browser's cookies at a vault on this machine.
  final class ServedBrowser: Sendable {
    let served: ServedVault
    private let jar = Mutex<[String: String]>([:])

    /// The values of the cookies by their names.
    var cookies: [String: String] {
      get { jar.withLock(\.self) }
      set { jar.withLock { $0 = newValue } }
    }

    init(_ served: ServedVault) { self.served = served }

    func ask(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> Reply {
      let pairs = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
      let headers = "Sec-Fetch-Site: same-origin\r\n" + (pairs.isEmpty ? "" : "Cookie: \(pairs)\r\n")
      let reply = try await served.ask(method, path, body, headers)
      for match in reply.description.matches(of: /\r\n(?i:set-cookie): ([^=\r]+)=([^;\r]*)/) {
        let (name, value) = (String(match.1), String(match.2))
        jar.withLock { $0[name] = value.isEmpty ? nil : value }
      }
      return reply
    }

    /// Adds a device with a wallet to the account.
    func add(
      _ credential: [UInt8], _ wrapped: [UInt8], to account: String, by wallet: PrivateKey
    ) async throws -> Reply {
      let change = WalletChange.add(
        try #require(CredentialID(credential)), try #require(DeviceName("Phone")), try #require(WrappedKey(wrapped)))
      let validBefore = Int64(Date().timeIntervalSince1970) + 300
      let statement = WalletStatement(
        account: AccountID(try Bytes32(account)), change: change, validBefore: validBefore, domain: served.vault.domain)
      return try await ask(
        "POST", "/api/wallet/devices",
        [
          "credential": .string(Base64.urlEncoded(credential)), "name": "Phone",
          "wrapped": .string(Base64.urlEncoded(wrapped)), "wallet": .text(wallet.address),
          "validBefore": .integer(validBefore), "signature": .text(wallet.sign(statement.digest)),
        ])
    }
  }
#endif
