import BumpSystem
import Foundation
import Glibc
import Lab
import Testing

extension HostileTests {
  /// Files for secrets on a file system without hard links, where link(2) can give no file its name.
  @Suite(.live, .needs(.loopDevices), .needs(.fuse), .processes(2)) struct ExFATTests {
    @Test func `without hard links a private file is made whole, and over no other`() async throws {
      try await withExFATVolume(mask: "077") { volume in
        let path = "\(volume.directory)/key"
        let (kept, refusal, linked) = try await volume.inside {
          try PrivateFile.create(path, Array("first".utf8))
          var refusal: PrivateFile.Failure?
          do throws(PrivateFile.Failure) { try PrivateFile.create(path, Array("second".utf8)) } catch {
            refusal = error
          }
          return (try PrivateFile.read(path, limit: 16), refusal, link(path, "\(path).2"))
        }
        #expect(linked == -1, "this file system has hard links")
        #expect(kept == Array("first".utf8) && refusal == .cannotWrite(EEXIST))
        #expect(try await volume.names() == ["key"])
      }
    }

    @Test func `without hard links one of several who make a private file at once makes it`() async throws {
      try await withExFATVolume(mask: "077") { volume in
        let path = "\(volume.directory)/key"
        let made = try await withThrowingTaskGroup { group in
          for number in UInt8(0)..<8 {
            group.addTask {
              try await volume.inside { (try? PrivateFile.create(path, [number])).map { number } }
            }
          }
          return try await group.reduce(into: [UInt8]()) { made, number in if let number { made.append(number) } }
        }
        #expect(made.count == 1)
        #expect(try await volume.inside { try PrivateFile.read(path, limit: 16) } == made)
        #expect(try await volume.names() == ["key"])
      }
    }

    @Test func `without hard links nothing is left of a private file that cannot be renamed`() async throws {
      try await withExFATVolume(mask: "077") { volume in
        let path = "\(volume.directory)/key"
        await #expect(throws: PrivateFile.Failure.cannotWrite(EIO)) {
          try await volume.inside {
            #expect(refuseRenames(with: EIO))
            try PrivateFile.create(path, Array("first".utf8))
          }
        }
        let names = try await volume.names()
        #expect(names.isEmpty)
      }
    }

    @Test func `where files have no modes but everybody's no private file is made, and nothing is left`() async throws {
      try await withExFATVolume(mask: "000") { volume in
        let path = "\(volume.directory)/key"
        await #expect(throws: PrivateFile.Failure.othersMayRead) {
          try await volume.inside { try PrivateFile.create(path, Array("first".utf8)) }
        }
        let names = try await volume.names()
        #expect(names.isEmpty)
      }
    }

    @Test func `where files have no modes but everybody's no card is saved, and what to do is said`() async throws {
      try await withUsers { alice, bob in
        try await withExFATVolume(mask: "000") { volume in
          var bob = bob
          bob.prefix = volume.prefix
          let file = "\(alice.directory)/me.vcf"
          let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Jo Public\r\nN:Public;Jo;;;\r\nEND:VCARD\r\n"
          try Data(card.utf8).write(to: URL(filePath: file))
          let received = try await alice.hand(file, to: bob, in: volume.directory)
          let reason = "cannot be written: others could read it"
          #expect(received.status == 1 && received.standardError.contains(reason), "\(received)")
          #expect(received.standardError.contains("Name a directory on a disk that has file modes"), "\(received)")

          let store = "\(alice.directory)/cards"
          let shared = try await alice.clip.run("card", "share", file, "--store", store)
          let link = try #require(shared.status == 0 ? shared.lines.first : nil, "\(shared)")
          let fetched = try await bob.clip.run(
            "card", "fetch", link, "--store", store, "--output", "\(volume.directory)/jo.vcf")
          #expect(fetched.status == 1 && fetched.standardError.contains(reason), "\(fetched)")
          #expect(
            fetched.standardError.contains("Name one on a disk that has file modes with --output"), "\(fetched)")
          let unshared = try await bob.clip.run("card", "share", file, "--store", "\(volume.directory)/cards")
          #expect(unshared.status == 1 && unshared.standardError.contains(reason), "\(unshared)")
          #expect(try await volume.names().filter { $0 != "cards" }.isEmpty)
        }
      }
    }
  }
}
