/// The address of a server, and the credentials for it.
///
/// If the password is `nil`, libpq reads it from PGPASSWORD or the password file (PostgreSQL's documentation, §34.16).
public struct PostgresConfiguration: Sendable {
  /// The encryption of the connection: libpq's `sslmode`.
  public enum TLS: String, Sendable {
    /// No encryption: for Unix sockets and loopback.
    case disable
    /// Encryption without a check of the server's certificate.
    case require
    /// Encryption, and the server's certificate must name the host and be signed by an authority in `rootCertificate`.
    case verifyFull = "verify-full"
  }

  /// A host name, an IP address, or the directory of a Unix socket, which begins with `/`.
  public var host: String
  /// The server's port; for a Unix socket, the number at the end of its name, such as `.s.PGSQL.5432`.
  public var port: UInt16
  /// The name of the database, which libpq does not read as a connection string.
  public var database: String
  /// The role to log in as.
  public var user: String
  /// The password; `nil` if libpq is to find it.
  public var password: PostgresPassword?
  /// The encryption, and how far the server's certificate is checked.
  public var tls: TLS
  /// A file of PEM certificates. `nil` means `~/.postgresql/root.crt`.
  public var rootCertificate: String?
  /// The name of this process in `pg_stat_activity`.
  public var applicationName: String
  /// The server's settings for these connections, such as `enable_seqscan`. The values contain no spaces.
  public var settings: [String: String] = [:]
  /// The time limit for connecting and authentication. It cannot interrupt the resolution of a host name, which has the
  /// resolver's limit.
  public var connectLimit = Duration.seconds(10)
  /// The time limit for a statement. A statement that exceeds it is cancelled, and its connection is closed.
  public var statementLimit = Duration.seconds(30)

  /// Makes a configuration. The default is no encryption.
  public init(
    host: String, port: UInt16 = 5432, database: String, user: String, password: PostgresPassword? = nil,
    tls: TLS = .disable, rootCertificate: String? = nil, applicationName: String
  ) {
    self.host = host
    self.port = port
    self.database = database
    self.user = user
    self.password = password
    self.tls = tls
    self.rootCertificate = rootCertificate
    self.applicationName = applicationName
  }

  /// The server's address for an error message.
  var place: String { host.hasPrefix("/") ? "\(host)/.s.PGSQL.\(port)" : "\(host), port \(port)" }

  /// The parameters of libpq's connection (PostgreSQL's documentation, §34.1.2).
  var parameters: [(keyword: String, value: String)] {
    var parameters = [
      ("host", host), ("port", String(port)), ("dbname", database), ("user", user), ("sslmode", tls.rawValue),
      // Kerberos, which libpq would try first, is not thread-safe.
      ("gssencmode", "disable"),
      ("application_name", applicationName), ("client_encoding", "UTF8"),
      // Without keepalives a connection that only listens would never notice that the server's machine is gone.
      ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
    ]
    if !settings.isEmpty {
      let options = settings.sorted { $0.key < $1.key }.map { "-c \($0.key)=\($0.value)" }
      parameters.append(("options", options.joined(separator: " ")))
    }
    if let password { parameters.append(("password", password.text)) }
    if let rootCertificate { parameters.append(("sslrootcert", rootCertificate)) }
    return parameters
  }
}

/// A password. It prints as `<redacted>`.
public struct PostgresPassword: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  let text: String

  /// Keeps the text as it is. It is not wiped from memory.
  public init(_ text: String) {
    self.text = text
  }

  public var description: String { "<redacted>" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
