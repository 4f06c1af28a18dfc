import Lab
import Testing

/// Services on the network whose names would drive or deceive the terminal of whoever finds them.
@Suite(.live) struct NamesTests {
  private static let suffix = "-0123456789abcdef"

  static let names: [String: (given: String, shown: String)] = [
    "the clipboard (OSC 52)": ("\u{1B}]52;c;cm0gLXJm\u{7}", #"\u{1b}]52;c;cm0gLXJm\u{7}"#),
    "a cleared screen, and more lines": ("bob\u{1B}[2J\r\nbob\u{85}", #"bob\u{1b}[2J\u{d}\u{a}bob\u{85}"#),
    "a bidirectional override": ("b\u{202E}bo\u{2066}", #"b\u{202e}bo\u{2066}"#),
    "zero width": ("b\u{200B}o\u{FEFF}b", #"b\u{200b}o\u{feff}b"#),
    "marks alone": (String(repeating: "\u{334}", count: 23), String(repeating: #"\u{334}"#, count: 4) + "…"),
    "blanks": ("   ", "(no name)"),
  ]

  @Test(arguments: names)
  func `a receiver is told of a name that it found on one harmless line`(
    what: String, name: (given: String, shown: String)
  ) async throws {
    try await withHost(daemons: .avahi) { host in
      let bob = try BumpCommand("bob", on: host)
      let stranger = try await host.spawn(["python3", "-c", Self.welcomesInModeCode])
      let port = try await stranger.line { Int($0) != nil }
      let instance = name.given + Self.suffix
      let publishing = try await host.spawn(
        ["avahi-publish", "-s", instance, "_irl-bump._tcp", port, "txtvers=1", "v=1", "mode=code", "ch=27"],
        environment: ["LC_ALL": "C.UTF-8"])
      try await publishing.line(on: .error) { $0.hasPrefix("Established") }

      let receiving = try await bob.start("receive", "--json", streams: .terminalButOutput)
      let found = try await receiving.event("found").string("name")
      #expect(found?.unicodeScalars.elementsEqual(instance.unicodeScalars) == true)
      try await receiving.text("asks for a code: ", on: .error)
      // The countdown has been wiped from the line.
      let asked = try #require(receiving.standardError.text.split(separator: "\r\u{1B}[K").last)
      #expect(asked == "\"\(name.shown)\" asks for a code: ", "\(receiving)")
      for scalar in (receiving.standardOutput.text + asked).unicodeScalars where scalar != "\n" && scalar != "…" {
        #expect((" "..."~").contains(scalar), "\(receiving.standardOutput.text.debugDescription)")
      }
      receiving.type("\u{4}")
      #expect(try await receiving.finish().status == 6)
    }
  }

  /// Prints its port, and answers each HELLO with a WELCOME of mode code.
  private static let welcomesInModeCode = """
    import os, socket
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        if connection.recv(24):
            connection.sendall(b"\\x00\\x3f\\x02BUMP\\x01\\x01" + os.urandom(48) + bytes(8))
            connection.recv(1)
        connection.close()
    """
}
