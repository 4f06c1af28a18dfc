import Foundation
import Lab
import Testing

@testable import BumpCLI
@testable import BumpTerminal

/// Odd shells, odd names, and money that must not get lost over them.
@Suite(.processes()) struct SurroundingsTests {
  private let bob: Person
  private let link: String

  init() throws {
    bob = try Person()
    link = try strangersLink()
  }

  @Test(arguments: [":memory:", "file:purse", "file:purse?mode=memory", "file::memory:?cache=shared", "a b#c%20?d"])
  func `a store's name is a file's name, whatever SQLite would take it for`(name: String) async throws {
    let changes = ["BUMP_STORE": name, "link": link]
    let received = try await bob.shell(#""$bump" receive --link "$link""#, changes: changes)
    #expect(received.status == 0, "\(received)")
    #expect(try await bob.shell(#""$bump" history --json"#, changes: changes).events.count == 1)
    #expect(try await bob.shell("stat -c '%a %n' *").standardOutput == "600 \(name)\n600 \(name)-journal\n")
  }

  @Test(arguments: [">&-", "<&- >&-", ">/dev/full", "--json >/dev/full", "--show-secret <&- >&-"])
  func `a claim whose result cannot be written is here, and said to be`(end: String) async throws {
    let received = try await bob.shell(#"exec "$bump" receive --link "$link" "# + end, changes: ["link": link])
    #expect(received.status == 1, "\(received)")
    #expect(
      received.standardError.contains("bump: stdout cannot be written, but the claim is here: bump show stranger"))
    #expect(try await bob.history().count == 1)
  }

  @Test(
    arguments: [8, 16, 40], ["send 1 --discovery none --discovery-timeout 0.1", "receive --discovery-timeout 0.1"])
  func `where too few files may be open that is said, and no claim is made`(limit: Int, command: String) async throws {
    let finished = try await bob.shell(#"ulimit -n \#(limit); exec "$bump" \#(command)"#)
    let words = "this process may open \(limit) files at once, and bump needs "
    #expect(finished.status == 1 && finished.error?.hasPrefix(words) == true, "\(finished)")
    #expect(finished.error?.contains("Raise the limit: ulimit -n ") == true, "\(finished)")
    #expect(try await bob.history().isEmpty)
  }

  /// As a program leaves them that marks none of its files to be closed on exec.
  @Test func `files that were open before are not counted as free`() async throws {
    let limit = OpenFiles.own + 40
    func script(_ limit: Int) -> String {
      #"""
      exec bash -c 'ulimit -n \#(limit)
      for number in {20..69}; do eval "exec $number</dev/null"; done
      exec "$bump" send 1 --link-only'
      """#
    }
    let sent = try await bob.shell(script(limit))
    let words = try Regex(
      "this process may open \(limit) files at once, and bump needs (\\d+): it was started with (\\d+) open\\. "
        + "Raise the limit: ulimit -n (\\d+)", as: (Substring, Substring, Substring, Substring).self)
    let said = try #require(sent.error?.wholeMatch(of: words), "\(sent)").output
    let (needed, open) = (try #require(Int(said.1)), try #require(Int(said.2)))
    #expect(sent.status == 1 && needed == OpenFiles.own + open && said.3 == said.1)
    // Besides, those that the tests' process was started with.
    #expect(open >= 53)
    #expect(try await bob.history().isEmpty)
    // Room for those of other tests that are being started.
    let enough = try await bob.shell(script(needed + 64))
    #expect(enough.status == 0, "\(enough)")
  }

  @Test func `arguments that cannot be read are an error`() async throws {
    let shown = try await bob.shell(#"exec unshare -m sh -c 'mount -t tmpfs none /proc; exec "$bump" --version'"#)
    #expect(shown.status == 1 && shown.standardOutput.isEmpty, "\(shown)")
    #expect(shown.error?.hasPrefix("the arguments cannot be read. Is /proc mounted?") == true, "\(shown)")
  }

  @Test func `a limit of open files that this process may raise does not matter`() async throws {
    let sent = try await bob.shell(#"ulimit -S -n 8; exec "$bump" send 1 --link-only"#)
    #expect(sent.status == 0, "\(sent)")
  }

  @Test func `where nothing can be said the claim is here all the same`() async throws {
    let received = try await bob.shell(
      #"exec "$bump" receive --link "$link" <&- >&- 2>&-"#, changes: ["link": link])
    #expect(received.status == 1 && received.standardOutput.isEmpty && received.standardError.isEmpty, "\(received)")
    #expect(try await bob.history().count == 1)
  }

  @Test(
    arguments: [
      "--help", "--version", "help send", "browse --help", "--generate-completion-script bash",
    ], [">/dev/full", ">&-"])
  func `help, the version and completions that cannot be written are an error`(command: String, end: String)
    async throws
  {
    let shown = try await bob.shell(#"exec "$bump" \#(command) \#(end)"#)
    #expect(
      shown.status == 1 && shown.standardError == "bump: not all was shown: stdout cannot be written\n", "\(shown)")
  }

  @Test func `a send whose link cannot be written ends with 1, not 3`() async throws {
    let sent = try await bob.shell(
      #""$bump" send 1 --discovery none --discovery-timeout 0.1 --quiet >/dev/full"#)
    #expect(sent.status == 1, "\(sent)")
    #expect(sent.error?.contains("stdout cannot be written, so the link was not shown. `bump link ") == true, "\(sent)")
  }

  @Test func `a list that is cut short is said to be`() async throws {
    let listed = try await bob.shell(#"exec "$bump" history >/dev/full"#)
    #expect(listed.status == 1 && listed.error == "not all was shown: stdout cannot be written", "\(listed)")
  }

  @Test(arguments: [
    (
      ["--peer", "127.0.0.1:@"],
      "127.0.0.1:@ refuses the connection: no sender listens there, or a firewall rejects it. "
        + "`bump doctor --peer 127.0.0.1:@` tells why"
    ),
    (["--from", "carol\u{7}"], #"carol\u{7} was not found in time. `bump browse` lists the senders nearby"#),
    (
      [],
      "nobody was found in time. Receivers do not see each other: one of you runs `bump send 1.00`. `bump doctor` "
        + "looks for the cause"
    ),
  ])
  func `who finds nobody is told where to look`(arguments: [String], words: String) async throws {
    // Whatever else bumps on this machine has another type.
    let type = "nobody-\(UInt16.random(in: 0...9999))"
    let search = [
      "receive", "--discovery", "embedded", "--interface", "lo", "--service-type", type, "--discovery-timeout",
      // The connection is refused in it.
      arguments.first == "--peer" ? "1" : "0.1", "--quiet",
    ]
    let port = "\(try closedPort())"
    let finished = try await bob.run(search + arguments.map { $0.replacing("@", with: port) })
    #expect(finished.status == 3 && finished.error == words.replacing("@", with: port), "\(finished)")
  }

  @Test(arguments: [
    ["history", "--store", "@"], ["link", "x", "--key", "@"], ["send", "--amount", "1", "--key", "@"],
    ["send", "--amount", "1", "--link-only", "--qr-file", "@.svg"], ["key", "new", "@"],
    ["send", "--amount", "1", "--link-only", "--store", "@"],
  ])
  func `what came from outside does not drive the terminal in an error`(arguments: [String]) async throws {
    let path = "\(bob.home)/no\u{1B}]0;such\u{7}\u{202E}/file"
    let failed = try await bob.run(arguments.map { $0.replacing("@", with: path) })
    // The store's folders are made where they can be.
    guard failed.status != 0 else { return }
    #expect(failed.error?.contains(#"no\u{1b}]0;such\u{7}\u{202e}/file"#) == true, "\(failed)")
  }
}
