import Foundation
import Lab
import Synchronization
import Testing

@testable import MultipeerConnectivity

/// Files from one peer to another.
@Suite(.processes(2)) struct ResourceTests {
  private let stage = PlayerGroup()
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("resources-\(UUID().uuidString)")

  /// Makes a file, calls with it, and takes it away.
  private func withFile<Result>(_ bytes: [UInt8], _ body: (URL) async throws -> Result) async throws -> Result {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("file")
    try Data(bytes).write(to: url)
    return try await body(url)
  }

  /// A resource that is not all sent before a test has done something about it.
  private static let endless: UInt64 = 64 << 30

  private static func grow(_ url: URL) throws {
    try #require(truncate(url.path, Int(endless)) == 0)
  }

  private func send(_ url: URL, _ name: String, from first: Player, to second: Player) -> Progress? {
    first.session.sendResource(at: url, withName: name, toPeer: second.id) { error in
      first.note("sent \(name): \(error.map { "\(($0 as? MCError)?.code.rawValue ?? -1)" } ?? "whole")")
    }
  }

  @Test(arguments: [0, 1, 32 * 1024, 3_000_000])
  func `a resource arrives whole, in a file of its own that is gone afterwards`(size: Int) async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try await withFile(bytes) { url in
      let progress = try #require(send(url, "album/../../etc/passwd", from: alice, to: bob))
      try await alice.saw("sent album/../../etc/passwd: whole")
      let file = try await bob.file()
      #expect(file.bytes == bytes && file.name == "album/../../etc/passwd" && file.permissions == 0o600)
      let path = try #require(file.path)
      #expect(path.hasPrefix(FileManager.default.temporaryDirectory.path) && !path.contains("passwd"))
      #expect(progress.totalUnitCount == Int64(size) && progress.completedUnitCount == Int64(size))
      try bob.send("end", to: alice)
      try await alice.saw("bob says end")
      // What was on bob's queue before this is over.
      try alice.send("end", to: bob)
      try await bob.saw("alice says end")
      #expect(!FileManager.default.fileExists(atPath: path))
      let told = bob.told.filter { $0.contains("passwd") }
      #expect(told == ["alice begins album/../../etc/passwd of \(size)", "alice's album/../../etc/passwd is here"])
    }
  }

  @Test func `a file that the delegate moves stays where it has moved it`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    try await withFile([1, 2, 3]) { url in
      let kept = folder.appendingPathComponent("kept")
      bob.settings.withLock { $0.moves = kept }
      _ = send(url, "photo", from: alice, to: bob)
      let path = try #require(try await bob.file().path)
      // What was on bob's queue before this is over.
      try alice.send("end", to: bob)
      try await bob.saw("alice says end")
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(try Data(contentsOf: kept) == Data([1, 2, 3]))
    }
  }

  @Test func `many resources, messages and both directions at once do not disturb each other`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    try await withFile([UInt8](repeating: 1, count: 500_000)) { url in
      for number in 0..<8 {
        _ = send(url, "a\(number)", from: alice, to: bob)
        _ = send(url, "b\(number)", from: bob, to: alice)
        try alice.send("\(number)", to: bob)
      }
      for number in 0..<8 {
        try await alice.saw("sent a\(number): whole")
        try await bob.saw("sent b\(number): whole")
        try await bob.saw("alice says \(number)")
      }
    }
  }

  @Test func `a sender that cancels ends it on both sides`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    try await withFile([]) { url in
      try Self.grow(url)
      let progress = try #require(send(url, "big", from: alice, to: bob))
      try await bob.saw("alice begins big of \(Self.endless)")
      progress.cancel()
      try await alice.saw("sent big: 5")
      try await bob.saw("alice's big fails with 5")
      let file = try await bob.file()
      #expect(file.path == nil)
    }
  }

  @Test func `a receiver that cancels ends it on both sides`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    try await withFile([]) { url in
      try Self.grow(url)
      _ = send(url, "big", from: alice, to: bob)
      let progress = try await bob.progress()
      progress.cancel()
      try await alice.saw("sent big: 5")
      try await bob.saw("alice's big fails with 5")
      try alice.send("still here", to: bob)
      try await bob.saw("alice says still here")
    }
  }

  @Test func `a session that ends in the middle fails it on both sides`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    try await withFile([]) { url in
      try Self.grow(url)
      _ = send(url, "big", from: alice, to: bob)
      _ = try await bob.progress()
      alice.session.disconnect()
      try await alice.saw("sent big: 1")
      try await bob.saw("alice's big fails with 1")
    }
  }

  @Test func `a file that grows while it is sent arrives as long as it was`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    let bytes = (0..<(16 << 20)).map { UInt8(truncatingIfNeeded: $0 >> 8) }
    try await withFile(bytes) { url in
      _ = send(url, "log", from: alice, to: bob)
      let file = FileHandle(
        fileDescriptor: open(url.path, O_WRONLY | O_APPEND | O_CLOEXEC), closeOnDealloc: true)
      try file.write(contentsOf: Data(count: 1 << 20))
      try await alice.saw("sent log: whole")
      let received = try await bob.file()
      #expect(received.bytes == bytes)
    }
  }

  @Test func `a file that becomes shorter while it is sent fails alone`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    try await withFile([]) { url in
      try Self.grow(url)
      _ = send(url, "log", from: alice, to: bob)
      _ = try await bob.progress()
      try #require(truncate(url.path, 0) == 0)
      try await alice.saw("sent log: 0")
      try await bob.saw("alice's log fails with 5")
      try alice.send("still here", to: bob)
      try await bob.saw("alice says still here")
    }
  }

  @Test func `what is no file, has no name, or is for nobody, is told by the handler`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    try await stage.connect(alice, bob)
    try await withFile([1]) { url in
      for scheme in ["ftp", "http", "https"] {
        #expect(send(try #require(URL(string: "\(scheme)://example.com/a")), scheme, from: alice, to: bob) == nil)
        try await alice.saw("sent \(scheme): 3")
      }
      #expect(send(url, "", from: alice, to: bob) == nil)
      try await alice.saw("sent : 2")
      #expect(send(folder, "folder", from: alice, to: bob) == nil)
      try await alice.saw("sent folder: 3")
      #expect(send(folder.appendingPathComponent("none"), "none", from: alice, to: bob) == nil)
      try await alice.saw("sent none: -1")
      #expect(send(url, "stranger", from: alice, to: stage.player("carol")) == nil)
      try await alice.saw("sent stranger: 1")
    }
  }
}
