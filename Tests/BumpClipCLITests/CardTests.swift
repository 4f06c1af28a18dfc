import BumpTerminal
import Foundation
import Glibc
import Lab
import Testing

/// `bump-clip card`: a card is ciphertext in the store, and whole where its link is.
@Suite(.processes()) struct CardTests {
  private let person: LocalUser
  private static let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann Example\r\nN:Example;Ann;;;\r\nEND:VCARD\r\n"
  private var store: String { "\(person.home)/cards" }
  private var file: String { "\(person.home)/ann.vcf" }

  init() throws {
    person = try LocalUser()
    try Self.card.write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
  }

  private func share(_ arguments: String..., changes: [String: String] = [:]) async throws -> ProcessResult {
    try await person.run(["card", "share", file, "--store", store] + arguments, changes: changes, of: BumpCommand.clip)
  }

  /// - Parameter input: the link.
  private func fetch(_ input: String, _ arguments: String..., changes: [String: String] = [:]) async throws
    -> ProcessResult
  {
    try await person.run(
      ["card", "fetch", "-"] + arguments, input: input + "\n", changes: changes, of: BumpCommand.clip)
  }

  private func link() async throws -> String {
    let shared = try await share()
    try #require(shared.status == 0, "\(shared)")
    return shared.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: store) }

  @Test func `a shared card is fetched by its link, byte for byte`() async throws {
    let link = try await link()
    #expect(link.wholeMatch(of: /https:\/\/yourapp\.com\/appclip\/shared\/[0-9A-F-]{36}#k=[A-Za-z0-9_-]{43}/) != nil)
    let fetched = try await fetch(link, "--store", store)
    #expect(fetched.status == 0 && fetched.standardOutput == Self.card, "\(fetched)")
    let copy = "\(person.home)/copy.vcf"
    let written = try await fetch(link, "--store", store, "--output", copy)
    #expect(written.status == 0 && written.standardOutput.isEmpty, "\(written)")
    #expect(written.standardError.contains("Name          \"Ann Example\""), "\(written)")
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == Self.card)
    // A file is never overwritten.
    let again = try await fetch(link, "--store", store, "--output", copy)
    #expect(again.status == 1 && again.standardError.contains("cannot be written"), "\(again)")
  }

  @Test func `a shared card's link is a QR code, on the terminal and in a file`() async throws {
    let path = "\(person.home)/card.svg"
    let shared = try await share("--qr-file", path)
    let link = shared.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(shared.status == 0 && shared.lines.count == 1, "\(shared)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == SVGDrawing(QRCode(link)).text)
    let shown = try await person.run(
      ["card", "share", file, "--store", store], streams: .terminal, of: BumpCommand.clip)
    #expect(shown.status == 0 && shown.standardOutput.contains { "▀▄█".contains($0) }, "\(shown)")
  }

  @Test func `the store has neither the card nor its key`() async throws {
    let link = try await link()
    let key = try #require(link.split(separator: "=").last)
    let names = try names()
    #expect(names.count == 1)
    for name in names {
      let bytes = try Data(contentsOf: URL(filePath: "\(store)/\(name)"))
      #expect(bytes.firstRange(of: Data("Ann".utf8)) == nil && bytes.firstRange(of: Data(key.utf8)) == nil)
    }
  }

  @Test func `another key opens nothing, and no error shows the key`() async throws {
    let link = try await link()
    let other = try await self.link()
    let mixed = "\(link.prefix { $0 != "#" })\(other.drop { $0 != "#" })"
    let fetched = try await person.run(["card", "fetch", mixed, "--store", store, "--json"], of: BumpCommand.clip)
    #expect(try fetched.status == 6 && fetched.result.string("outcome") == "unauthenticated", "\(fetched)")
    let key = try #require(mixed.split(separator: "=").last)
    let broken = try await person.run(["card", "fetch", "\(mixed)x", "--store", store], of: BumpCommand.clip)
    #expect(broken.status == 1 && broken.standardError.contains("not a whole link"), "\(broken)")
    for finished in [fetched, broken] {
      #expect(!(finished.standardOutput + finished.standardError).contains(key), "\(finished)")
    }
  }

  @Test func `after a day a card is gone, as if it had never been, and is cleared away`() async throws {
    let link = try await link()
    let unknown = link.replacing(/shared\/[0-9A-F]{8}/, with: "shared/00000000")
    let later = try setClock(by: 24 * 60)
    let expired = try await fetch(link, "--store", store, changes: later)
    let never = try await fetch(unknown, "--store", store)
    #expect(expired.status == 1 && expired.standardError == never.standardError, "\(expired) \(never)")
    #expect(try names().count == 1)
    // Whoever shares next clears it away.
    #expect(try await share(changes: later).status == 0)
    let left = try names()
    #expect(left.count == 1 && !link.contains(left[0].prefix(36)))
  }

  @Test(arguments: [
    ("", "BEGIN:VCARD"), ("BEGIN:VCARD\r\nVERSION:2.1\r\nEND:VCARD\r\n", "2.1"),
    (card + String(repeating: "a", count: 262_145), "262144"),
  ]) func `what is no card is not shared`(text: String, words: String) async throws {
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let shared = try await share()
    #expect(shared.status == 1 && shared.standardError.contains(words), "\(shared)")
    #expect(try names() == [])
  }

  @Test func `a path that names no file is said`() async throws {
    let missing = try await person.clip("card", "share", "\(person.home)/none.vcf", "--store", store)
    #expect(missing.status == 1 && missing.standardError.contains("cannot be read"), "\(missing)")
    let folder = try await person.clip("card", "share", person.home, "--store", store)
    #expect(folder.status == 1 && folder.standardError.contains("not a regular file"), "\(folder)")
    let typo = try await person.clip("card", "share", file, "--store", "\(person.home)/none/cards")
    #expect(typo.status == 1 && typo.standardError.contains("Make that, or name another with --store"), "\(typo)")
  }

  /// A card whose photo has only an address.
  private static let addressed =
    "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nN:;Ann;;;\r\nPHOTO;VALUE=uri:https://example.com/ann.jpg\r\nEND:VCARD\r\n"

  @Test func `what bump does not show of a card is said, and the card is shared whole`() async throws {
    try Self.addressed.write(toFile: file, atomically: true, encoding: .utf8)
    let note = "Note: the photo is not shown: the card has only its address, which is not fetched."
    let shared = try await share()
    #expect(shared.status == 0 && shared.standardError.contains(note), "\(shared)")
    let link = shared.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    let fetched = try await fetch(link, "--store", store)
    #expect(fetched.standardOutput == Self.addressed && fetched.standardError.contains(note), "\(fetched)")
    for result in try [await share("--json").result, await fetch(link, "--store", store, "--json").result] {
      #expect(result.list("warnings")?.map { $0["code"] } == [.string("photo-uri")], "\(result)")
    }
    try Self.card.write(toFile: file, atomically: true, encoding: .utf8)
    let plain = try await share()
    #expect(plain.status == 0 && !plain.standardError.contains("Note:"), "\(plain)")
  }

  @Test func `a link whose host nobody serves is said to be, and the server's address is asked for`() async throws {
    let shared = try await share()
    #expect(shared.standardError.contains("bump-clip card serve --store \(store)\n"), "\(shared)")
    #expect(shared.standardError.contains("yourapp.com, which nobody serves"), "\(shared)")
    #expect(shared.standardError.contains("bump-clip card fetch --server URL -\n"), "\(shared)")
    let link = shared.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    let online = try await fetch(link, "--online")
    #expect(online.status == 1 && online.standardError.contains("a placeholder that nobody serves"), "\(online)")
    let absent = try await fetch(link)
    #expect(absent.status == 1 && absent.standardError.contains("its address with --server URL"), "\(absent)")
    #expect(!absent.standardError.contains("--online"), "\(absent)")
    let own = try await share("--link-base", "https://cards.example/c")
    #expect(own.standardError.contains("once https://cards.example/c gives out"), "\(own)")
    #expect(!own.standardError.contains("nobody serves"), "\(own)")
  }

  @Test func `each advice names the place of the card`() async throws {
    let link = try await link()
    let shown = try await person.run(
      ["card", "fetch", link, "--store", store], streams: .terminal, of: BumpCommand.clip)
    #expect(
      shown.standardError.contains("bump-clip card fetch --store \(store) --output card.vcf -"), "\(shown)")
    let server = try await RunningProcess.start(
      [BumpCommand.clip, "card", "serve", "--store", store], environment: person.environment, streams: .pipes)
    defer { server.signal(9) }
    try await server.text("Cards are given out", on: .error)
    let url = try #require(server.standardOutput.text.split(separator: "\n").first)
    #expect(server.standardError.text.contains("bump-clip card fetch --server \(url) -\n"))
    #expect(server.standardError.text.contains("Only this machine reaches it."))
  }

  @Test func `JSON has the link, and the card in base64`() async throws {
    let shared = try await share("--json")
    let link = try #require(try shared.result.string("link"))
    #expect(try shared.events.count == 1 && shared.result.string("outcome") == "shared", "\(shared)")
    let fetched = try await fetch(link, "--store", store, "--json")
    let result = try fetched.result
    #expect(result.string("card") == Data(Self.card.utf8).base64EncodedString(), "\(fetched)")
    #expect(result.string("formattedName") == "Ann Example", "\(fetched)")
  }

  /// Runs `bump-clip card serve` until the body is through, then as Ctrl-C ends it.
  private func serving(changes: [String: String] = [:], _ body: (RunningProcess, String) async throws -> Void)
    async throws
  {
    let server = try await RunningProcess.start(
      [BumpCommand.clip, "card", "serve", "--store", store, "--json"],
      environment: person.environment.merging(changes) { $1 }, streams: .pipes)
    defer { server.signal(9) }
    server.closeInput()
    let url = try await server.event("serving").string("url")
    try await body(server, try #require(url))
    server.signal(SIGINT)
    let ended = try await server.finish()
    #expect(try ended.status == 0 && ended.result.string("outcome") == "ended", "\(ended)")
  }

  /// A card with a photo that just has room.
  private static let largest =
    "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nN:;Ann;;;\r\nPHOTO;ENCODING=b;TYPE=JPEG:"
    + Data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: 163_837)).base64EncodedString() + "\r\nEND:VCARD\r\n"

  @Test func `a card is fetched from a server that cannot read it, the largest whole`() async throws {
    try Self.largest.write(toFile: file, atomically: true, encoding: .utf8)
    let link = try await link()
    let unknown = link.replacing(/shared\/[0-9A-F]{8}/, with: "shared/00000000")
    try await serving { _, url in
      let fetched = try await fetch(link, "--server", url + "/appclip/shared")
      #expect(fetched.status == 0 && fetched.standardOutput == Self.largest, "\(fetched.status)")
      let absent = try await fetch(unknown, "--server", url)
      #expect(absent.status == 1 && absent.standardError.contains("no such card, or it has expired"), "\(absent)")
      let curl = "curl --silent --max-time 50 --output none --write-out '%{http_code}'"
      let card = "\(url)/\(link.split(separator: "/")[4].prefix(36))"
      let statuses = try await person.shell("\(curl) \(card); \(curl) --head \(card); \(curl) -X DELETE \(card)")
      #expect(statuses.standardOutput == "200200405", "\(statuses)")
    }
  }

  @Test func `a card that has expired is not shown, though a server still gives it out`() async throws {
    let link = try await link()
    try await serving { _, url in
      let late = try await fetch(link, "--server", url, changes: setClock(by: 24 * 60))
      #expect(late.status == 1 && late.standardError.contains("no such card, or it has expired"), "\(late)")
      #expect(late.standardOutput.isEmpty)
    }
  }

  @Test func `a server clears what has expired away as it starts`() async throws {
    _ = try await link()
    try await serving(changes: setClock(by: 24 * 60)) { server, _ in
      let cleaned = try await server.event("cleaned")
      #expect(cleaned.number("count") == 1)
      #expect(try names() == [])
    }
  }

  /// Asks for a card with small segments and a small window, which the kernel of the server cannot fill with the answer, reads
  /// it once a line comes, and prints its status and the length of its body.
  private static let lateClient = """
    import socket, sys
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    client.connect(("127.0.0.1", int(sys.argv[1])))
    client.sendall(f"GET /{sys.argv[2]} HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n".encode())
    sys.stdin.readline()
    answer = b"".join(iter(lambda: client.recv(65536), b""))
    head, _, body = answer.partition(b"\\r\\n\\r\\n")
    print(head.split()[1].decode(), len(body))
    """

  @Test func `the largest card comes whole to a client that reads late`() async throws {
    try Self.largest.write(toFile: file, atomically: true, encoding: .utf8)
    let link = try await link()
    let name = try #require(try names().first)
    let length = try Data(contentsOf: URL(filePath: "\(store)/\(name)")).count
    try await serving { server, url in
      let port = try #require(url.split(separator: ":").last)
      let id = String(link.split(separator: "/")[4].prefix(36))
      let client = try await RunningProcess.start(["python3", "-c", Self.lateClient, String(port), id])
      // The server has answered; the client's window has room for a part of that.
      try await server.event("request")
      client.type("\n")
      let finished = try await client.finish()
      #expect(finished.lines == ["200 \(length)"], "\(finished)")
    }
  }

  /// Opens connections that say nothing, tells when they are there, and at the end how many the other end has closed.
  private static let silentClients = """
    import socket, sys
    port, count = int(sys.argv[1]), int(sys.argv[2])
    clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
    print("open", flush=True)
    print(sum(client.recv(1) == b"" for client in clients), flush=True)
    """

  @Test func `clients that say nothing keep others out for ten seconds at most`() async throws {
    let link = try await link()
    try await serving { _, url in
      let port = try #require(url.split(separator: ":").last)
      // As many as are served at a time. Whoever comes next waits for one of them to go.
      let silent = try await RunningProcess.start(["python3", "-c", Self.silentClients, String(port), "48"])
      try await silent.line { $0 == "open" }
      // It waits for 30 s at most.
      let fetched = try await fetch(link, "--server", url)
      #expect(fetched.status == 0 && fetched.standardOutput == Self.card, "\(fetched)")
      let ended = try await silent.finish()
      #expect(ended.status == 0 && ended.lines == ["open", "48"], "\(ended)")
    }
  }

  @Test func `the server is reached over the loopback interface alone`() async throws {
    try await serving { _, url in
      #expect(url.hasPrefix("http://127.0.0.1:"))
      let port = try #require(url.split(separator: ":").last)
      let sockets = try await person.shell("ss --tcp --listening --numeric --no-header 'sport = :\(port)'")
      #expect(sockets.standardOutput.contains("%lo:\(port)"), "\(sockets)")
    }
  }

  @Test func `a port that is taken is said`() async throws {
    try await serving { _, url in
      let port = try #require(url.split(separator: ":").last)
      let second = try await person.clip("card", "serve", "--store", store, "--port", "\(port)")
      #expect(second.status == 1 && second.standardError.contains("Choose another with --port"), "\(second)")
    }
  }

  @Test func `a server that is none is said to be`() async throws {
    let link = try await link()
    let nowhere = "http://127.0.0.1:\(try closedPort())"
    let dead = try await fetch(link, "--server", nowhere)
    #expect(dead.status == 1 && dead.standardError.contains("the server was not reached"), "\(dead)")
    for text in ["ftp://a", "https://", "https://a?b", "https://u@a", "a"] {
      #expect(try await fetch(link, "--server", text).status == 64, "\(text)")
    }
    let two = try await fetch(link, "--online", "--server", nowhere)
    #expect(two.status == 64, "\(two)")
  }
}
