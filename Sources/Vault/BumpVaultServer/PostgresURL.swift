#if Vault
  import BumpPostgres
  import Foundation

  /// Reads a database's URL (PostgreSQL's documentation, §34.1.1.2).
  enum PostgresURL {
    /// - Throws: `Failure` for anything but `postgresql://user@host:port/database` with the parameters `host`,
    ///   `sslmode` and `sslrootcert`. Its message repeats no part of the URL, which may contain a password.
    static func configuration(_ text: String) throws -> PostgresConfiguration {
      let what = "the database is named as postgresql://user@host:port/database"
      guard
        let url = URLComponents(string: text), let scheme = url.scheme, ["postgresql", "postgres"].contains(scheme),
        url.fragment == nil
      else { throw Failure.usage(what) }
      guard url.password == nil else {
        throw Failure.usage(
          "a password in the database's URL can be seen by others. Use PGPASSWORD or the password file")
      }
      guard let user = url.user, !user.isEmpty else { throw Failure.usage("\(what): the user is missing") }
      let database = String(url.path.dropFirst())
      guard !database.isEmpty, !database.contains("/") else { throw Failure.usage("\(what): the database is missing") }
      var host = url.host.flatMap { $0.isEmpty ? nil : $0 }
      var tls: PostgresConfiguration.TLS?
      var root: String?
      for item in url.queryItems ?? [] {
        switch item.name {
        case "host": host = item.value
        case "sslmode":
          guard let mode = item.value.flatMap(PostgresConfiguration.TLS.init(rawValue:)) else {
            throw Failure.usage("sslmode is disable, require or verify-full")
          }
          tls = mode
        case "sslrootcert": root = item.value
        default: throw Failure.usage("the database's URL takes the parameters host, sslmode and sslrootcert")
        }
      }
      guard let host, !host.isEmpty else { throw Failure.usage("\(what): the host is missing") }
      guard let port = UInt16(exactly: url.port ?? 5432), port > 0 else {
        throw Failure.usage("\(what): the port is not a number from 1 to 65535")
      }
      // By default, connections that leave this machine are encrypted.
      let isHere = host.hasPrefix("/") || ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
      return PostgresConfiguration(
        host: host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")), port: port, database: database, user: user,
        tls: tls ?? (isHere ? .disable : .verifyFull), rootCertificate: root, applicationName: "bump-vault")
    }
  }
#endif
