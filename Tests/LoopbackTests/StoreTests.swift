import Lab
import Testing

@Suite(.live) struct StoreTests {
  /// Places where nothing can be stored, each with the script that makes it. (Root may write where a mode forbids it.)
  enum UnwritableStore: String, CaseIterable {
    case readOnly = "mount -t tmpfs -o ro,mode=700 tmpfs /run/place"
    case full = "mount -t tmpfs -o size=64k,mode=700 tmpfs /run/place; head -c 65536 /dev/zero >/run/place/junk"
  }

  @Test(arguments: UnwritableStore.allCases)
  func `a sender that cannot store its claim fails before it advertises`(place: UnwritableStore) async throws {
    try await expectFailure(["send", "--amount", "1.00", "--json"], place: place)
  }

  @Test(arguments: UnwritableStore.allCases)
  func `a receiver that cannot store a claim fails before it meets anybody`(place: UnwritableStore) async throws {
    try await expectFailure(["receive", "--json"], place: place)
  }

  private func expectFailure(_ arguments: [String], place: UnwritableStore) async throws {
    try await withHost { host in
      try await host.shell("mkdir /run/place; \(place.rawValue)")
      var person = try BumpCommand("alice", on: host)
      person.environment["BUMP_STORE"] = "/run/place/bump.sqlite"
      let finished = try await person.start(arguments).finish()
      #expect(finished.status == 1, "\(finished)")
      #expect(try finished.events.count == 1, "\(finished)")
      #expect(try finished.result.string("outcome") == "failed")
      #expect(try finished.result.string("error") != nil)
      #expect(finished.standardError.hasPrefix("bump: "), "\(finished)")
    }
  }

  @Test func `a store is for its owner's eyes`() async throws {
    try await withHost(daemons: .none) { host in
      var alice = try BumpCommand("alice", on: host)
      alice.environment["BUMP_STORE"] = nil
      alice.environment["XDG_DATA_HOME"] = "/run/data"
      let sent = try await alice.run("send", "--amount", "1.00", "--link-only")
      #expect(sent.status == 0, "\(sent)")
      let modes = try await host.shell("stat -c %a /run/data/bump /run/data/bump/bump.sqlite")
      #expect(modes.lines == ["700", "600"])
    }
  }
}
