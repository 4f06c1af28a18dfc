import Foundation
import Testing

@Suite struct PurityTests {
  /// Without these a session has no socket, no file and no clock. That no other module of the package is imported is
  /// checked in the build (`Tests/run.sh`); the system's modules are within everybody's reach.
  @Test func `sessions and bumps import claims, messages and their protection, and nothing of the system`() throws {
    let allowed: Set = [
      "BumpCards", "BumpClaims", "BumpDiscovery", "BumpNoise", "BumpText", "BumpWire", "Crypto",
    ]
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/Core/BumpSession")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") }
    #expect(files.count > 30)
    for file in files {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      let imports = text.matches(of: /(?m)^.*\bimport (\w+)$/).map { String($0.1) }
      #expect(allowed.isSuperset(of: imports), "\(file)")
    }
  }
}
