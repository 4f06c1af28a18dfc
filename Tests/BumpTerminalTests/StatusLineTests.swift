import BumpClaims
import BumpText
import Testing

@testable import BumpTerminal

/// What is left of a status where it is wider than its terminal.
@Suite struct StatusLineTests {
  private static let near = "744 221: 192.0.2.9 is deciding, 59 s left"
  private static let far = "029 038: fe80::243d:9eff:fe4f:965%r1va is deciding, 58 s left"

  @Test(arguments: [
    (79, [near], near), (40, [near], "744 221: 192.0.2.9 is deciding, 59 s le…"),
    (79, [far, near], "029 038: fe80::243d:9eff:fe4f:965%r1v…; 744 221: 192.0.2.9 is deciding, 59 s …"),
    (39, [near, far], "744 221: 192.0.2.…; 029 038: fe80::24…"),
    (39, [near, far, near], "744 221: 192.0.2.9 is deci…; and 2 more"),
    (79, [near, far, near, far], "744 221: 192.0.2.9 i…; 029 038: fe80::243d:…; 744 221: 192.0.2.9 i…; and 1 more"),
    (16, [near, far], "744 221: 192.0.…"), (15, [near], ""), (79, [], ""),
  ])
  func `digits are whole or not there, and whoever has no room is counted`(
    columns: Int, sessions: [String], line: String
  ) {
    #expect(StatusLine(columns: columns).of(sessions) == line)
  }

  @Test(arguments: 0...100)
  func `no line is wider than its terminal, and none has a part of somebody's digits`(columns: Int) {
    for count in 1...4 {
      let line = StatusLine(columns: columns).of(Array([Self.far, Self.near, Self.far, Self.near].prefix(count)))
      #expect(TextWidth.columns(of: line) <= columns)
      let parts = line.split(separator: "; ").filter { !$0.hasPrefix("and ") }
      #expect(parts.allSatisfy { $0.hasPrefix("744 221: ") || $0.hasPrefix("029 038: ") }, "\(line)")
    }
  }

  @Test func `a terminal of ASCII is counted as it shows it`() {
    #expect(StatusLine(columns: 12, ellipsis: "...").cut("Waiting for a receiver... 8 s") == "Waiting f...")
  }
}
