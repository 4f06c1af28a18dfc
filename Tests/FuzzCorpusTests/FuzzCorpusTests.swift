import Foundation
import FuzzTargets
import Testing

/// What the fuzzer begins with: an input for each way through a parser or a state machine, and those that once broke one.
@Suite struct FuzzCorpusTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../Tools/Fuzz/Corpus")

  @Test func `each target has a corpus, and no other is there`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
    #expect(Set(folders) == Set(FuzzTarget.allCases.map(\.rawValue)))
  }

  @Test(arguments: FuzzTarget.allCases) func `each input of the corpus keeps what must hold`(target: FuzzTarget) throws
  {
    let folder = Self.corpus.appending(path: target.rawValue)
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    for file in files {
      // What does not hold ends the process: this line names its input.
      print("\(target.rawValue): \(file.lastPathComponent)")
      try Data(contentsOf: file).withUnsafeBytes { target.run($0.bindMemory(to: UInt8.self)) }
    }
  }
}
