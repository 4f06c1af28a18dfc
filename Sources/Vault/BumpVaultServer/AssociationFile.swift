#if Vault
  import BumpSystem
  import Foundation

  /// The file by which Apple's systems know the apps of the vault's host, as `bump-clip aasa write` makes it.
  enum AssociationFile {
    /// The greatest number of bytes that Apple's systems read.
    static let limit = 128 * 1024

    /// Reads the file, and checks that it is JSON.
    ///
    /// - Throws: `Failure`.
    static func read(_ path: String) throws -> [UInt8] {
      let content: [UInt8]
      do {
        content = try PlainFile.read(path, limit: limit + 1)
      } catch {
        throw Failure("the association file \(path) cannot be read: \(error.reason)")
      }
      guard content.count <= limit else {
        throw Failure("the association file \(path) has more than \(limit) bytes, which Apple's systems do not read")
      }
      guard
        String(validating: content, as: UTF8.self)?.hasPrefix("\u{FEFF}") == false,
        (try? JSONSerialization.jsonObject(with: Data(content))) is [String: Any]
      else {
        throw Failure("the association file \(path) is not a JSON object in UTF-8. See `bump-clip lint`")
      }
      return content
    }
  }
#endif
