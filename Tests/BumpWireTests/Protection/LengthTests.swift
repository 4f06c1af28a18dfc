import Foundation
import Testing

@Suite struct LengthTests {
  /// What is ours of the cryptography must stay short enough to be read in an hour beside the three specifications.
  @Test(arguments: [
    (
      [
        "Core/BumpNoise/CipherState", "Core/BumpNoise/SymmetricState", "Core/BumpNoise/NoiseHandshake",
        "Core/BumpWire/Protection/CPace", "Core/BumpWire/Protection/Ristretto255",
      ], 100..<200
    ),
    (["Vault/BumpWallet/Keccak256"], 30..<50),
  ])
  func `Noise and CPace are under two hundred lines together, and Keccak under fifty`(
    files: [String], range: Range<Int>
  ) throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
    let lines = try files.flatMap { file in
      try String(contentsOf: sources.appending(path: "\(file).swift"), encoding: .utf8)
        .split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
    }
    let code = lines.filter { !$0.isEmpty && !$0.hasPrefix("//") }
    #expect(range.contains(code.count), "\(code.count) lines; where there are few, they have moved")
  }
}
