import BumpSystem
import FoundationEssentials
import Glibc

/// The directory of an App Group: values by their keys, and the clip's message store.
struct GroupContainer {
  /// The greatest size of a value in bytes.
  static let limit = 4096

  let path: String
  private var values: String { "\(path)/values" }

  func store(_ name: String) -> String { "\(path)/\(name)" }

  /// Reads a value; `nil` if there is none. Reads at most one byte more than a value may have: a longer value was not
  /// written here.
  func read(_ key: String) throws(PhoneError) -> [UInt8]? {
    let file = "\(values)/\(key)"
    do throws(PrivateFile.Failure) {
      return try PrivateFile.read(file, limit: Self.limit + 1)
    } catch {
      if error == .cannotOpen(ENOENT) { return nil }
      throw PhoneError(error, at: file)
    }
  }

  /// Replaces a value, or adds it. After a crash there is either the old value or the new one, complete.
  func write(_ value: [UInt8], _ key: String) throws(PhoneError) {
    guard Directories.make(values) else { throw PhoneError(errno: errno, at: values) }
    // Temporary files that crashes have left. A key has no dot.
    for name in names(in: values) where name.contains(".") { unlink("\(values)/\(name)") }
    do throws(PrivateFile.Failure) {
      try PrivateFile.replace("\(values)/\(key)", value)
    } catch {
      throw PhoneError(error, at: "\(values)/\(key)")
    }
  }

  /// Deletes a value if it is still the one that was read.
  func delete(_ key: String, ifStill value: [UInt8]) throws(PhoneError) {
    guard try read(key) == value else { return }
    guard unlink("\(values)/\(key)") == 0 || errno == ENOENT else { throw PhoneError(errno: errno, at: values) }
    guard Directories.sync(values) else { throw PhoneError(errno: errno, at: values) }
  }

  /// The keys of the values.
  var keys: [String] { names(in: values).filter { !$0.contains(".") }.sorted() }

  /// Deletes everything in the directory.
  func empty() throws(PhoneError) {
    for name in names(in: path) {
      do {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
      } catch {
        throw PhoneError(.storage, "\(path)/\(name) cannot be deleted")
      }
    }
    guard Directories.sync(path) || errno == ENOENT else { throw PhoneError(errno: errno, at: path) }
  }

  private func names(in directory: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
  }
}
