#if Vault
  import BumpSystem
  import Foundation
  import Glibc
  import Lab
  import Samples
  import Testing

  /// The server's certificate, and who may read its key.
  @Suite(.serialized, .processes()) struct TLSFilesTests {
    private let folder: TemporaryDirectory
    private var certificate: String { folder.path("certificate.pem") }
    private var key: String { folder.path("key1.pem") }
    private var store: String { folder.path("vault.sqlite") }

    init() async throws {
      folder = try TemporaryDirectory()
      let made = try await RunningProcess.start([
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
        folder.path("key1.pem"), "-out", folder.path("certificate.pem"), "-days", "2", "-subj", "/CN=vault", "-addext",
        "subjectAltName=IP:127.0.0.1",
      ]).finish()
      try #require(made.status == 0, "\(made)")
    }

    private func start(key: String) async throws -> RunningProcess {
      try await RunningProcess.start([
        ServedVault.binary, "serve", "--store", store, "--listen", "127.0.0.1:0", "--tls-certificate", certificate,
        "--tls-key", key,
      ])
    }

    /// The key's name is a symbolic link, as certbot has it.
    @Test func `with a certificate it speaks TLS, and nothing else`() async throws {
      let link = folder.path("key.pem")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "key1.pem")
      let process = try await start(key: link)
      let line = try await process.line(on: .error) { $0.contains("\"listening\"") }
      let url = try #require(JSONObject(line).string("url"))
      #expect(url.hasPrefix("https://"))
      let asked = try await RunningProcess.start([
        "python3", "-c",
        "import ssl, sys, urllib.request as u; print(u.urlopen(sys.argv[1], context=ssl.create_default_context(cafile=sys.argv[2])).read())",
        "\(url)/readyz", certificate,
      ]).finish()
      #expect(asked.status == 0 && asked.standardOutput.contains("ok"), "\(asked)")
      let port = try #require(url.split(separator: ":").last.flatMap { Int($0) })
      #expect(try await ServedVault.ask(port, "GET", "/readyz").status == 0)
      process.signal(SIGTERM)
      #expect(try await process.finish().status == 0)
    }

    @Test func `a key that others can read ends the server before there is a store`() async throws {
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
      let finished = try await start(key: key).finish()
      // The file is this user's. Root's may be its group's, too.
      let (text, mode) =
        geteuid() == 0 ? ("can be read by others, or written by its group", 640) : ("can be read by others", 600)
      #expect(
        finished.status == 1
          && finished.standardError == "bump-vault: the private key \(key) \(text). Try: chmod \(mode) \(key)\n",
        "\(finished)")
      #expect(!FileManager.default.fileExists(atPath: store))
    }

    @Test func `a file that has no key, or is none, is named`() async throws {
      let empty = folder.path("empty.pem")
      try PrivateFile.create(empty, [])
      for (path, text) in [
        (empty, "cannot be used. Both are files in PEM"), (folder.path("nothing"), "cannot be read: "),
        (folder.directory, "is not a regular file"),
      ] {
        let finished = try await start(key: path).finish()
        #expect(
          finished.status == 1 && finished.standardError.contains("key \(path) \(text)")
            && finished.standardError.split(separator: "\n").count == 1, "\(finished)")
      }
    }
  }

  /// Who may read a server's key and write to it.
  struct TLSKeyTests {
    /// The server's user is 107.
    @Test(
      arguments: [
        (0o600, 107, nil), (0o400, 107, nil), (0o640, 107, .othersMayRead), (0o604, 107, .othersMayRead),
        (0o620, 107, .othersMayRead), (0o600, 0, nil), (0o440, 0, nil), (0o640, 0, nil),
        (0o644, 0, .moreThanItsGroupMayRead), (0o641, 0, .moreThanItsGroupMayRead),
        (0o660, 0, .moreThanItsGroupMayRead), (0o602, 0, .moreThanItsGroupMayRead), (0o600, 108, .belongs(to: 108)),
        (0o644, 108, .belongs(to: 108)),
      ] as [(mode_t, uid_t, PrivateFile.Failure?)])
    func `a key is its owner's alone, or where root owns it, its group's to read`(
      mode: mode_t, owner: uid_t, expected: PrivateFile.Failure?
    ) {
      var status = stat()
      (status.st_mode, status.st_uid) = (S_IFREG | mode, owner)
      var found: PrivateFile.Failure?
      do throws(PrivateFile.Failure) {
        try PrivateFile.check(status, as: 107, readers: .groupOfRoot)
      } catch {
        found = error
      }
      #expect(found == expected)
    }
  }
#endif
