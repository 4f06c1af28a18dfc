import FoundationEssentials
import Glibc
import Testing

@testable import BumpSharedCards

/// Cards in a directory: durable, private, and gone at their time.
@Suite struct DirectoryCardStoreTests {
  private static let now = SharedCardTests.now

  private static func withStore(
    _ body: (DirectoryCardStore, String) async throws -> Void
  ) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "bump-cards-\(UUID())").path()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try await body(DirectoryCardStore(at: directory), directory)
  }

  private static func card(_ seed: UInt64, at now: Int64 = now) throws -> SharedCard {
    try SharedCard(sealing: SharedCardTests.vcard, as: SharedCardTests.id(seed), with: SharedCardKey(), at: now)
  }

  private static func refusal(
    _ store: DirectoryCardStore, _ id: SharedCardID, at now: Int64
  ) async -> SharedCardError? {
    do throws(SharedCardError) {
      _ = try await store.card(id, at: now)
      return nil
    } catch {
      return error
    }
  }

  private static func names(_ directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  @Test func `a card is there until its time, and not at it`() async throws {
    try await Self.withStore { store, directory in
      let card = try Self.card(1)
      try await store.put(card)
      #expect(try await store.card(card.id, at: Self.now) == card)
      #expect(try await store.card(card.id, at: card.expiresAt - 1) == card)
      #expect(await Self.refusal(store, card.id, at: card.expiresAt)?.code == .absent)
      #expect(try Self.names(directory) == ["\(card.id).card"])
    }
  }

  @Test func `unknown and expired look alike`() async throws {
    try await Self.withStore { store, _ in
      let card = try Self.card(1)
      try await store.put(card)
      let expired = try #require(await Self.refusal(store, card.id, at: card.expiresAt))
      _ = try await store.removeExpired(at: card.expiresAt)
      for other in [
        await Self.refusal(store, card.id, at: card.expiresAt),
        await Self.refusal(store, SharedCardTests.id(2), at: Self.now),
      ] {
        #expect(other?.reason == expired.reason && other?.remedy == expired.remedy && other?.code == expired.code)
      }
    }
  }

  @Test func `nobody else can read a card, and none is replaced`() async throws {
    try await Self.withStore { store, directory in
      let card = try Self.card(1)
      try await store.put(card)
      var status = stat()
      #expect(stat("\(directory)/\(card.id).card", &status) == 0 && status.st_mode & 0o777 == 0o600)
      #expect(stat(directory, &status) == 0 && status.st_mode & 0o777 == 0o700)
      await #expect(throws: SharedCardError.self) { try await store.put(try Self.card(1)) }
      #expect(try await store.card(card.id, at: Self.now) == card)
    }
  }

  @Test func `clean-up removes what has expired, once, and leaves the rest`() async throws {
    try await Self.withStore { store, directory in
      #expect(try await store.removeExpired(at: Self.now) == 0)
      let (old, new) = (try Self.card(1, at: Self.now - 86_400), try Self.card(2))
      try await store.put(old)
      try await store.put(new)
      // Neither a stranger's file nor a directory is touched, whatever its name.
      #expect(FileManager.default.createFile(atPath: "\(directory)/notes", contents: nil))
      #expect(FileManager.default.createFile(atPath: "\(directory)/\(SharedCardTests.id(3)).txt", contents: nil))
      #expect(mkdir("\(directory)/\(SharedCardTests.id(4)).card", 0o700) == 0)
      let before = try Self.names(directory)
      #expect(try await store.removeExpired(at: Self.now) == 1)
      #expect(try await store.removeExpired(at: Self.now) == 0)
      #expect(try Self.names(directory) == before.filter { $0 != "\(old.id).card" })
      #expect(try await store.card(new.id, at: Self.now) == new)
    }
  }

  @Test(arguments: [0o644, 0o666, 0o400] as [mode_t])
  func `an expired card is removed whatever its mode`(mode: mode_t) async throws {
    try await Self.withStore { store, directory in
      let card = try Self.card(1)
      try await store.put(card)
      #expect(chmod("\(directory)/\(card.id).card", mode) == 0)
      #expect(try await store.removeExpired(at: card.expiresAt - 1) == 0)
      #expect(try await store.removeExpired(at: card.expiresAt) == 1)
      #expect(try Self.names(directory) == [])
    }
  }

  @Test func `a record that was cut off is removed after a day`() async throws {
    try await Self.withStore { store, directory in
      let card = try Self.card(1)
      try await store.put(card)
      let path = "\(directory)/\(SharedCardTests.id(2)).card"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      var times = [timespec(tv_sec: Int(Self.now), tv_nsec: 0), timespec(tv_sec: Int(Self.now), tv_nsec: 0)]
      #expect(write(descriptor, "bump", 4) == 4 && futimens(descriptor, &times) == 0 && close(descriptor) == 0)
      #expect(try await store.removeExpired(at: Self.now + 86_399) == 0)
      #expect(try await store.removeExpired(at: Self.now + 86_400) == 2)
      #expect(try Self.names(directory) == [])
    }
  }

  @Test func `what a killed process left is removed at once, and what another one writes is not`() async throws {
    try await Self.withStore { store, directory in
      #expect(mkdir(directory, 0o700) == 0)
      let name = "\(SharedCardTests.id(2)).card"
      let others = ["\(name).+5", "\(name).5EED", "\(name).x", "notes.5eed", "\(name).5eed.txt"]
      for other in ["\(name)", "\(name).5eed"] + others {
        #expect(FileManager.default.createFile(atPath: "\(directory)/\(other)", contents: nil))
        #expect(chmod("\(directory)/\(other)", 0o600) == 0)
      }
      let busy = "\(SharedCardTests.id(3)).card.b057"
      let descriptor = open("\(directory)/\(busy)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      #expect(flock(descriptor, LOCK_EX) == 0)
      let count = try await store.removeExpired(at: Self.now)
      #expect(try count == 2 && Self.names(directory) == ([busy] + others).sorted())
      #expect(close(descriptor) == 0)
      #expect(try await store.removeExpired(at: Self.now) == 1)
      #expect(try Self.names(directory) == others.sorted())
    }
  }

  @Test func `what is no record is damaged`() async throws {
    try await Self.withStore { store, directory in
      let (one, other) = (try Self.card(1), try Self.card(2))
      try await store.put(one)
      #expect(rename("\(directory)/\(one.id).card", "\(directory)/\(other.id).card") == 0)
      #expect(await Self.refusal(store, other.id, at: Self.now)?.code == .damaged)
    }
  }

  @Test func `a directory that cannot be made is named`() async throws {
    let store = DirectoryCardStore(at: "/dev/null/cards")
    await #expect(throws: SharedCardError.self) { try await store.put(try Self.card(1)) }
    #expect(await Self.refusal(store, SharedCardTests.id(1), at: Self.now)?.code == .store)
  }
}
