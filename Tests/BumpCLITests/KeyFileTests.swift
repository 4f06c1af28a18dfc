import BumpClaims
import BumpKit
import BumpWire
import Foundation
import Glibc
import Lab
import Testing

@testable import BumpCLI
@testable import BumpTerminal

/// A key file is read by its owner alone, and from a file alone.
@Suite(.processes()) struct KeyFileTests {
  private func withKey<Result>(_ body: (Person, String) async throws -> Result) async throws -> Result {
    let person = try Person()
    let path = "\(person.home)/bump.key"
    try KeyFile.create(path)
    return try await body(person, path)
  }

  @Test func `a new key is said to be where it is, with the commands that use it`() async throws {
    let person = try Person()
    let made = try await person.run("key", "new", "\(person.home)/the key\u{7}")
    #expect(made.status == 0 && made.standardOutput.isEmpty, "\(made)")
    #expect(made.standardError.contains(#"The key is in \#(person.home)/the key\u{7}. "#), "\(made)")
    let plain = try await person.shell(#""$bump" key new 'the key'"#)
    #expect(
      plain.standardError.hasSuffix(
        "Then: bump send 1.00 --key 'the key', and there: bump receive --key 'the key'\n"), "\(plain)")
  }

  @Test func `who is forgotten is said to be`() async throws {
    let person = try Person()
    let key = try #require(SharedKey([UInt8](repeating: 7, count: 32)))
    #expect(try await ClaimStore.open(at: person.store).remember(key, as: DisplayName("bob")) == .kept)
    let forgotten = try await person.run("key", "forget", "bob")
    #expect(forgotten.status == 0 && forgotten.standardOutput.isEmpty, "\(forgotten)")
    #expect(forgotten.standardError.hasPrefix(#""bob" is forgotten here."#), "\(forgotten)")
  }

  @Test(arguments: [0o600, 0o400])
  func `a key file of its owner's alone is read`(mode: mode_t) async throws {
    try await withKey { _, path in
      chmod(path, mode)
      _ = try KeyFile.read(path)
    }
  }

  @Test(arguments: [0o640, 0o644, 0o604, 0o620, 0o602, 0o660, 0o666, 0o610, 0o601])
  func `a key file with any right for others is refused, with the chmod that mends it`(mode: mode_t) async throws {
    try await withKey { _, path in
      chmod(path, mode)
      let error = #expect(throws: CommandError.self) { try KeyFile.read(path) }
      #expect(error?.message.contains("can be read by others. Try: chmod 600") == true, "\(error as Any)")
    }
  }

  @Test(arguments: [(0o777, "Try: chmod go-w "), (0o1777, "Use a directory of its own")] as [(mode_t, String)])
  func `a key file in a directory that others can write in is neither used nor made`(
    mode: mode_t, remedy: String
  ) async throws {
    let person = try Person()
    let folder = "\(person.home)/shared"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try KeyFile.create("\(folder)/bump.key")
    chmod(folder, mode)
    let refused = try await person.run("send", "1", "--link-only", "--key", "\(folder)/bump.key")
    let words = "others can write in the directory \(folder). \(remedy)"
    #expect(refused.status == 64 && refused.error?.contains("is not used: \(words)") == true, "\(refused)")
    let made = try await person.run("key", "new", "\(folder)/other.key")
    #expect(made.status == 64 && made.error?.contains("is not made: \(words)") == true, "\(made)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["bump.key"])
  }

  @Test(arguments: ["a \u{1B}[31mb", "it's", "$(touch gone)", "a\nb", "\u{202E}key"])
  func `the chmod that mends a key file can be pasted, whatever the file is called`(name: String) async throws {
    let person = try Person()
    let path = "\(person.home)/\(name)"
    #expect(try await person.run("key", "new", path).status == 0)
    try #require(chmod(path, 0o644) == 0)
    let refused = try await person.run("send", "1", "--link-only", "--key", path)
    let command = try #require(refused.standardError.firstMatch(of: /Try: (.*)\n$/), "\(refused)").1
    let pasted = try await person.shell(#"exec bash -c "$command""#, changes: ["command": String(command)])
    #expect(pasted.status == 0, "\(command)\n\(pasted)")
    #expect(try await person.run("send", "1", "--link-only", "--key", path).status == 0)
  }

  /// Only root may give a file away.
  @Test(.live, arguments: [(UInt32(65534), "belongs to nobody"), (54_321, "belongs to the user 54321")])
  func `a key file that belongs to another user is refused, and whose it is is said`(
    owner: UInt32, words: String
  ) async throws {
    try await withKey { person, path in
      try #require(chown(path, owner, owner) == 0)
      let refused = try await person.run("send", "--amount", "1", "--key", path)
      #expect(
        refused.status == 64 && refused.error?.contains("\(words), and must be yours or root's") == true, "\(refused)")
      // It may be read by its owner, and one of root's by whoever can.
      _ = try KeyFile.read(path, as: owner)
      try #require(chown(path, 0, 0) == 0)
      _ = try KeyFile.read(path, as: owner)
    }
  }

  @Test func `a file that is too large to be a key is called none, and its mode is left out`() throws {
    let person = try Person()
    let path = "\(person.home)/letter.txt"
    for (size, words) in [(128, "can be read by others. Try: chmod 600"), (129, "holds no key. Make one with:")] {
      try Data(repeating: 65, count: size).write(to: URL(filePath: path))
      try #require(chmod(path, 0o644) == 0)
      let error = #expect(throws: CommandError.self) { try KeyFile.read(path) }
      #expect(error?.message.contains(words) == true, "\(size): \(error as Any)")
    }
  }

  @Test func `a FIFO is neither a key file nor a store, and is not waited for`() async throws {
    let person = try Person()
    let path = "\(person.home)/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let send = try await person.run("send", "--amount", "1", "--key", path)
    #expect(send.status == 64 && send.error?.contains("is not a regular file") == true, "\(send)")
    for command in [["history"], ["send", "--amount", "1"]] {
      let finished = try await person.run(command + ["--store", path])
      #expect(finished.status == 1 && finished.error?.contains("it is not a regular file") == true, "\(finished)")
    }
  }
}
