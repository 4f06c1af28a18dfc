import BumpClaims
import BumpFiles
import BumpThreads
import BumpWire
import Glibc

/// A directory in which received documents are saved, each in a new file that its owner alone may read.
///
/// The names are made here, of the kind and the digest: `card-5891b5b522d5df08.vcf`. So no sender chooses one, and a
/// document that comes again is found again.
public struct DocumentFolder: Sendable {
  /// The path of the directory.
  public let path: String

  /// Opens the directory, and removes what killed processes have left in it of documents that were not saved.
  ///
  /// - Throws: `DocumentError.folder` unless it is a directory that can be written.
  public init(_ path: String) throws(DocumentError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw DocumentError(.folder, "\(path) cannot be used: \(words(errno: errno))", remedy: "Make that directory")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw DocumentError(.folder, "\(path) is no directory") }
    guard access(path, W_OK | X_OK) == 0 else {
      throw DocumentError(.folder, "\(path) cannot be written: \(words(errno: errno))")
    }
    self.path = path
    PrivateFile.removeLeftovers(in: path, of: Self.isName)
  }

  /// Saves a document: complete, durable and under its name, or not at all. No file is overwritten.
  ///
  /// - Throws: `DocumentError.notSaved`.
  func save(_ verified: VerifiedDocument) async throws(DocumentError) -> SavedDocument {
    // fsync(2) blocks.
    try await onThread { () throws(DocumentError) in try saved(verified) }
  }

  private func saved(_ verified: VerifiedDocument) throws(DocumentError) -> SavedDocument {
    let document = verified.document
    let file = path + (path.hasSuffix("/") ? "" : "/") + Self.name(of: document)
    do {
      try PrivateFile.create(file, document.bytes)
      return SavedDocument(verified, path: file, isDuplicate: false)
    } catch .cannotWrite(EEXIST) {
      try replaceIfEmpty(file, document)
      guard (try? PrivateFile.read(file, limit: document.bytes.count + 1)) == document.bytes else {
        throw DocumentError(.notSaved, "\(file) is there already, and is another file", remedy: "Move it away")
      }
      // Whoever made it may have been stopped before it was durable.
      guard Directories.sync(path) || errno == EINVAL else {
        throw DocumentError(.notSaved, "\(file) cannot be written: \(words(errno: errno))")
      }
      return SavedDocument(verified, path: file, isDuplicate: true)
    } catch .othersMayRead {
      // A card is somebody's telephone number, and FAT has no modes.
      throw DocumentError(
        .notSaved, "\(file) cannot be written: others could read it",
        remedy: "Name a directory on a disk that has file modes")
    } catch {
      throw DocumentError(.notSaved, "\(file) cannot be written: \(error.reason)")
    }
  }

  /// Writes a document over an empty file of its name, which a process that was killed leaves where there are no hard
  /// links.
  private func replaceIfEmpty(_ file: String, _ document: Document) throws(DocumentError) {
    guard (try? PrivateFile.read(file, limit: 1)) == [] else { return }
    do throws(PrivateFile.Failure) {
      try PrivateFile.replace(file, document.bytes)
    } catch {
      throw DocumentError(.notSaved, "\(file) cannot be written: \(error.reason)")
    }
  }

  /// Whether a file's name is one of those that are made here.
  private static func isName(_ text: Substring) -> Bool {
    let isDigest = { (text: Substring) in text.count == 16 && text.allSatisfy("0123456789abcdef".contains) }
    return [("card-", ".vcf"), ("link-", ".txt")].contains { prefix, suffix in
      text.hasPrefix(prefix) && text.hasSuffix(suffix) && isDigest(text.dropFirst(prefix.count).dropLast(suffix.count))
    }
  }

  private static func name(of document: Document) -> String {
    let digest = Hex.text(document.digest.prefix(8))
    switch document.kind {
    case .card: return "card-\(digest).vcf"
    case .link: return "link-\(digest).txt"
    }
  }
}
