import BumpWallet
import Foundation
import Glibc
import Lab
import Testing

@testable import BumpCLI

/// `bump wallet new` and `bump wallet show`.
@Suite(.processes()) struct WalletTests {
  private func mode(of path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o777
  }

  @Test func `a new wallet is its owner's alone, where the XDG specification has it, and its address is the result`()
    async throws
  {
    let alice = try Person()
    let made = try await alice.run(["wallet", "new"], changes: ["XDG_DATA_HOME": "\(alice.home)/data"])
    let path = "\(alice.home)/data/bump/wallet.key"
    #expect(made.status == 0, "\(made)")
    let address = try WalletFile.read(path).address
    #expect(made.standardOutput == "\(address)\n", "\(made)")
    #expect(made.standardError.hasPrefix("The wallet is in \(path). Back the file up"), "\(made)")
    #expect(try mode(of: path) == 0o600)
    #expect(try mode(of: "\(alice.home)/data/bump") == 0o700)
  }

  @Test func `each wallet has a key of its own`() async throws {
    let alice = try Person()
    let first = try await alice.run("wallet", "new", "--wallet", "\(alice.home)/a")
    let second = try await alice.run(["wallet", "new"], changes: ["BUMP_WALLET": "\(alice.home)/b"])
    #expect(first.status == 0 && second.status == 0, "\(first) \(second)")
    #expect(first.standardOutput != second.standardOutput)
    #expect(try WalletFile.read("\(alice.home)/b").address.description + "\n" == second.standardOutput)
  }

  @Test func `a wallet is shown without its key, in words and as JSON`() async throws {
    let alice = try Person()
    let path = "\(alice.home)/wallet.key"
    let made = try await alice.run("wallet", "new", "--json", "--wallet", path)
    let key = try WalletFile.read(path)
    let digits = String(decoding: key.exposedFile.dropLast(), as: UTF8.self)
    #expect(try made.events.map { $0.string("address") } == [key.address.description], "\(made)")
    let shown = try await alice.run("wallet", "show", "--wallet", path)
    #expect(shown.status == 0 && shown.standardError.isEmpty, "\(shown)")
    #expect(shown.lines == ["address  \(key.address)", "file     \(path)", "key      <redacted>"], "\(shown)")
    let json = try await alice.run("wallet", "show", "--json", "--wallet", path)
    #expect(try json.events.map { $0.string("event") } == ["wallet"], "\(json)")
    #expect(try json.events.map { $0.string("file") } == [path], "\(json)")
    for finished in [made, shown, json] {
      #expect(!"\(finished.standardOutput)\(finished.standardError)".lowercased().contains(digits), "\(finished)")
    }
  }

  @Test func `a wallet that is there is left as it is, and said to be`() async throws {
    let alice = try Person()
    let path = "\(alice.home)/wallet.key"
    _ = try await alice.run("wallet", "new", "--wallet", path)
    let before = try Data(contentsOf: URL(filePath: path))
    let again = try await alice.run("wallet", "new", "--wallet", path)
    #expect(again.status == 1 && again.standardOutput.isEmpty, "\(again)")
    #expect(
      again.error
        == "the wallet \(path) is there already. `bump wallet show` shows its address. To make another, name it with --wallet",
      "\(again)")
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `who has no wallet is told how to make one`() async throws {
    let alice = try Person()
    let shown = try await alice.run("wallet", "show")
    #expect(shown.status == 1 && shown.standardOutput.isEmpty, "\(shown)")
    let path = "\(alice.home)/.local/share/bump/wallet.key"
    #expect(
      shown.error == "there is no wallet \(path). Make one with `bump wallet new`, or name another with --wallet",
      "\(shown)")
    #expect(!FileManager.default.fileExists(atPath: "\(alice.home)/.local"))
  }

  @Test func `no directory is made for a wallet that was named`() async throws {
    let alice = try Person()
    let made = try await alice.run("wallet", "new", "--wallet", "\(alice.home)/typo/wallet.key")
    #expect(made.status == 1 && made.error?.contains("its directory is not there") == true, "\(made)")
    #expect(!FileManager.default.fileExists(atPath: "\(alice.home)/typo"))
  }

  @Test func `a wallet that others can read is refused, with the chmod that mends it`() async throws {
    let alice = try Person()
    let path = "\(alice.home)/wallet.key"
    _ = try await alice.run("wallet", "new", "--wallet", path)
    chmod(path, 0o640)
    let shown = try await alice.run("wallet", "show", "--wallet", path)
    #expect(shown.status == 1 && shown.standardOutput.isEmpty, "\(shown)")
    #expect(shown.error == "the wallet \(path) can be read by others. Try: chmod 600 \(path)", "\(shown)")
  }

  @Test func `a wallet in a directory that others can write in is neither made nor used`() async throws {
    let alice = try Person()
    let folder = "\(alice.home)/shared"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    _ = try await alice.run("wallet", "new", "--wallet", "\(folder)/wallet.key")
    for (mode, remedy) in [(0o777, "Try: chmod go-w \(folder)"), (0o1777, "Use a directory of its own")]
      as [(mode_t, String)]
    {
      chmod(folder, mode)
      let words = "is not used: others can write in the directory \(folder). \(remedy)"
      for command in [["show", "--wallet", "\(folder)/wallet.key"], ["new", "--wallet", "\(folder)/other.key"]] {
        let refused = try await alice.run(["wallet"] + command)
        #expect(refused.status == 1 && refused.error?.hasSuffix(words) == true, "\(refused)")
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["wallet.key"])
  }

  /// fsync(2) of a file does not make its name durable, nor that of a directory above it. Only root sees the names of
  /// what a process without core dumps has open.
  @Test(.live, arguments: ["wallet", "card"])
  func `each directory above a new wallet, and a new card, is synced`(what: String) async throws {
    let alice = try Person()
    try "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Public;Jo;;;\r\nFN:Jo Public\r\nEND:VCARD\r\n".write(
      toFile: "\(alice.home)/me.vcf", atomically: false, encoding: .utf8)
    let folder = "\(alice.home)/data/\(what == "wallet" ? "bump" : "cards")"
    let command = what == "wallet" ? "\"$bump\" wallet new" : "\"$clip\" card share me.vcf --store \(folder)"
    if what == "card" {
      try FileManager.default.createDirectory(atPath: "\(alice.home)/data", withIntermediateDirectories: false)
    }
    let made = try await alice.shell(
      "strace -f -qq -y -o trace -e trace=fsync \(command)", changes: ["XDG_DATA_HOME": "\(alice.home)/data"])
    #expect(made.status == 0, "\(made)")
    let trace = try String(contentsOfFile: "\(alice.home)/trace", encoding: .utf8)
    var above = folder
    // Only one directory is made for cards.
    let top = what == "wallet" ? "/" : alice.home
    while above != top {
      #expect(trace.contains("<\(above)>)"), "\(above) in \(trace)")
      above = URL(filePath: above).deletingLastPathComponent().path
    }
  }

  /// Only root may give a file away.
  @Test(.live) func `a wallet that belongs to another user is refused`() async throws {
    let alice = try Person()
    let path = "\(alice.home)/wallet.key"
    _ = try await alice.run("wallet", "new", "--wallet", path)
    try #require(chown(path, 65534, 65534) == 0)
    let shown = try await alice.run("wallet", "show", "--wallet", path)
    #expect(shown.status == 1 && shown.error?.contains("belongs to nobody, and must be yours or root's") == true)
  }

  @Test func `a file without a key is named, and not repeated`() async throws {
    let alice = try Person()
    let path = "\(alice.home)/wallet.key"
    try #require(FileManager.default.createFile(atPath: path, contents: Data("hunter2\n".utf8)))
    chmod(path, 0o600)
    let shown = try await alice.run("wallet", "show", "--wallet", path)
    #expect(shown.status == 1 && shown.error?.contains("the wallet \(path) holds no key") == true, "\(shown)")
    #expect(!shown.standardError.contains("hunter2"))
  }

  @Test func `a file that is too large to be a wallet is called none, and its mode is left out`() async throws {
    let alice = try Person()
    let path = "\(alice.home)/letter.txt"
    try Data(repeating: 65, count: 129).write(to: URL(filePath: path))
    try #require(chmod(path, 0o644) == 0)
    let shown = try await alice.run("wallet", "show", "--wallet", path)
    #expect(shown.status == 1 && shown.error?.contains("the wallet \(path) holds no key") == true, "\(shown)")
    #expect(!shown.standardError.contains("chmod"), "\(shown)")
  }

  @Test func `a wallet whose address could not be written is said to be made`() async throws {
    let alice = try Person()
    let made = try await alice.shell(#""$bump" wallet new --wallet "$HOME/wallet.key" >/dev/full"#)
    #expect(made.status == 1 && made.standardError.contains("but the wallet is made"), "\(made)")
    _ = try WalletFile.read("\(alice.home)/wallet.key")
  }
}
