import BumpClaims
import BumpHTTP
import BumpVault
import BumpVaultAPI
import BumpWallet
import Foundation
import Glibc
import Lab
import Synchronization
import Testing
import VaultContract
import VaultTestServer

@testable import BumpVaultClient

/// Requests over real connections.
@Suite(.processes()) struct HTTPTransportTests {
  private func transport(_ url: String, roots: String? = nil) throws -> HTTPTransport {
    HTTPTransport(try #require(VaultURL(url)), roots: roots, answerLimit: .seconds(60))
  }

  @Test func `a request is answered with status and body, a refusal too`() async throws {
    let desk = try await InProcessVaultServer()
    let server = try LocalVaultServer(desk.service)
    guard case .answer(200, let body, _) = try await transport(server.url).send(.vault, within: .seconds(60)) else {
      return record("not answered")
    }
    #expect(String(decoding: body, as: UTF8.self).contains("\"chainId\":31337"))
    let unknown = try await transport(server.url).send(.claim(desk.scene.claim(1).terms.ledgerID), within: .seconds(60))
    guard case .answer(404, _, _) = unknown else { return record("\(unknown)") }
  }

  @Test func `where nobody listens nothing was sent`() async throws {
    let reply = try await transport("http://127.0.0.1:\(closedPort())").send(.vault, within: .seconds(60))
    guard case .unsent = reply else { return record("\(reply)") }
  }

  @Test func `an answer that does not come, or not whole, is lost`() async throws {
    let closing = try Raw { _ in [] }
    let closed = try await transport(closing.url).send(.vault, within: .seconds(60))
    guard case .lost = closed else { return record("\(closed)") }
    let cutting = try Raw { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}".utf8) }
    let cut = try await transport(cutting.url).send(.vault, within: .seconds(60))
    guard case .lost = cut else { return record("\(cut)") }
    let endless = try Raw { _ in
      Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + [UInt8](repeating: 0x20, count: HTTPTransport.maximumCount + 1)
    }
    let long = try await transport(endless.url).send(.vault, within: .seconds(60))
    guard case .lost("its answer is too long") = long else { return record("\(long)") }
  }

  /// A proxy that has passed the request on, and answers what is not HTTP: libcurl calls that an unsupported protocol.
  @Test(arguments: ["nonsense", "HTTP/0.9 nonsense\r\n\r\n", "SSH-2.0-nonsense\r\n"])
  func `a request that was sent and has nonsense for an answer is lost, and not unsent`(nonsense: String) async throws {
    let proxy = try Raw { _ in Array(nonsense.utf8) }
    let reply = try await transport(proxy.url).send(.vault, within: .seconds(60))
    guard case .lost = reply else { return record("\(reply)") }
    #expect(proxy.count == 1)
  }

  @Test func `a refusal is the vault's own over TLS or from this machine, with the media type of its problems`()
    async throws
  {
    for (type, isAuthentic) in [
      ("application/problem+json", true), ("Application/Problem+JSON; charset=utf-8", true), ("text/html", false),
      ("application/json", false), (nil, false),
    ] as [(String?, Bool)] {
      let server = try Raw { _ in
        let field = type.map { "Content-Type: \($0)\r\n" } ?? ""
        return Array("HTTP/1.1 404 X\r\n\(field)Content-Length: 2\r\n\r\n{}".utf8)
      }
      let reply = try await transport(server.url).send(.vault, within: .seconds(60))
      #expect(
        reply == .answer(status: 404, body: Array("{}".utf8), VaultReply.Context(isAuthentic: isAuthentic)),
        "\(type ?? "none")")
      // An address that a client does not take for its own machine's.
      let remote = server.url.replacing("127.0.0.1", with: "[::ffff:127.0.0.1]")
      let far = try await transport(remote).send(.vault, within: .seconds(60))
      #expect(
        far == .answer(status: 404, body: Array("{}".utf8), VaultReply.Context(isAuthentic: false)), "\(type ?? "none")"
      )
    }
  }

  @Test func `a vault without TLS that is asked over https is said to have another URL`() async throws {
    let server = try Raw { _ in Array("HTTP/1.1 400 X\r\nContent-Length: 0\r\n\r\n".utf8) }
    let reply = try await transport(server.url.replacing("http:", with: "https:")).send(.vault, within: .seconds(60))
    guard case .unsent(let reason) = reply else { return record("\(reply)") }
    #expect(
      VaultFailure.unreachable(reason).description
        == "no answer from the vault: no TLS connection can be made with it. "
        + "Check its URL: it may begin with http://, or have another port")
  }

  /// Texts that are too long for libcurl. Without them it would send another request, or trust other certificates.
  @Test(arguments: ["method", "roots", "signature"])
  func `a request with an option that libcurl does not take is not sent without it`(option: String) async throws {
    let server = try Raw { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8) }
    let long = String(repeating: "A", count: 8_000_001)
    var request = HTTPRequest(url: server.url, accept: "*/*", connectLimit: .seconds(60), limit: .seconds(60))
    switch option {
    case "method": request.method = long
    case "roots": request.roots = long
    default: request.signature = RequestSignature(accessKey: "A", secretKey: long, region: "x", service: "s3")
    }
    let answer = await request.perform { _, _, _ in true }
    #expect(answer.end == .unsent)
    #expect(server.count == 0)
  }

  @Test func `a request can have fields of any length`() async throws {
    let server = try Raw { request in
      let isWhole = String(decoding: request, as: UTF8.self).contains(
        "Authorization: \(String(repeating: "A", count: 900))B\r\n")
      return Array("HTTP/1.1 \(isWhole ? 200 : 400) X\r\nContent-Length: 0\r\n\r\n".utf8)
    }
    let answer = await HTTPRequest(
      url: server.url, accept: "*/*", authorization: String(repeating: "A", count: 900) + "B",
      connectLimit: .seconds(60), limit: .seconds(60)
    ).perform { _, _, _ in true }
    #expect(answer.status == 200)
  }

  @Test func `a redirect is not followed`() async throws {
    let other = try Raw { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8) }
    let redirecting = try Raw { _ in
      Array("HTTP/1.1 307 X\r\nLocation: \(other.url)/api/vault\r\nContent-Length: 0\r\n\r\n".utf8)
    }
    let reply = try await transport(redirecting.url).send(.vault, within: .seconds(60))
    guard case .answer(307, [], _) = reply else { return record("\(reply)") }
    #expect(other.count == 0)
  }

  @Test func `a request that is cancelled, or whose time is up, ends at once`() async throws {
    let silent = try Raw { _ in nil }
    let transport = try transport(silent.url)
    let timedOut = await transport.send(.vault, within: .seconds(2))
    guard case .lost = timedOut else { return record("\(timedOut)") }
    // Without the cancellation it would wait for ten minutes.
    let patient = HTTPTransport(try #require(VaultURL(silent.url)), answerLimit: .seconds(600))
    let task = Task { await patient.send(.vault, within: .seconds(600)) }
    await silent.wait(for: 2)
    task.cancel()
    guard case .lost = await task.value else { return record("not lost") }
  }

  @Test func `a claim's events come as they happen, up to the last`() async throws {
    let desk = try await InProcessVaultServer()
    let server = try LocalVaultServer(desk.service)
    let alice = try VaultContract.Person(1)
    try await desk.scene.mint(3_000_000, to: alice)
    let claim = try desk.scene.claim(1)
    _ = try await desk.scene.lock(claim, from: alice)
    let client = VaultClient(try transport(server.url), now: { 0 }, pause: { _ in })
    let (told, feed) = AsyncStream.makeStream(of: ClaimWatch.Step.self)
    let watching = Task { await client.watch(ClaimWatch(claim.terms)) { feed.yield($0) } }
    var steps = told.makeAsyncIterator()
    guard case .tell(let pending)? = await steps.next() else { return record("not told") }
    #expect(pending.status == .pending)
    try await desk.scene.take(claim, for: VaultContract.Person(2))
    desk.moved(claim.id)
    #expect(await watching.value?.status == .claimed)
  }

  @Test func `a certificate that is not trusted, or another host's, is sent nothing`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bump-tls-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let make = try await RunningProcess.start([
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
      "-subj",
      "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "\(folder)/key", "-out", "\(folder)/cert",
    ])
    make.closeInput()
    try #require(await make.finish().status == 0)
    let server = try await RunningProcess.start([
      "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "\(folder)/cert", "-key", "\(folder)/key", "-www",
    ])
    defer { server.signal(9) }
    let line = try await server.line { $0.hasPrefix("ACCEPT 127.0.0.1:") }
    let port = line.split(separator: ":")[1]
    for (url, roots) in [("https://localhost:\(port)", nil), ("https://127.0.0.1:\(port)", "\(folder)/cert")] {
      let reply = try await transport(url, roots: roots).send(.vault, within: .seconds(60))
      guard case .unsent(let reason) = reply else { return record("\(url): \(reply)") }
      #expect(reason.words == "its certificate is not trusted here, or is another host's")
      #expect(
        VaultFailure.unreachable(reason).remedy
          == "Check the host in its URL. SSL_CERT_FILE names a file of certificates to trust instead")
    }
    let plain = try await transport("http://localhost:\(port)").send(.vault, within: .seconds(60))
    guard case .lost(let nothing) = plain else { return record("\(plain)") }
    #expect(
      VaultFailure.unreachable(nothing).remedy
        == "Check its URL: it may begin with https://. Otherwise try again later")
    let reply = try await transport("https://localhost:\(port)", roots: "\(folder)/cert")
      .send(.vault, within: .seconds(60))
    guard case .answer = reply else { return record("\(reply)") }
  }
}

/// A server that answers each connection with the same bytes and closes it; with `nil` it never answers.
private final class Raw: Sendable {
  let url: String
  private let listener: Int32
  private let seen = Mutex(0)
  private let arrivals: AsyncStream<Void>

  var count: Int { seen.withLock { $0 } }

  init(_ answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    try #require(isListening)
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    let (arrivals, feed) = AsyncStream.makeStream(of: Void.self)
    self.arrivals = arrivals
    let thread = Thread { [weak self] in
      while true {
        let connection = acceptConnection(on: listener)
        guard connection >= 0 else { return }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = read(connection, &buffer, buffer.count)
        self?.seen.withLock { $0 += 1 }
        feed.yield()
        guard let bytes = answer(Array(buffer.prefix(max(0, count)))) else { continue }
        _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        close(connection)
      }
    }
    thread.start()
  }

  /// Waits until so many requests have come.
  func wait(for number: Int) async {
    var arrivals = arrivals.makeAsyncIterator()
    while count < number { _ = await arrivals.next() }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }
}
