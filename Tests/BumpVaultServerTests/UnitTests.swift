#if Vault
  import Foundation
  import Glibc
  import Lab
  import Testing

  @testable import BumpVaultServer

  /// The unit of systemd that comes with the server.
  @Suite(.processes()) struct UnitTests {
    private let text: String

    init() throws {
      let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
      text = try String(contentsOf: package.appending(path: "Examples/bump-vault.service"), encoding: .utf8)
    }

    /// What the unit says under a name.
    private func value(_ name: String) throws -> String {
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name)=") }, "\(name)")
      return String(line.dropFirst(name.count + 1))
    }

    @Test(.needs(.systemdAnalyze))
    func `systemd knows all that the unit says`() async throws {
      try await withUnit { unit in
        let verified = try await RunningProcess.start(["/usr/bin/systemd-analyze", "verify", "--man=no", unit]).finish()
        // It only mentions what it does not know.
        #expect(verified.status == 0 && verified.standardError.isEmpty, "\(verified)")
      }
    }

    @Test(.needs(.systemdAnalyze))
    func `the unit leaves the server little but its files and the network`() async throws {
      try await withUnit { unit in
        // From 100, for a service without any restriction, down to 0.
        let found = try await RunningProcess.start([
          "/usr/bin/systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", unit,
        ]).finish()
        #expect(found.status == 0 && found.standardOutput.contains("Overall exposure level"), "\(found)")
      }
    }

    /// Gives a test the path of the unit, with the program where it was built: it must be there.
    private func withUnit(_ body: (String) async throws -> Void) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "unit-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let unit = folder.appending(path: "bump-vault.service")
      try text.replacing("/usr/local/bin/bump-vault", with: ServedVault.binary)
        .write(to: unit, atomically: false, encoding: .utf8)
      try await body(unit.path)
    }

    @Test func `the unit's command starts a vault in the unit's directory, and its signal ends it in the unit's time`()
      async throws
    {
      let state = "/var/lib/\(try value("StateDirectory"))"
      let folder = FileManager.default.temporaryDirectory.appending(path: "unit-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let command = try value("ExecStart")
      #expect(command.contains(" \(state)/") && command.hasPrefix("/usr/local/bin/bump-vault "))
      // What its own comment says for /etc/default/bump-vault.
      let arguments = try #require(text.firstMatch(of: /ARGUMENTS="([^"]*)"/)).1
      let words = command.replacing("/usr/local/bin/bump-vault", with: ServedVault.binary)
        .replacing(state, with: folder).replacing("$ARGUMENTS", with: arguments).split(separator: " ").map(String.init)
      // Another port than the usual one, which may be taken here.
      let process = try await RunningProcess.start(words + ["--listen", "127.0.0.1:0"])
      try await process.line(on: .error) { $0.contains("\"listening\"") }
      #expect(FileManager.default.fileExists(atPath: "\(folder)/vault.sqlite"))
      process.signal(SIGTERM)
      let finished = try await process.finish()
      #expect(finished.status == 0, "\(finished)")
      // systemd waits for longer than the server waits for its clients.
      #expect(.seconds(try #require(Int(try value("TimeoutStopSec")))) > VaultServer.farewell)
    }
  }
#endif
