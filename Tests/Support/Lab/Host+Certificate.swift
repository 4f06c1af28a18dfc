extension Host {
  /// Makes a certificate that is its own authority, and its key, both in PEM.
  ///
  /// - Parameters:
  ///   - name: the common name of its subject.
  ///   - address: the IP address that it names.
  ///   - certificate: the path of the certificate's file.
  ///   - key: the path of the key's file.
  public func certify(_ name: String, at address: String, certificate: String, key: String) async throws {
    try await shell(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj '/CN=\(name)' \
        -addext subjectAltName=IP:\(address) -keyout '\(key)' -out '\(certificate)'
      """)
  }
}
