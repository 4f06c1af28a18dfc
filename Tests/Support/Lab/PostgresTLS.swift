/// What a `PostgresCluster` with TLS listens on, and the certificates that a client may trust.
public struct PostgresTLS: Sendable {
  /// The address that its certificate names. It is drawn, so that several servers have the usual port at once.
  public let address: String
  /// Another address of the same server, which its certificate does not name.
  public let unnamed: String
  /// The file of its certificate, which is its own authority, as the tests' own process sees it.
  public let certificate: String
  /// The file of a certificate for the same address that has nothing to do with the server.
  public let stranger: String

  /// The settings of the server.
  let settings: [String: String]

  /// Makes the certificates. Over TCP only connections with TLS are accepted.
  static func make(on host: Host) async throws -> PostgresTLS {
    let network = "127.\(Int.random(in: 1...254)).\(Int.random(in: 0...255))"
    let (address, unnamed, folder) = ("\(network).1", "\(network).2", "/run/tls")
    try await host.shell("mkdir '\(folder)'")
    for name in ["server", "stranger"] {
      try await host.certify(
        name, at: address, certificate: "\(folder)/\(name).pem", key: "\(folder)/\(name).key")
    }
    try await host.shell(
      """
      cd '\(folder)'
      printf '%s\\n' 'local all all scram-sha-256' 'hostssl all all 127.0.0.0/8 scram-sha-256' >hba
      chown postgres:postgres server.key
      """)
    return PostgresTLS(
      address: address, unnamed: unnamed, certificate: host.path("\(folder)/server.pem"),
      stranger: host.path("\(folder)/stranger.pem"),
      settings: [
        "listen_addresses": "\(address), \(unnamed)", "hba_file": "\(folder)/hba", "ssl": "on",
        "ssl_cert_file": "\(folder)/server.pem", "ssl_key_file": "\(folder)/server.key",
      ])
  }
}
