import Foundation
import Lab
import Testing

extension HostileTests {
  /// kill -9 of a process that saves a card, before each of the calls by which it does.
  @Suite(.live, .needs(.loopDevices), .needs(.fuse), .processes(2)) struct CardKillTests {
    private static func card(_ name: String) -> Data {
      let text = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Public;\(name);;;\r\nFN:\(name) Public\r\nNOTE:"
      return Data((text + String(repeating: "x", count: 20_000) + "\r\nEND:VCARD\r\n").utf8)
    }

    private static func write(_ card: Data, for user: BumpUser) throws -> String {
      let file = "\(user.directory)/me.vcf"
      try card.write(to: URL(filePath: file))
      return file
    }

    @Test(arguments: CardDirectory.Kind.allCases)
    func `a received card is saved whole or not at all, and the next receive leaves nothing else`(
      kind: CardDirectory.Kind
    ) async throws {
      try await withUsers { alice, bob in
        try await CardDirectory.with(kind, in: bob) { place, bob in
          // One card is there already, and stays as it is.
          try await expectSaved(from: alice, Self.write(Self.card("Old"), for: alice), to: bob, in: place)
          let old = try await place.files()
          let new = Self.card("New")
          let file = try Self.write(new, for: alice)
          // Its name is made of its digest.
          try await expectSaved(from: alice, file, to: bob, in: place)
          let name = try #require(try await place.files().added(to: old).keys.first)
          try await place.remove(name)
          var found: Set<Bool> = []
          try await KillPoint.each(at: [place.folder, "\(place.folder)/\(name)"]) { killPoint in
            let struck = try await alice.hand(file, to: bob.under(killPoint), in: place.folder)
            let files = try await place.files()
            #expect(files.keep(old), "\(killPoint)")
            let added = files.added(to: old)
            if kind == .disk {
              #expect(added.isEmpty || added == [name: new], "\(killPoint): \(added)")
            } else {
              // A name that is reserved is empty; what has a suffix is no card yet.
              let cards = Set(added.named(by: ".vcf").values)
              #expect(cards.isSubset(of: [Data(), new]) && added.count <= 2, "\(killPoint): \(added)")
            }
            if struck.status != 0 { found.insert(added[name] == new) }

            try await expectSaved(from: alice, file, to: bob, in: place)
            let after = try await place.files().added(to: old)
            #expect(after == [name: new], "\(killPoint): \(after)")
            try await place.remove(name)
            return struck
          }
          #expect(found == [false, true], "it was struck before and after the card had its name")
        }
      }
    }

    @Test(arguments: CardDirectory.Kind.allCases)
    func `a shared card is stored whole or not at all, and the next share leaves nothing else`(
      kind: CardDirectory.Kind
    ) async throws {
      try await withUsers { alice, _ in
        try await CardDirectory.with(kind, in: alice) { place, alice in
          let file = try Self.write(Self.card("Jo"), for: alice)
          let link = try await share(file, of: alice, in: place)
          var known = try await place.files()
          let length = try #require(known.values.first).count
          var found: Set<Bool> = []
          try await KillPoint.each(at: [place.folder]) { killPoint in
            let struck = try await alice.clip.under(killPoint).run("card", "share", file, "--store", place.folder)
            let files = try await place.files()
            #expect(files.keep(known), "\(killPoint)")
            let added = files.added(to: known)
            // A record has the length of any other of this card.
            let whole = added.named(by: ".card").of(length)
            if kind == .disk {
              #expect(added == whole && added.count <= 1, "\(killPoint): \(added)")
            } else {
              let empty = added.named(by: ".card").of(0)
              #expect(added.named(by: ".card").count == whole.count + empty.count, "\(killPoint): \(added)")
              #expect(added.count <= 2, "\(killPoint): \(added)")
            }
            if struck.status != 0 { found.insert(!whole.isEmpty) }

            _ = try await share(file, of: alice, in: place)
            let after = try await place.files()
            #expect(after == after.named(by: ".card").of(length), "\(killPoint): \(after)")
            #expect(after.count == known.count + whole.count + 1, "\(killPoint): \(after)")
            known = after
            return struck
          }
          #expect(found == [false, true], "it was struck before and after the card had its name")
          let fetched = try await alice.clip.run("card", "fetch", link, "--store", place.folder)
          #expect(fetched.status == 0 && Data(fetched.standardOutput.utf8) == Self.card("Jo"), "\(fetched)")
        }
      }
    }

    /// Shares a card, and returns its link.
    private func share(_ file: String, of user: BumpUser, in place: CardDirectory) async throws -> String {
      let shared = try await user.clip.run("card", "share", file, "--store", place.folder)
      return try #require(shared.status == 0 ? shared.lines.first : nil, "\(shared)")
    }

    private func expectSaved(from alice: BumpUser, _ file: String, to bob: BumpUser, in place: CardDirectory)
      async throws
    {
      let received = try await alice.hand(file, to: bob, in: place.folder)
      #expect(received.status == 0, "\(received)")
    }
  }
}

extension BumpUser {
  /// The same person, whose process is killed.
  fileprivate func under(_ killPoint: KillPoint) -> BumpUser {
    var user = self
    user.prefix += killPoint.prefix
    return user
  }
}
