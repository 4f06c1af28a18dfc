import Foundation
import Testing

@Suite struct LengthTests {
  /// What is ours of the cryptography must stay short enough to be read in an hour beside the two specifications.
  @Test func `Noise and CPace are under two hundred lines together`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/BumpChannel")
    let files = ["CipherState", "SymmetricState", "NoiseHandshake", "CPace", "Ristretto255"]
    let lines = try files.flatMap { file in
      try String(contentsOf: sources.appending(path: "\(file).swift"), encoding: .utf8)
        .split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
    }
    let code = lines.filter { !$0.isEmpty && !$0.hasPrefix("//") }
    #expect(code.count < 200)
    #expect(code.count > 100, "they are no longer where this test looks")
  }
}
