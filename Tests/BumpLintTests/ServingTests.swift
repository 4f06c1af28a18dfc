import BumpServing
import Foundation
import Testing

@testable import BumpLint

/// `bump-clip aasa serve`, as bytes in and bytes out.
@Suite struct ServingTests {
  private static let file = Array(#"{"applinks": {}}"#.utf8)
  private static let request = "GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: irl.app\r\n\r\n"

  private func reply(
    _ request: String, files: [String: [UInt8]] = ["irl.app": file, "go.irl.app": []]
  ) -> AssociationResponder.Answer? {
    var responder = AssociationResponder(files: files)
    return responder.receive(request.utf8)
  }

  @Test func `the file is served at its very URL with status 200 and its type`() throws {
    let answer = try #require(reply(Self.request))
    #expect(answer.status == 200 && answer.host == "irl.app")
    #expect(
      String(decoding: answer.bytes, as: UTF8.self)
        == "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 16\r\nConnection: close\r\n\r\n"
        + #"{"applinks": {}}"#)
    // What it serves has nothing that the linter would find in it.
    let heads = HTTPHead.all(in: SourceFile(path: "x", content: answer.bytes))
    #expect(heads.map(\.status.value) == [200] && heads[0].contentType?.value == "application/json")
  }

  @Test func `a request may come byte by byte, and is answered once`() {
    var responder = AssociationResponder(files: ["irl.app": Self.file])
    var answers = 0
    for byte in (Self.request + Self.request).utf8 where responder.receive([byte]) != nil { answers += 1 }
    #expect(answers == 1)
  }

  @Test func `HEAD has the length and no content`() throws {
    let answer = try #require(reply(Self.request.replacing("GET", with: "HEAD")))
    #expect(String(decoding: answer.bytes, as: UTF8.self).hasSuffix("Content-Length: 16\r\nConnection: close\r\n\r\n"))
  }

  @Test(arguments: ["localhost:8080", "127.0.0.1", "[::1]:8080"])
  func `this machine is the host where there is one file`(host: String) {
    let request = Self.request.replacing("Host: irl.app", with: "Host: \(host)")
    #expect(reply(request, files: ["irl.app": Self.file])?.host == "irl.app")
    #expect(reply(request)?.status == 404)
    #expect(
      reply(Self.request.replacing("Host: irl.app", with: "Host: ["), files: ["irl.app": Self.file])?.status == 404)
  }

  private static let refused: [(from: String, to: String, status: Int)] = [
    ("association ", "association/ ", 404), ("association ", "association?x ", 404), ("/.well-known", "", 404),
    ("/.well-known", "/%2ewell-known", 404), ("irl.app", "www.irl.app", 404), ("GET", "POST", 405), ("GET", "get", 405),
    ("HTTP/1.1", "HTTP/2", 400), ("HTTP/1.1", "HTTP/1.1 x", 400), ("Host: irl.app", "X: y", 400),
    ("Host: irl.app", "Host: irl.app\r\nhost: go.irl.app", 400), ("Host: irl.app", "Host : irl.app", 400),
    ("Host: irl.app", "Host: irl.app\r\n X: folded", 400), ("Host: irl.app", "Host: irl.app\nX: y", 400),
    ("Host: irl.app", "Host: irl.app\r\nContent-Length: 5", 400),
    ("Host: irl.app", "Host: irl.app\r\nTransfer-Encoding: chunked", 400), ("irl.app", "irl\u{0}.app", 400),
  ]

  @Test(arguments: refused) func `what is not that request is refused`(from: String, to: String, status: Int) throws {
    let answer = try #require(reply(Self.request.replacing(from, with: to)))
    #expect(answer.status == status)
    #expect(!answer.bytes.contains(UInt8(ascii: "{")))
    #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("Location"))
  }

  @Test func `a request without end is cut off`() {
    var responder = AssociationResponder(files: [:])
    var answer: AssociationResponder.Answer?
    var count = 0
    while answer == nil, count < 100_000 {
      answer = responder.receive([UInt8(ascii: "x")])
      count += 1
    }
    #expect(answer?.status == 431 && count == RequestReader.limit + 1)
  }

  @Test func `a folder's files are those of the exact name, with a host`() {
    let files = SiteFiles(SampleProject().sources { Array($1.utf8) })
    #expect(files.byHost.keys.sorted() == ["go.irl.app", "irl.app"])
  }

  @Test func `a file is written whole, is left as it is, and replaced only where that is said`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = SampleProject.site
    #expect(try ProjectFolder.write([1, 2], to: path, in: folder, replacing: false) == .written)
    #expect(try ProjectFolder.write([1, 2], to: path, in: folder, replacing: false) == .unchanged)
    #expect(throws: ProjectFolder.Failure.self) { try ProjectFolder.write([3], to: path, in: folder, replacing: false) }
    #expect(FileManager.default.contents(atPath: "\(folder)/\(path)") == Data([1, 2]))
    #expect(try ProjectFolder.write([3], to: path, in: folder, replacing: true) == .written)
    #expect(FileManager.default.contents(atPath: "\(folder)/\(path)") == Data([3]))
    let parent = "\(folder)/sites/irl.app/.well-known"
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent) == ["apple-app-site-association"])
  }

  @Test func `nothing is written through a link`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: "\(folder)/outside", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: "\(folder)/inside", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/inside/sites", withDestinationPath: "\(folder)/outside")
    #expect(throws: ProjectFolder.Failure.self) {
      try ProjectFolder.write([1], to: "sites/x", in: "\(folder)/inside", replacing: true)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/outside").isEmpty)
  }
}
