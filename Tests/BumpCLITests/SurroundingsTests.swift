import Foundation
import Lab
import Testing

/// Odd shells, odd names, and money that must not get lost over them.
@Suite struct SurroundingsTests {
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

  @Test func `where nothing can be said the claim is here all the same`() async throws {
    let received = try await bob.shell(
      #"exec "$bump" receive --link "$link" <&- >&- 2>&-"#, changes: ["link": link])
    #expect(received.status == 1 && received.standardOutput.isEmpty && received.standardError.isEmpty, "\(received)")
    #expect(try await bob.history().count == 1)
  }

  @Test func `a list that is cut short is said to be`() async throws {
    let listed = try await bob.shell(#"exec "$bump" history >/dev/full"#)
    #expect(listed.status == 1 && listed.error == "stdout cannot be written; not all was shown", "\(listed)")
  }

  @Test(arguments: [
    (["--peer", "127.0.0.1:1"], "127.0.0.1:1 was not reached in time; `bump doctor --peer 127.0.0.1:1` tells why"),
    (["--from", "carol\u{7}"], #"carol\u{7} was not found in time; `bump browse` tells who is near"#),
    (["--from", "3"], "sender 3 was not found in time; `bump browse` tells who is near"),
    (
      [], "nobody was found in time; start `bump send 1.00` there and try again; `bump doctor` tells what is in the way"
    ),
  ])
  func `who finds nobody is told where to look`(arguments: [String], words: String) async throws {
    let search = ["receive", "--discovery", "embedded", "--interface", "lo", "--discovery-timeout", "0.1", "--quiet"]
    let finished = try await bob.run(search + arguments)
    #expect(finished.status == 3 && finished.error == words, "\(finished)")
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
