import BumpWallet
import Foundation
import Lab
import Testing

extension HostileTests.PowerCutTests {
  @Test(arguments: Drive.FileSystem.measured)
  func `a wallet that was made is there after a power cut, whole and alone, and so are its directories`(
    fileSystem: Drive.FileSystem
  ) async throws {
    try await withDrive(fileSystem) { drive in
      let alice = drive.user("alice")
      let keys = try [1, 2].map { try PrivateKey([UInt8](repeating: $0, count: 32)) }
      // The second is made in a directory that is there.
      try await drive.inside {
        for (number, key) in keys.enumerated() {
          try WalletFile.create("\(alice.directory)/\(number).key", key: key)
          try drive.cut("\(number)")
        }
      }
      for number in keys.indices {
        let (kept, names) = try await drive.afterCut(
          "\(number)",
          { alice in
            try await drive.inside {
              (
                try (0...number).map { try WalletFile.read("\(alice.directory)/\($0).key") },
                try FileManager.default.contentsOfDirectory(atPath: alice.directory)
              )
            }
          }, of: alice)
        #expect(kept == Array(keys[...number]))
        #expect(names.sorted() == (0...number).map { "\($0).key" })
      }
    }
  }
}
