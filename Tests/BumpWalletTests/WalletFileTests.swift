import BumpWallet
import Foundation
import Glibc
import Testing

@Suite struct WalletFileTests {
  /// A directory of the test's own.
  private func withDirectory(_ body: (String) throws -> Void) throws {
    var name = Array("\(NSTemporaryDirectory())/wallet.XXXXXX".utf8CString)
    let directory = String(cString: try #require(mkdtemp(&name)))
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try body(directory)
  }

  private func mode(of path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o777
  }

  @Test func `a wallet is read as it was made, and is its owner's alone`() throws {
    try withDirectory { directory in
      let path = "\(directory)/a/b/wallet.key"
      let key = try Seeded.key(0)
      try WalletFile.create(path, key: key)
      #expect(try WalletFile.read(path) == key)
      #expect(try Array(Data(contentsOf: URL(filePath: path))) == key.exposedFile)
      #expect(try mode(of: path) == 0o600)
      #expect(try mode(of: "\(directory)/a/b") == 0o700 && mode(of: "\(directory)/a") == 0o700)
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(directory)/a/b") == ["wallet.key"])
    }
  }

  @Test func `a wallet is never overwritten, nor is what a link names in its place`() throws {
    try withDirectory { directory in
      let path = "\(directory)/wallet.key"
      let key = try Seeded.key(0)
      try WalletFile.create(path, key: key)
      try #require(symlink("nowhere", "\(directory)/link") == 0)
      for taken in [path, "\(directory)/link"] {
        let error = #expect(throws: WalletError.self) { try WalletFile.create(taken, key: Seeded.key(1)) }
        #expect(error?.code == .existingFile)
      }
      #expect(try WalletFile.read(path) == key)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == ["link", "wallet.key"])
    }
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o644] as [mode_t])
  func `a wallet that others may read is refused`(mode: mode_t) throws {
    try withDirectory { directory in
      let path = "\(directory)/wallet.key"
      try WalletFile.create(path, key: Seeded.key(0))
      chmod(path, mode)
      let error = #expect(throws: WalletError.self) { try WalletFile.read(path) }
      #expect(error?.code == .file && error?.reason == "the wallet \(path) can be read by others")
      #expect(error?.remedy == "Try: chmod 600 \(path)" && error?.underlying != nil)
    }
  }

  /// Whoever may write in the directory may remove the wallet, or put another one of its owner's in its place.
  @Test(arguments: [0o777, 0o775, 0o757, 0o1777] as [mode_t])
  func `a wallet below a directory that others may write in is neither read nor made`(mode: mode_t) throws {
    try withDirectory { directory in
      let directory = URL(filePath: directory).resolvingSymlinksInPath().path
      let folder = "\(directory)/a"
      try WalletFile.create("\(folder)/wallet.key", key: Seeded.key(0))
      try #require(symlink(folder, "\(directory)/link") == 0)
      chmod(folder, mode)
      for path in ["\(folder)/wallet.key", "\(directory)/link/wallet.key"] {
        let error = #expect(throws: WalletError.self) { try WalletFile.read(path) }
        #expect(error?.code == .file && error?.underlying != nil)
        #expect(error?.reason == "the wallet \(path) is not used: others can write in the directory \(folder)")
      }
      let below = "\(folder)/b/wallet.key"
      // Below a sticky directory a directory of one's own is safe.
      if mode == 0o1777 {
        try WalletFile.create(below, key: Seeded.key(1))
      } else {
        let made = #expect(throws: WalletError.self) { try WalletFile.create(below, key: Seeded.key(1)) }
        #expect(made?.code == .file)
      }
    }
  }

  @Test func `a wallet's error says what happened, and in a sentence of its own what to try`() throws {
    try withDirectory { directory in
      let path = "\(directory)/wallet.key"
      let missing = #expect(throws: WalletError.self) { try WalletFile.read(path) }
      #expect(missing?.description == "there is no wallet \(path)" && missing?.remedy == nil)
      try WalletFile.create(path, key: Seeded.key(0))
      let taken = #expect(throws: WalletError.self) { try WalletFile.create(path, key: Seeded.key(1)) }
      #expect(taken?.reason == "the wallet \(path) is there already" && taken?.remedy == "Name another")
      #expect(taken?.description == "the wallet \(path) is there already. Name another")
    }
  }

  @Test func `what is no wallet's file is refused, and not waited for`() throws {
    try withDirectory { directory in
      try #require(mkfifo("\(directory)/pipe", 0o600) == 0)
      try Data().write(to: URL(filePath: "\(directory)/empty"))
      try Data(repeating: UInt8(ascii: "0"), count: 100_000).write(to: URL(filePath: "\(directory)/long"))
      for name in ["empty", "long"] { chmod("\(directory)/\(name)", 0o600) }
      let wrong: [(String, WalletError.Code)] = [
        ("none", .missingFile), ("pipe", .file), ("", .file), ("empty", .privateKey), ("long", .privateKey),
      ]
      for (name, code) in wrong {
        let error = #expect(throws: WalletError.self) { try WalletFile.read("\(directory)/\(name)") }
        #expect(error?.code == code, "\(name): \(error as Any)")
      }
    }
  }

  @Test func `a wallet is not made where there cannot be one`() throws {
    try withDirectory { directory in
      try Data().write(to: URL(filePath: "\(directory)/file"))
      for path in ["\(directory)/file/wallet.key", "/proc/nowhere/wallet.key"] {
        let error = #expect(throws: WalletError.self) { try WalletFile.create(path, key: Seeded.key(0)) }
        #expect(error?.code == .file, "\(error as Any)")
      }
    }
  }
}
