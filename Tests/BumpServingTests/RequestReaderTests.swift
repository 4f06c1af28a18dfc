import Testing

@testable import BumpServing

/// What a connection sends, up to its one request.
@Suite struct RequestReaderTests {
  private static let request = "GET /a?b HTTP/1.1\r\nHost: Irl.App:80\r\nAccept: */*\r\n\r\n"

  private func read(_ text: String) -> RequestReader.Reading? {
    var reader = RequestReader()
    return reader.receive(text.utf8)
  }

  @Test func `a request has its target as it was sent, and its host without case and port`() throws {
    guard case .request(let request)? = read(Self.request) else { return record("none") }
    #expect(request.target == "/a?b" && request.host == "irl.app" && !request.isHead)
    guard case .request(let head)? = read(Self.request.replacing("GET", with: "HEAD")) else { return record("none") }
    #expect(head.isHead)
  }

  @Test(arguments: [("[::1]:8080", "[::1]"), ("[FE80::1]", "[fe80::1]"), ("127.0.0.1:80", "127.0.0.1"), ("[::1", "[")])
  func `a port is not part of a host`(field: String, host: String) {
    guard case .request(let request)? = read(Self.request.replacing("Irl.App:80", with: field)) else {
      return record("none")
    }
    #expect(request.host == host)
  }

  @Test func `a request may come byte by byte, and is read once`() {
    var reader = RequestReader()
    var readings = 0
    for byte in (Self.request + Self.request).utf8 where reader.receive([byte]) != nil { readings += 1 }
    #expect(readings == 1)
  }

  private static let refused: [(from: String, to: String, status: Int)] = [
    ("GET", "POST", 405), ("GET", "get", 405), ("HTTP/1.1", "HTTP/2", 400), ("HTTP/1.1", "HTTP/1.1 x", 400),
    ("Host: Irl.App:80", "X: y", 400), ("Accept: */*", "host: a", 400), ("Host: ", "Host : ", 400),
    ("Accept: */*", " folded", 400), ("\r\nAccept", "\nAccept", 400), ("Accept: */*", "Content-Length: 5", 400),
    ("Accept: */*", "Transfer-Encoding: chunked", 400), ("/a", "/\u{0}a", 400), ("/a", "/ä", 400),
  ]

  @Test(arguments: refused) func `what is no such request is refused`(from: String, to: String, status: Int) {
    guard case .refused(let refusal)? = read(Self.request.replacing(from, with: to)) else { return record("\(to)") }
    #expect(refusal.status == status)
  }

  @Test func `a request without end is refused before it fills the memory`() {
    var reader = RequestReader()
    #expect(reader.receive([UInt8](repeating: 0x78, count: RequestReader.limit)) == nil)
    guard case .refused(let refusal)? = reader.receive([0x78]) else { return record("none") }
    #expect(refusal.status == 431)
  }

  @Test func `an answer says how long it is, and that the connection ends`() {
    let answer = ServedResponse(200, [("X-A", "b")], Array("four".utf8))
    let head = "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 4\r\nConnection: close\r\n\r\n"
    #expect(String(decoding: answer.bytes(), as: UTF8.self) == head + "four")
    #expect(String(decoding: answer.bytes(isHead: true), as: UTF8.self) == head)
  }

  private func record(_ what: String) { Issue.record("\(what)") }
}
