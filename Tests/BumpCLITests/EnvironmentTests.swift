import Foundation
import Lab
import Testing

/// Flag, then environment, then default.
@Suite(.processes()) struct EnvironmentTests {
  /// Who somebody is to the other side, on a port where nobody comes.
  private func name(_ arguments: [String], _ changes: [String: String]) async throws -> ProcessResult {
    let send = ["send", "--amount", "1", "--discovery", "none", "--discovery-timeout", "0.05"]
    return try await Person().run(send + arguments, changes: changes)
  }

  @Test func `a name is the flag's, or the environment's, or the login's`() async throws {
    #expect(try await name(["--name", "carol"], [:]).standardError.contains("as carol."))
    #expect(try await name([], [:]).standardError.contains("as alice."))
    let finished = try await name([], ["BUMP_NAME": ""])
    #expect(finished.standardError.contains("as \(NSUserName())."), "\(finished)")
  }

  @Test(arguments: ["a\nb", " ", "\u{202E}", String(repeating: "a", count: 64)])
  func `a bad name in the environment is a usage error that names the variable`(value: String) async throws {
    let finished = try await name([], ["BUMP_NAME": value])
    #expect(finished.status == 64 && finished.standardOutput.isEmpty, "\(finished)")
    #expect(finished.error?.hasPrefix("BUMP_NAME: a display name is") == true, "\(finished)")
  }

  /// What is not UTF-8, and what is said of it.
  @Test(arguments: [
    ("--name $bad", "", "argument 4 is not UTF-8. See `bump send --help`"),
    ("--store $bad", "", "argument 4 is not UTF-8"),
    ("", "BUMP_NAME=$bad", "the variable BUMP_NAME is not UTF-8. Set it"),
    ("", "BUMP_STORE=$bad", "the variable BUMP_STORE is not UTF-8"),
    ("", "BUMP_KEY_FILE=$bad", "the variable BUMP_KEY_FILE is not UTF-8"),
    ("", "BUMP_VAULT=$bad", "the variable BUMP_VAULT is not UTF-8"),
    ("", "BUMP_WALLET=$bad", "the variable BUMP_WALLET is not UTF-8"),
  ])
  func `what is not UTF-8 is refused, before it is taken for another name`(
    option: String, variable: String, words: String
  ) async throws {
    let alice = try Person()
    let script = #"bad=$(printf 'x\377'); \#(variable) "$bump" send 1.00 \#(option) --link-only"#
    let refused = try await alice.shell(script)
    #expect(refused.status == 64 && refused.standardOutput.isEmpty, "\(refused)")
    #expect(refused.error?.hasPrefix(words) == true, "\(refused)")
    #expect(try await alice.history().isEmpty)
  }

  @Test func `a flag spares a bad name in the environment`() async throws {
    #expect(try await name(["--name", "carol"], ["BUMP_NAME": "a\nb"]).status == 3)
  }

  /// Where the store lies, below the home, by the flag and the variables that are set (`~` is the home).
  @Test(arguments: [
    ("flag", ["BUMP_STORE": "~/b.sqlite", "XDG_DATA_HOME": "~/data"], "flag.sqlite"),
    ("", ["BUMP_STORE": "~/b.sqlite", "XDG_DATA_HOME": "~/data"], "b.sqlite"),
    ("", ["BUMP_STORE": "", "XDG_DATA_HOME": "~/data"], "data/bump/bump.sqlite"),
    ("", ["BUMP_STORE": "", "XDG_DATA_HOME": ""], ".local/share/bump/bump.sqlite"),
    ("", ["BUMP_STORE": "", "XDG_DATA_HOME": "relative"], ".local/share/bump/bump.sqlite"),
  ])
  func `a store lies where the flag, the environment or the XDG specification has it`(
    flag: String, variables: [String: String], path: String
  ) async throws {
    let alice = try Person()
    let flags = flag.isEmpty ? [] : ["--store", "\(alice.home)/flag.sqlite"]
    let changes = variables.mapValues { $0.replacing("~", with: alice.home) }
    let received = try await alice.run(["receive", "--link", strangersLink()] + flags, changes: changes)
    #expect(received.status == 0, "\(received)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: alice.home).filter { $0.hasSuffix(".sqlite") }
    #expect(files == [path])
  }

  /// POSIX: LC_ALL, then LC_CTYPE, then LANG; the first that is set and not empty decides.
  @Test(arguments: [
    (["LANG": "en_US.UTF-8"], true), (["LANG": "en_US.utf8"], true), (["LANG": "C.UTF-8"], true),
    (["LANG": "ca_ES.UTF-8@valencia"], true), (["LC_CTYPE": "UTF-8"], true), (["LANG": "C"], false),
    (["LANG": "POSIX"], false),
    (["LANG": "de_DE.ISO-8859-1"], false), (["LANG": "de_DE@euro"], false), ([:], false),
    (["LANG": "C", "LC_CTYPE": "C.UTF-8"], true),
    (["LANG": "C.UTF-8", "LC_CTYPE": "C"], false), (["LC_CTYPE": "C.UTF-8", "LC_ALL": "C"], false),
    (["LC_CTYPE": "C", "LC_ALL": "C.UTF-8"], true), (["LC_ALL": "", "LANG": "C.UTF-8"], true),
  ])
  func `a QR code is drawn in half blocks where the locale writes UTF-8`(locale: [String: String], isDrawn: Bool)
    async throws
  {
    let changes = ["LC_ALL": ""].merging(locale) { $1 }
    let sent = try await Person().run(["send", "--amount", "1", "--link-only"], changes: changes, streams: .terminal)
    #expect(sent.status == 0, "\(sent)")
    #expect(sent.standardOutput.contains("▀") == isDrawn, "\(sent)")
    #expect(sent.lines.contains { $0.hasPrefix("https://irl.app/claim/") })
  }

  /// A terminal by its type, locale, colours and size, and what it is shown besides the link.
  @Test(arguments: [
    ("xterm", "C.UTF-8", "", (24, 80), "▀"), ("xterm", "C.UTF-8", "1", (24, 80), "▀"),
    ("xterm", "C", "", (24, 80), "--qr-file"), ("xterm", "C", "", (60, 120), "##"),
    ("dumb", "C.UTF-8", "", (24, 80), "--qr-file"), ("dumb", "C.UTF-8", "", (60, 120), "##"),
    ("dumb", "C", "1", (60, 120), "##"), ("", "C", "", (24, 80), "--qr-file"),
    ("vt100", "C.UTF-8", "", (10, 20), "--qr-file"),
  ])
  func `the link is shown whatever the terminal is, and its QR code as the terminal takes it`(
    type: String, locale: String, noColor: String, size: (rows: Int, columns: Int), mark: String
  ) async throws {
    let alice = try Person()
    let command = "stty rows \(size.rows) cols \(size.columns); exec \(BumpCommand.binary) send --amount 1 --link-only"
    let environment = alice.environment.merging(["TERM": type, "LC_ALL": locale, "NO_COLOR": noColor]) { $1 }
    let sent = try await RunningProcess.start(["sh", "-c", command], environment: environment, streams: .terminal)
      .finish()
    #expect(sent.status == 0, "\(sent)")
    let link = try #require(sent.lines.first { $0.hasPrefix("https://irl.app/claim/") }, "\(sent)")
    #expect(sent.lines.contains("bump receive --link -"), "\(sent)")
    #expect(sent.standardOutput.contains(mark), "\(sent)")
    if type == "dumb" || type.isEmpty { #expect(!sent.standardOutput.contains("\u{1B}"), "\(sent)") }
    if locale == "C" { #expect(sent.standardOutput.utf8.allSatisfy { $0 < 0x80 }, "\(sent)") }
    #expect(try await Person().take(link).status == 0)
  }

  @Test func `a code in the environment is not passed over where many claims are received`() async throws {
    let refused = try await Person().run(["receive", "--keep"], changes: ["BUMP_CODE": "27-482915"])
    #expect(refused.status == 64 && refused.error?.contains("a code is for one claim") == true, "\(refused)")
  }
}
