import BumpVault
import BumpVaultAPI
import Foundation
import Lab
import Synchronization
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// The pages that a browser opens, and the files that they load.
struct PageTests {
  private static let pages = [
    "/claim/EJMvP2rRHrJtOxw76aiehg", "/sent/0x\(String(repeating: "ab", count: 32))", "/wallet",
  ]
  private static let folder = URL(filePath: #filePath)
    .appending(path: "../../../Sources/Vault/BumpVaultHTTP/Page/Files").standardized
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
    + "trusted-types 'none'"
  private static let protections = [
    "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
  ]

  private func headers(_ response: VaultResponse) throws -> [String: String] {
    let pairs = response.headers.map { ($0.name, $0.value) }
    let headers = Dictionary(pairs) { first, _ in first }
    try #require(headers.count == pairs.count, "a header occurs twice")
    return headers
  }

  private func language(_ value: String) -> VaultRequest.Header { .init("accept-language", value) }

  // MARK: Pages

  @Test(arguments: pages) func `a page is HTML that is kept nowhere, and that loads and asks nothing elsewhere`(
    path: String
  ) async throws {
    let response = try await Served().ask("GET", path)
    #expect(response.status == 200)
    let own = ["Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Vary": "Accept-Language"]
    #expect(try headers(response) == own.merging(Self.protections) { first, _ in first })
    #expect(response.text.hasPrefix("<!doctype html>") && !response.text.contains("{{"))
  }

  @Test func `a page is the same for each claim, and nothing of the request is in it`() async throws {
    let served = try await Served()
    for (kind, ids) in [
      ("claim", ["a", "a%3Cb%3E", "-", "no id!", "\"><b>", "x?utm=mark"]), ("sent", ["1", "0x1?y#z"]),
    ] {
      let page = try await served.ask("GET", "/\(kind)/other").bytes
      for id in ids {
        let strange = ["User-Agent", "Referer", "Cookie", "Origin", "X-Forwarded-Host"].map {
          VaultRequest.Header($0, "mark")
        }
        let response = try await served.ask("GET", "/\(kind)/\(id)", nil, from: Served.away, strange)
        #expect(response.status == 200 && response.bytes == page, "\(id)")
      }
    }
  }

  @Test func `a log names the page and no claim`() async throws {
    let served = try await Served()
    let routes = [
      ("/claim/x", "/claim/{id}"), ("/sent/x", "/sent/{ledgerId}"),
      ("/page/\(Pages.embedded.hash)/keys.js", "/page/{hash}/{name}"), ("/page/0/x", "/page/{hash}/{name}"),
      ("/favicon.ico", "/favicon.ico"), ("/wallet", "/wallet"), ("/page/manifest.json", "/page/manifest.json"),
    ]
    for (path, route) in routes { #expect(try await served.ask("GET", path).route == route) }
  }

  @Test(arguments: [
    (["de"], "de"), (["de-CH, en;q=0.8"], "de"), (["en-US,en;q=0.9,de;q=0.8"], "en"), (["fr-FR, fr;q=0.9"], "en"),
    (["fr, de;q=0.3"], "de"), (["en;q=0.5, de;q=0.5"], "en"), (["de;q=0.5, en;q=0.5"], "de"), (["*"], "en"),
    (["de;q=0.5, *;q=0.8"], "en"), (["en;q=0, *"], "de"), (["de;q=0"], "en"), (["en;q=0"], "en"), ([""], "en"),
    ([], "en"), (["DE-at ;q=1.000 , EN ; Q=0.999"], "de"), (["en;q=0.1", "de;q=0.2"], "de"), (["deutsch, den"], "en"),
    (["de;q=1.001, en;q=0.1"], "en"), (["de;q=, en;q=x, ;q=1, ,, de;q=0.1"], "de"), (["de;q=0.1;q=1"], "en"),
    (["en-GB;q=0.2, en;q=0.9, de;q=0.5"], "en"),
  ])
  func `a page is in the language that the browser prefers`(values: [String], expected: String) async throws {
    #expect(PageLanguage(preferredBy: values).rawValue == expected)
    let response = try await Served().ask("GET", Self.pages[0], nil, values.map { language($0) })
    #expect(response.text.contains("<html lang=\"\(expected)\""))
  }

  @Test(arguments: pages) func `an address of a page takes GET, HEAD and OPTIONS alone`(path: String) async throws {
    let served = try await Served()
    for method in ["POST", "PUT", "DELETE"] {
      let response = try await served.ask(method, path)
      expectProblem(response, .methodNotAllowed)
      #expect(response.header("Allow") == "GET, HEAD, OPTIONS")
    }
    #expect(try await served.ask("OPTIONS", path).status == 204)
    let (get, head) = (try await served.ask("GET", path), try await served.ask("HEAD", path))
    #expect(head.status == 200 && head.bytes.isEmpty && head.header("Content-Length") == "\(get.bytes.count)")
    #expect(try headers(get).allSatisfy { head.header($0.key) == $0.value })
  }

  @Test(arguments: [
    "/claim", "/claim/", "/claim/x/", "/claim/x/y", "//claim/x", "/Claim/x", "/sent", "/sent/", "/sent/x/y", "/page",
    "/page/", "/page/x", "/page/x/", "/page/x/y/z", "/favicon.ico/", "/claim.html", "/page/Files/claim.html",
    "/.well-known/apple-app-site-association",
  ])
  func `there is no page at any other address`(path: String) async throws {
    expectProblem(try await Served().ask("GET", path), .notFound)
  }

  /// The rule is for each port of a host, so it is not for this machine, and for no host that others share.
  @Test func `a browser comes back by TLS alone where the vault has a host of its own`() async throws {
    let paths = Self.pages + ["/page/\(Pages.embedded.hash)/page.css", "/favicon.ico"]
    for (origin, isTLS, isStrict) in [
      ("https://vault.example", true, true), ("https://vault.example", false, true),
      ("https://vault.example:8443", true, false), ("https://localhost", true, false),
      ("https://localhost:8642", true, false), ("https://127.0.0.1", true, false), ("https://[::1]", true, false),
      ("http://127.0.0.1:8642", false, false), ("http://127.0.0.1:8642", true, false),
    ] {
      let served = try await Served { $0.origin.set(VaultURL(origin)) }
      for path in paths {
        let response = try await served.ask("GET", path, isTLS: isTLS)
        #expect(response.header("Strict-Transport-Security") == (isStrict ? "max-age=31536000" : nil), "\(origin)")
      }
    }
  }

  // MARK: Files

  @Test func `a file that a page loads is kept for good, since its address changes with it`() async throws {
    let served = try await Served()
    let types = ["js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "json": "application/json"]
    let names = Pages.embedded.assetNames
    #expect(Set(["claim.js", "keys.js", "page.css", "icon.svg"]).isSubset(of: names))
    for name in names {
      let response = try await served.ask("GET", "/page/\(Pages.embedded.hash)/\(name)")
      #expect(response.status == 200 && response.bytes == PageFiles.embedded[name])
      let ending = try #require(name.split(separator: ".").last)
      let own = [
        "Content-Type": try #require(types[String(ending)]),
        "Cache-Control": "public, max-age=31536000, immutable",
      ]
      #expect(try headers(response) == own.merging(Self.protections) { first, _ in first })
      let head = try await served.ask("HEAD", "/page/\(Pages.embedded.hash)/\(name)")
      #expect(head.bytes.isEmpty && head.header("Content-Length") == "\(response.bytes.count)")
    }
  }

  @Test func `a file of another build, or of no page, is not found, and that is not kept`() async throws {
    let (served, hash) = (try await Served(), Pages.embedded.hash)
    #expect(hash.wholeMatch(of: /[0-9a-f]{16}/) != nil)
    for path in [
      "0000000000000000/claim.js", "\(hash.dropLast())/claim.js", "\(hash)0/claim.js", "\(hash.uppercased())x/claim.js",
      "\(hash)/claim.html", "\(hash)/en.json", "\(hash)/CLAIM.JS", "\(hash)/..", "\(hash)/%2e%2e", "\(hash)/claim%2Ejs",
    ] {
      let response = try await served.ask("GET", "/page/\(path)")
      expectProblem(response, .notFound)
      #expect(response.header("Cache-Control") == "no-store")
    }
  }

  @Test func `the pages name the files of their build, and run no script but those`() async throws {
    let served = try await Served()
    for path in Self.pages {
      let text = try await served.ask("GET", path).text
      let files = text.matches(of: /(?:src|href)="([^"]*)"/).map { String($0.1) }
      #expect(files.count > 1)
      for file in files {
        // What the script asks for first is loaded beside it.
        #expect(file == "/api/vault" || file.hasPrefix("/page/\(Pages.embedded.hash)/"), "\(file)")
        #expect(try await served.ask("GET", file).status == 200)
      }
      for script in text.matches(of: /<script([^>]*)>/) {
        #expect(script.1.contains(" src=\"") || script.1.contains("type=\"application/json\""), "\(script.0)")
      }
      #expect(!text.contains("<style") && !text.contains(/\s(style|on[a-z]+)\s*=/), "the policy forbids it")
    }
  }

  @Test func `a browser that asks for an icon unbidden is told that there is none`() async throws {
    for method in ["GET", "HEAD"] {
      let response = try await Served().ask(method, "/favicon.ico")
      #expect(response.status == 204 && response.bytes.isEmpty && response.header("Content-Length") == nil)
      let own = ["Cache-Control": "public, max-age=86400"]
      #expect(try headers(response) == own.merging(Self.protections) { first, _ in first })
    }
  }

  @Test func `each file of the folder is embedded as it is there, and all together are small`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(names) == Set(PageFiles.embedded.keys))
    for name in names {
      #expect(try Array(Data(contentsOf: Self.folder.appending(path: name))) == PageFiles.embedded[name], "\(name)")
    }
    // The claim page, which a phone loads in a queue, has none of what signing in, the wallet and a chain take beside it.
    let claimPage = ["claim.html", "claim.js", "keys.js", "page.css", "icon.svg", "en.json", "de.json"]
    var size = 0
    for name in claimPage { size += try #require(PageFiles.embedded[name]).count }
    #expect(size < 60_000)
    #expect(PageFiles.embedded.values.reduce(0) { $0 + $1.count } < 160_000)
    #expect(try #require(PageFiles.embedded["keys.js"]).count < 12_000)
  }

  @Test func `the claim page names no file of the wallet, or of a chain`() async throws {
    let text = try await Served().ask("GET", Self.pages[0]).text
    let later = ["wallet", "chain", "sign-in.js"]
    for name in PageFiles.embedded.keys where later.contains(where: { name.hasPrefix($0) }) {
      #expect(!text.contains("/\(name)\""), "\(name)")
    }
  }

  @Test func `the manifest has the hash of each file, and is kept nowhere`() async throws {
    let response = try await Served().ask("GET", "/page/manifest.json")
    #expect(response.status == 200)
    let own = ["Content-Type": "application/json", "Cache-Control": "no-store"]
    #expect(try headers(response) == own.merging(Self.protections) { first, _ in first })
    struct Manifest: Decodable {
      let hash: String
      let files: [String: String]
    }
    let manifest = try JSONDecoder().decode(Manifest.self, from: Data(response.bytes))
    #expect(manifest.hash == Pages.embedded.hash)
    let finished = try await RunningProcess.start(["sh", "-c", #"cd "$0" && sha256sum *"#, Self.folder.path]).finish()
    let sums = finished.standardOutput.split(separator: "\n").map { $0.split(separator: " ").map { String($0) } }
    #expect(manifest.files == Dictionary(uniqueKeysWithValues: sums.map { ($0[1], $0[0]) }))
  }

  /// As Docs/claim-page.md has it.
  @Test func `the hash in the addresses is that of the sums that sha256sum prints`() async throws {
    let script =
      #"cd "$0" && LC_ALL=C sha256sum *.css *.js *.*.json *.svg | LC_ALL=C sort -k 2 | sha256sum | cut -c 1-16"#
    let finished = try await RunningProcess.start(["sh", "-c", script, Self.folder.path]).finish()
    #expect(finished.standardOutput == "\(Pages.embedded.hash)\n")
  }

  // MARK: Texts

  @Test func `both languages have the same texts, with the same places`() throws {
    func places(_ text: String?) -> Set<Substring> { Set((text ?? "").matches(of: /\{[^}]*\}/).map(\.0)) }
    for prefix in ["", "wallet.", "chain."] {
      let texts = try PageLanguage.allCases.map { language in
        try JSONValue.strings(try #require(PageFiles.embedded["\(prefix)\(language.rawValue).json"]))
      }
      #expect(Set(texts[0].keys) == Set(texts[1].keys))
      for (name, text) in texts[0] { #expect(places(text) == places(texts[1][name]), "\(name)") }
    }
  }

  private static let files: [String: String] = [
    "claim.html": "{{page}}|{{language}}|{{assets}}|{{t:a}}|{{t:b}}|{{texts}}", "page.css": "x",
    "en.json": #"{"a": "<b>\"&'", "b": "{{t:a}}</script>"}"#, "de.json": #"{"a": "ä", "b": "{x}"}"#,
    "wallet.html": "{{t:w}}", "wallet.en.json": #"{"w": "<w>"}"#, "wallet.de.json": #"{"w": "ü"}"#,
  ]

  private func made(_ change: (inout [String: String]) -> Void = { _ in }) throws -> Pages {
    var files = Self.files
    change(&files)
    return try Pages(files.mapValues { Array($0.utf8) })
  }

  @Test func `a text is no markup, ends no script and is not filled again`() throws {
    let pages = try made()
    let texts = #"{"en":{"a": "\u003cb>\"&'", "b": "{{t:a}}\u003c/script>"},"de":{"a": "ä", "b": "{x}"}}"#
    let claim = String(decoding: pages.content(of: .claim, in: .english), as: UTF8.self)
    #expect(
      claim == "claim|en|/page/\(pages.hash)|&lt;b&gt;&quot;&amp;&#39;|{{t:a}}&lt;/script&gt;|\(texts)")
    let german = String(decoding: pages.content(of: .claim, in: .german), as: UTF8.self)
    #expect(german == "claim|de|/page/\(pages.hash)|ä|{x}|\(texts)")
    let json = try #require(try JSONSerialization.jsonObject(with: Data(texts.utf8)) as? [String: [String: String]])
    #expect(json["en"]?["b"] == "{{t:a}}</script>")
    // The wallet's texts are a file of their own.
    #expect(pages.content(of: .wallet, in: .english) == Array("&lt;w&gt;".utf8))
    #expect(pages.asset("wallet.de.json", hash: pages.hash)?.content == Array(#"{"w": "ü"}"#.utf8))
    #expect(pages.asset("de.json", hash: pages.hash) == nil)
  }

  @Test func `a sender's page is the receiver's with the texts that it has of its own`() throws {
    let own = #"{"a": "all", "sent.a": "<own>", "b": "both"}"#
    let pages = try made { files in
      for language in ["en", "de"] { files["\(language).json"] = own }
      files["claim.html"] = "{{page}}|{{t:a}}|{{t:b}}"
    }
    for language in PageLanguage.allCases {
      #expect(pages.content(of: .claim, in: language) == Array("claim|all|both".utf8))
      #expect(pages.content(of: .sent, in: language) == Array("sent|&lt;own&gt;|both".utf8))
    }
  }

  @Test func `the hash is another one where a file is another one, and the same where a text is`() throws {
    let hash = try made().hash
    #expect(try made { $0["page.css"] = "y" }.hash != hash && made { $0["x.js"] = "" }.hash != hash)
    #expect(try made { $0["de.json"] = #"{"a": "a", "b": "b"}"# }.hash == hash)
  }

  @Test func `pages that do not fit together are a mistake of the build`() {
    let mistakes: [(String, String?)] = [
      ("claim.html", nil), ("de.json", nil), ("claim.html", "{{nothing}}"),
      ("claim.html", "{{t:c}}"), ("claim.html", "{{t:a"), ("en.json", "[]"), ("en.json", #"{"a": 1, "b": ""}"#),
      ("en.json", #"{"a": "x", "a": "y", "b": "z"}"#), ("de.json", #"{"a": "b"}"#), ("wallet.html", nil),
      ("wallet.en.json", nil), ("wallet.de.json", "[]"), ("wallet.html", "{{t:v}}"),
    ]
    for (name, content) in mistakes {
      #expect(throws: PageError.self, "\(name): \(content ?? "none")") { try made { $0[name] = content } }
    }
  }

  // MARK: Limits, and the store

  @Test func `pages count against the generous limit only`() async throws {
    let served = try await Served { $0.requestsPerMinute = 10 }
    let paths = Self.pages + ["/page/\(Pages.embedded.hash)/keys.js", "/page/0/gone.js", "/favicon.ico"]
    for number in 0..<100 {
      let response = try await served.ask("GET", paths[number % paths.count], from: Served.away)
      #expect(response.problem != Problem.Kind.tooManyRequests.name, "\(number)")
    }
    for path in paths {
      let refused = try await served.ask("GET", path, from: Served.away)
      expectProblem(refused, .tooManyRequests)
      #expect(refused.header("Retry-After") == "1")
    }
    // A minute later the usual requests are all there.
    served.scene.clock.advance(by: 60)
    for _ in 0..<10 { #expect(try await served.ask("GET", "/api/challenge", from: Served.away).status == 200) }
    for _ in 0..<50 { #expect(try await served.ask("GET", Self.pages[0], from: Served.away).status == 200) }
  }

  @Test func `a page waits for nothing of the store, and is counted meanwhile`() async throws {
    let served = try await Served { $0.requestsPerMinute = 1 }
    let ledger = SilentLedger()
    let service = served.other(challenges: ProcessChallengeLog(), requests: ledger)
    let paths = Self.pages + ["/page/\(Pages.embedded.hash)/keys.js", "/favicon.ico"]
    for number in 0..<10 {
      let response = try await served.ask("GET", paths[number % 4], from: Served.away, at: service)
      #expect(response.status < 300)
    }
    expectProblem(try await served.ask("GET", paths[0], from: Served.away, at: service), .tooManyRequests)
    #expect(served.failures.all.isEmpty)
    ledger.answer()
  }

  @Test func `the document of the API is of the API alone`() async throws {
    let text = try await Served().ask("GET", "/openapi.json").text
    for path in ["\"/claim", "\"/sent", "\"/page", "favicon", "well-known"] { #expect(!text.contains(path)) }
  }

  // MARK: The association file

  @Test func `the file of Apple's systems is served as it is where the operator names one`() async throws {
    let (path, file) = ("/.well-known/apple-app-site-association", Array(#"{"appclips":{"apps":[]}}"#.utf8))
    let served = try await Served { $0.association = file }
    for target in [path, path + "?x"] {
      let response = try await served.ask("GET", target, from: Served.away)
      #expect(response.status == 200 && response.bytes == file && response.route == path)
      #expect(response.header("Content-Type") == "application/json" && response.header("Location") == nil)
    }
    #expect(try await served.ask("HEAD", path).header("Content-Length") == "\(file.count)")
    expectProblem(try await served.ask("POST", path), .methodNotAllowed)
    for other in [path + "/", path + ".json", "/apple-app-site-association"] {
      expectProblem(try await served.ask("GET", other), .notFound)
    }
    expectProblem(try await Served().ask("OPTIONS", path), .notFound)
  }
}

/// A ledger whose database does not answer until the test says so.
private final class SilentLedger: RequestLedger {
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>([])

  func take(from bucket: [UInt8], most: Int64, step: Int64) async throws -> RequestLease {
    await withCheckedContinuation { continuation in
      let isSilent = waiting.withLock { waiting in
        waiting?.append(continuation)
        return waiting != nil
      }
      if !isSilent { continuation.resume() }
    }
    return RequestLease(count: most, level: most * step)
  }

  func answer() {
    let all = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting ?? []
    }
    for continuation in all { continuation.resume() }
  }
}
