import BumpClaims
import Foundation
import Samples
import Testing

@testable import BumpKit
@testable import BumpSession

/// Received documents in real files.
@Suite struct DocumentFolderTests {
  private let place: TemporaryDirectory
  private let folder: DocumentFolder

  init() throws {
    place = try TemporaryDirectory()
    folder = try DocumentFolder(place.directory)
  }

  private func verified(_ document: Document) throws -> VerifiedDocument {
    VerifiedDocument(document, from: try DisplayName("../../alice"))
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: place.directory) }

  @Test func `a card and a link are saved whole, under names of ours, for their owner alone`() async throws {
    for (document, name) in [
      (try SampleDocument.card(of: 262_144), #/card-[0-9a-f]{16}\.vcf/#),
      (try SampleDocument.link(), #/link-[0-9a-f]{16}\.txt/#),
    ] {
      let saved = try await folder.save(verified(document))
      let file = URL(filePath: saved.path)
      #expect(file.lastPathComponent.wholeMatch(of: name) != nil && !saved.isDuplicate)
      #expect(try Array(Data(contentsOf: file)) == document.bytes)
      let mode = try FileManager.default.attributesOfItem(atPath: saved.path)[.posixPermissions] as? Int
      #expect(mode == 0o600, "it cannot be run, and nobody else reads it")
    }
    #expect(try names().count == 2, "nothing else is left")
  }

  @Test func `a document that comes again is found again`() async throws {
    let first = try await folder.save(verified(SampleDocument.link()))
    let second = try await folder.save(verified(SampleDocument.link()))
    #expect(second.path == first.path && second.isDuplicate)
    #expect(try names().count == 1)
  }

  @Test func `a document that is there and that others can read is named as that, and not as another file`()
    async throws
  {
    let document = try SampleDocument.link()
    let path = try await folder.save(verified(document)).path
    #expect(chmod(path, 0o644) == 0)
    let error = await #expect(throws: DocumentError.self) { try await folder.save(verified(document)) }
    #expect(error?.reason == "\(path) is there already, and can be read by others")
    #expect(error?.remedy == "Try: chmod 600 \(path)")
    try Data("mine".utf8).write(to: URL(filePath: path))
    let other = await #expect(throws: DocumentError.self) { try await folder.save(verified(document)) }
    #expect(other?.reason == "\(path) is there already, and is another file")
  }

  @Test func `no file is overwritten, whatever stands in its place`() async throws {
    let document = try SampleDocument.link()
    let path = try await folder.save(verified(document)).path
    func expectRefusal() async throws {
      let error = await #expect(throws: DocumentError.self) { try await folder.save(verified(document)) }
      #expect(error?.code == .notSaved)
    }
    try Data("mine".utf8).write(to: URL(filePath: path))
    try await expectRefusal()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    try FileManager.default.removeItem(atPath: path)
    let elsewhere = place.path("elsewhere")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
    try await expectRefusal()
    #expect(!FileManager.default.fileExists(atPath: elsewhere), "no link was followed")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try await expectRefusal()
  }

  @Test func `a directory that is gone is an error, and nothing is saved`() async throws {
    try FileManager.default.removeItem(atPath: place.directory)
    await #expect(throws: DocumentError.self) { try await folder.save(verified(SampleDocument.link())) }
  }

  @Test func `what killed processes left is removed, and nothing else`() async throws {
    let document = try SampleDocument.link()
    let path = try await folder.save(verified(document)).path
    let name = URL(filePath: path).lastPathComponent
    let others = ["notes.5eed", "card-5eed.vcf.5eed", "card-0123456789ABCDEF.vcf.5eed", "\(name).txt"]
    for other in ["\(name).5eed"] + others { try Data().write(to: URL(filePath: place.path(other))) }
    // Where there are no hard links a name is reserved by an empty file.
    try FileManager.default.removeItem(atPath: path)
    #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]))
    let again = try DocumentFolder(place.directory)
    #expect(try names().sorted() == ([name] + others).sorted())
    #expect(try await again.save(verified(document)).path == path)
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == document.bytes)
  }

  @Test func `a folder is a directory that is there`() throws {
    let file = place.path("file")
    try Data().write(to: URL(filePath: file))
    for path in [file, place.path("missing"), ""] {
      let error = #expect(throws: DocumentError.self) { try DocumentFolder(path) }
      #expect(error?.code == .folder)
    }
  }

  @Test func `there is room for so many documents and bytes, and no more`() {
    var few = DocumentQuota(documents: 2, bytes: .max)
    #expect(few.take(1) && few.take(1) && !few.take(1))
    var small = DocumentQuota(documents: .max, bytes: 10)
    #expect(!small.has(11) && !small.take(11) && small.take(9) && !small.take(2) && small.take(1) && !small.has(1))
    #expect(DocumentQuota.ofKeptReceive == DocumentQuota(documents: 100, bytes: 16 * 1024 * 1024))
  }
}
