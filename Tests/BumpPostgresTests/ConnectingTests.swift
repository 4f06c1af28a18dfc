import Foundation
import Glibc
import Lab
import Testing

@testable import BumpPostgres

extension PostgresTests {
  @Suite struct ConnectingTests {
    @Test func `a connection runs a statement`() async throws {
      let connection = try await PostgresConnection.open(try await PostgresCluster.shared().configuration)
      let rows = try await connection.run(Statements.one, [])
      #expect(try rows[0].decode("one", as: Int64.self) == 1)
    }

    @Test func `a wrong password is one error with a remedy, and does not repeat it`() async throws {
      var configuration = try await PostgresCluster.shared().configuration
      configuration.password = PostgresPassword("battery staple")
      let error = try await failure(PostgresError.self) { [configuration] in
        _ = try await PostgresConnection.open(configuration)
      }
      #expect(error.code == .cannotConnect)
      #expect(error.description.contains("password authentication failed for user \"lab\""))
      #expect(error.remedy?.hasPrefix("Check the user, the password and the database") == true)
      #expect(!"\(error)".contains("staple") && !"\(configuration)".contains("staple"))
      var dumped = ""
      dump(configuration, to: &dumped)
      #expect(!dumped.contains("staple"))
    }

    @Test func `a password that is missing is asked for`() async throws {
      var configuration = try await PostgresCluster.shared().configuration
      configuration.password = nil
      let error = try await failure(PostgresError.self) { [configuration] in
        _ = try await PostgresConnection.open(configuration)
      }
      #expect(error.remedy == "Give a password for the user lab.")
    }

    @Test func `a database that is not there is named`() async throws {
      var configuration = try await PostgresCluster.shared().configuration
      configuration.database = "elsewhere"
      let error = try await failure(PostgresError.self) { [configuration] in
        _ = try await PostgresConnection.open(configuration)
      }
      #expect(error.description.contains("database \"elsewhere\" does not exist"))
    }

    @Test func `where no server is, the error says where it was looked for`() async throws {
      var configuration = try await PostgresCluster.shared().configuration
      configuration.host = "/nowhere"
      let error = try await failure(PostgresError.self) { [configuration] in
        _ = try await PostgresConnection.open(configuration)
      }
      #expect(error.code == .cannotConnect)
      #expect(error.remedy == "Check that PostgreSQL runs, and listens at /nowhere/.s.PGSQL.5432.")
    }

    @Test func `a server that takes a connection and says nothing is given up`() async throws {
      try await withSilentServer { configuration in
        var configuration = configuration
        configuration.connectLimit = .milliseconds(50)
        let error = try await failure(PostgresError.self) { [configuration] in
          _ = try await PostgresConnection.open(configuration)
        }
        #expect(error.code == .cannotConnect)
        #expect(error.reason.contains("no answer from"))
      }
    }

    @Test func `connecting ends when its task is cancelled`() async throws {
      try await withSilentServer { configuration in
        let connecting = Task { _ = try await PostgresConnection.open(configuration) }
        connecting.cancel()
        await #expect(throws: CancellationError.self) { try await connecting.value }
      }
    }

    /// A listening socket that nobody takes connections from: the kernel does.
    private func withSilentServer(_ body: (PostgresConfiguration) async throws -> Void) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString.prefix(8)).path
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      defer { close(descriptor) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(folder)/.s.PGSQL.5432".utf8) }
      let bound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(bound == 0 && listen(descriptor, 8) == 0)
      var configuration = PostgresConfiguration(
        host: folder, database: "none", user: "nobody", applicationName: "tests")
      configuration.connectLimit = .hang
      try await body(configuration)
    }
  }
}
