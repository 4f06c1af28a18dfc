import Lab
import Testing

/// `bump receive --link`.
@Suite struct LinkTests {
  @Test func `a link brings its claim`() async throws {
    let bob = try Person()
    let received = try await bob.run("receive", "--link", strangersLink())
    #expect(received.status == 0, "\(received)")
    #expect(received.standardOutput == "1.00 USDC from a link (stranger)\n")
    #expect(received.standardError.contains("its origin is not proven"), "\(received)")
    #expect(!received.standardError.contains(sevens) && !received.standardOutput.contains(sevens))
    #expect(try await bob.history().map { $0.string("claimId") } == ["stranger"])
  }

  @Test func `a link that was taken before is already here`() async throws {
    let bob = try Person()
    _ = try await bob.run("receive", "--link", strangersLink())
    let received = try await bob.run("receive", "--link", strangersLink())
    #expect(received.status == 0, "\(received)")
    #expect(received.standardOutput == "already here: 1.00 USDC from a link (stranger)\n")
    #expect(try await bob.history().count == 1)
  }

  @Test func `another claim with an id that is here is said to be that`() async throws {
    let bob = try Person()
    _ = try await bob.run("receive", "--link", strangersLink(secret: 8))
    let received = try await bob.run("receive", "--link", strangersLink())
    #expect(received.status == 0, "\(received)")
    #expect(received.standardError.contains("bump show stranger"), "\(received)")
    #expect(try await bob.history().count == 2)
  }

  @Test(arguments: ["0", " 0 \n", "0\r\n", "\n"])
  func `a link on the input may have white space around it`(shape: String) async throws {
    let bob = try Person()
    let received = try await bob.run("receive", "--link", "-", input: shape.replacing("0", with: strangersLink()))
    // A line with nothing on it is no link.
    #expect(received.status == (shape == "\n" ? 6 : 0), "\(received)")
  }

  @Test func `a link that a terminal broke over two lines is one link`() async throws {
    var link = try strangersLink()
    link.insert("\n", at: link.index(link.startIndex, offsetBy: 80))
    #expect(try await Person().run("receive", "--link", link).status == 0)
  }

  @Test(arguments: [
    "nothing": "", "a word": "money", "another link": "https://irl.app/claim",
    "a link in capitals": "HTTPS://IRL.APP/CLAIM/X#S=",
    "control characters": "\u{1B}[2J",
  ])
  func `what is no link is refused, and nothing is stored`(why: String, text: String) async throws {
    let bob = try Person()
    let received = try await bob.run("receive", "--link", text)
    #expect(received.status == 6, "\(received)")
    #expect(received.standardOutput.isEmpty)
    #expect(received.error?.contains("not a whole claim link") == true, "\(received)")
    #expect(try await bob.history().isEmpty)
  }

  @Test func `a garbled link is refused, and nothing is stored`() async throws {
    let bob = try Person()
    let received = try await bob.run("receive", "--link", strangersLink().replacing("a=1.00", with: "a=9.00"))
    #expect(received.status == 6, "\(received)")
    #expect(received.error?.contains("garbled") == true, "\(received)")
    #expect(received.error?.contains(sevens) == false)
    #expect(try await bob.history().isEmpty)
  }

  @Test func `a link whose time has passed is refused, and nothing is stored`() async throws {
    let bob = try Person()
    let received = try await bob.run("receive", "--link", strangersLink(expiry: 1_000_000_000))
    #expect(received.status == 7, "\(received)")
    #expect(received.standardOutput.isEmpty)
    #expect(received.error?.contains("stranger has expired") == true, "\(received)")
    #expect(try await bob.history().isEmpty)
  }

  @Test func `the secret is shown where that is asked for, and nowhere else`() async throws {
    let bob = try Person()
    let received = try await bob.run("receive", "--link", strangersLink(), "--show-secret", "--quiet")
    #expect(received.standardOutput == "1.00 USDC from a link (stranger)\n\(sevens)==\n")
    #expect(received.standardError.isEmpty)
    let verbose = try await Person().run("receive", "--link", strangersLink(), "--verbose")
    #expect(!(verbose.standardOutput + verbose.standardError).contains(sevens), "\(verbose)")
  }

  /// A link, and how taking it ends: in an outcome, an exit status, and an error or none.
  @Test(arguments: [
    ("good", "received", 0), ("garbled", "unauthenticated", 6), ("expired", "expired", 7),
    ("no link", "unauthenticated", 6),
  ])
  func `programs read one object a line, and the result last`(kind: String, outcome: String, exit: Int32) async throws {
    let links = [
      "good": try strangersLink(), "garbled": try strangersLink().replacing("1.00", with: "2.00"),
      "expired": try strangersLink(expiry: 1), "no link": "money",
    ]
    let received = try await Person().run("receive", "--json", "--link", try #require(links[kind]))
    #expect(received.status == exit, "\(received)")
    #expect(try received.result.string("outcome") == outcome)
    #expect(try (received.result.string("error") == nil) == (exit == 0))
    #expect(try received.events.allSatisfy { $0.string("event") != nil && $0.number("ms").map { $0 >= 0 } == true })
    #expect(try received.events.count == (exit == 0 ? 2 : 1))
    #expect(!received.standardOutput.contains("secret"))
    if exit == 0 {
      #expect(try received.events[0].string("event") == "stored" && received.events[0].number("status") == 0)
      #expect(try received.result.string("amount") == "1.00" && received.result.string("claimId") == "stranger")
    }
  }
}
