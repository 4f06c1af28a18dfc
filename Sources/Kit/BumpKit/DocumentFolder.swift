import BumpClaims
import BumpSystem
import BumpText
import BumpWire
import Glibc

/// A directory in which received documents are saved, each in a new file that only its owner may read.
///
/// The file names are made from the kind and the digest of the document: `card-5891b5b522d5df08.vcf`. So a sender
/// cannot choose a file's name, and a document that is received twice is saved once.
public struct DocumentFolder: Sendable {
  /// The path of the directory.
  public let path: String

  /// Opens the directory. Removes the temporary files that killed processes left in it.
  ///
  /// - Throws: `DocumentError.folder` unless the path is a directory that this process can write to.
  public init(_ path: String) throws(DocumentError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw DocumentError(.folder, "\(path) cannot be used: \(words(errno: errno))", remedy: "Make that directory")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw DocumentError(.folder, "\(path) is not a directory") }
    guard access(path, W_OK | X_OK) == 0 else {
      throw DocumentError(.folder, "\(path) cannot be written: \(words(errno: errno))")
    }
    self.path = path
    PrivateFile.removeLeftovers(in: path, of: Self.isName)
  }

  /// Saves a document: completely, durably and under its name, or not at all. Overwrites no file, except an empty one
  /// of that name.
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
      try checkIsSaved(document, in: file)
      // The process that made this file may have been stopped before the file was durable.
      guard Directories.sync(path) else {
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

  /// Checks that a file of a document's name is that document, and private.
  private func checkIsSaved(_ document: Document, in file: String) throws(DocumentError) {
    let failure: PrivateFile.Failure?
    do throws(PrivateFile.Failure) {
      if try PrivateFile.read(file, limit: document.bytes.count + 1) == document.bytes { return }
      failure = nil
    } catch {
      failure = error
    }
    if let failure, (try? PlainFile.read(file, limit: document.bytes.count + 1)) == document.bytes {
      throw DocumentError(
        .notSaved, "\(file) is there already, and \(failure.refusal)",
        remedy: failure.remedy(for: file).map { "Try: \(ShellCommand.text($0))" } ?? "Move it away")
    }
    throw DocumentError(.notSaved, "\(file) is there already, and is another file", remedy: "Move it away")
  }

  /// Writes a document over an empty file of its name. A process that is killed leaves such a file on a file system
  /// without hard links.
  private func replaceIfEmpty(_ file: String, _ document: Document) throws(DocumentError) {
    guard (try? PrivateFile.read(file, limit: 1)) == [] else { return }
    do throws(PrivateFile.Failure) {
      try PrivateFile.replace(file, document.bytes)
    } catch {
      throw DocumentError(.notSaved, "\(file) cannot be written: \(error.reason)")
    }
  }

  /// Returns whether a file's name has the form of the names that are made here.
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
