#if Vault
  import BumpSystem
  import BumpText
  import NIOSSL

  /// The files of the server's certificate and its private key, both in PEM.
  enum TLSFiles {
    /// The greatest size of a key's file in bytes. It may have certificates, too.
    private static let limit = 65_536

    /// Reads both files.
    ///
    /// - Throws: `Failure` if one of them cannot be used, or if others can read the key or write to it.
    static func configuration(certificate: String, key: String) throws -> TLSConfiguration {
      do {
        let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
        let bytes = try PrivateFile.read(key, limit: limit, isWhole: true, readers: .groupOfRoot)
        var tls = TLSConfiguration.makeServerConfiguration(
          certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(bytes: bytes, format: .pem)))
        tls.minimumTLSVersion = .tlsv12
        return tls
      } catch let failure as PrivateFile.Failure {
        let remedy = failure.remedy(for: key).map { ". Try: \(ShellCommand.text($0))" } ?? ""
        throw Failure("the private key \(key) \(failure.refusal)\(remedy)")
      } catch {
        throw Failure("the certificate \(certificate) or its key \(key) cannot be used. Both are files in PEM")
      }
    }
  }
#endif
