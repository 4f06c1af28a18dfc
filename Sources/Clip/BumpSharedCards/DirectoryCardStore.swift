import BumpSystem
import Glibc

/// Shared cards in a directory, one file of mode 0600 each: `UUID.card`.
public struct DirectoryCardStore: SharedCardStore {
  private let directory: String

  /// Makes a store.
  ///
  /// - Parameter directory: the path of the directory. It is made for the first card, with mode 0700.
  public init(at directory: String) {
    self.directory = directory
  }

  public func put(_ card: SharedCard) async throws(SharedCardError) {
    guard Directories.make(directory) else { throw failure("cannot be made: \(words(errno: errno))") }
    let path = path(of: card.id)
    do throws(PrivateFile.Failure) {
      try PrivateFile.create(path, card.record)
    } catch {
      throw failure("cannot be written: \(error.reason)")
    }
    guard Directories.syncAll(above: path) else { throw failure("cannot be written: \(words(errno: errno))") }
  }

  public func card(_ id: SharedCardID, at now: Int64) async throws(SharedCardError) -> SharedCard {
    let record: [UInt8]
    do throws(PrivateFile.Failure) {
      record = try PrivateFile.read(path(of: id), limit: SharedCard.recordLimit + 1)
    } catch {
      guard error == .cannotOpen(ENOENT) else { throw failure("cannot be read: \(error.reason)") }
      throw SharedCardError(.absent)
    }
    let card = try SharedCard(record: record, named: id)
    guard !card.hasExpired(at: now) else { throw SharedCardError(.absent) }
    return card
  }

  public func removeExpired(at now: Int64) async throws(SharedCardError) -> Int {
    guard let stream = opendir(directory) else {
      guard errno == ENOENT else { throw failure("cannot be read: \(words(errno: errno))") }
      return 0
    }
    defer { closedir(stream) }
    var count = PrivateFile.removeLeftovers(in: directory) { Self.id(of: $0) != nil }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let id = Self.id(of: name[...]) else { continue }
      let path = "\(directory)/\(name)"
      if isOver(path, id, at: now), unlink(path) == 0 { count += 1 }
    }
    return count
  }

  /// Returns whether to remove a file: an expired card, or an empty file. A process that is killed leaves an empty file
  /// on a file system without hard links. A truncated file expires a lifetime after it was written. The mode of a file
  /// does not matter here: an expired card that others can read has to go as well.
  private func isOver(_ path: String, _ id: SharedCardID, at now: Int64) -> Bool {
    guard let head = try? PlainFile.read(path, limit: SharedCard.headCount) else { return false }
    if head.isEmpty { return true }
    if let expiresAt = SharedCard.expiry(inHead: head, named: id) { return now >= expiresAt }
    var status = stat()
    return lstat(path, &status) == 0 && now - Int64(status.st_mtim.tv_sec) >= SharedCard.lifetime
  }

  private static let suffix = ".card"

  private static func id(of name: Substring) -> SharedCardID? {
    name.hasSuffix(suffix) ? SharedCardID(name.dropLast(suffix.count)) : nil
  }

  private func path(of id: SharedCardID) -> String { "\(directory)/\(id)\(Self.suffix)" }

  private func failure(_ what: String) -> SharedCardError {
    SharedCardError(.store, "the cards' directory \(directory) \(what)", remedy: "Name another with --store")
  }
}
