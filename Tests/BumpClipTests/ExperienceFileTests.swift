import Foundation
import Testing

@testable import BumpClip

/// Files of products beside the five.
@Suite struct ExperienceFileTests {
  /// A file on eleven lines, with one of them replaced.
  private func file(_ line: Int = 0, _ text: String = "") -> [UInt8] {
    var lines = [
      #"{"#,
      #"  "product": "menu", "name": "Menu","#,
      #"  "app": "com.example.Menu", "clip": "com.example.Menu.Clip","#,
      #"  "team": "ABCDE12345", "group": "group.com.example.Menu", "sizeMB": 10, "next": "Order","#,
      #"  "experiences": [{"#,
      #"    "id": "menu", "hosts": ["menu.example"], "paths": ["/table/{table}"],"#,
      #"    "rules": {"table": {"reason": "table", "characters": "0-9", "length": 3}},"#,
      #"    "preview": ["Table {table}"]"#,
      #"  }],"#,
      #"  "handover": {"key": "table", "value": "table"}"#,
      #"}"#,
    ]
    if line > 0 { lines[line - 1] = text }
    return Array(lines.joined(separator: "\n").utf8)
  }

  @Test func `a product of one's own is known beside the five`() throws {
    let experiences = try Experiences([("menu.json", file())])
    #expect(experiences.products.count == 6)
    let match = try Links.match("https://menu.example/table/42", in: experiences)
    #expect(match.captured == ["table": "42"] && match.preview == ["Table 42"])
    guard case .broken(_, _, let reason) = experiences.router.route("https://menu.example/table/4242") else {
      Issue.record("not broken")
      return
    }
    #expect(reason.description == "table")
    _ = try Links.match(Links.driver, in: experiences)
  }

  @Test func `a value that is no link is taken by the app if a link of the product captures it so`() throws {
    let experiences = try Experiences([("menu.json", file())])
    let menu = try #require(experiences.product("menu"))
    for (value, isTaken) in [("42", true), ("4242", false)] {
      let fixture = PhoneFixture()
      _ = try fixture.phone.open(Links.match("https://menu.example/table/42", in: experiences))
      #expect(try fixture.phone.handOver(menu) == "42")
      #expect(try fixture.phone.install(menu))
      let left = "\(fixture.directory)/groups/group.com.example.Menu/values/table"
      #expect(try String(contentsOfFile: left, encoding: .utf8) == "42")
      try Data(value.utf8).write(to: URL(filePath: left))
      #expect(
        try fixture.phone.consume(menu, in: experiences.router)
          == (isTaken ? .stored(key: "table", value: value) : .invalid(key: "table")))
    }
  }

  @Test func `a file of one of the five takes its place`() throws {
    let own = #"""
      {"product": "businesscard", "name": "Card", "next": "Add", "experiences": [{"id": "businesscard",
       "hosts": ["card.example"], "paths": ["/{id}"], "rules": {"id": "uuid"}, "preview": []}]}
      """#
    let experiences = try Experiences([("card.json", Array(own.utf8))])
    #expect(experiences.products.count == 5)
    _ = try Links.match("https://card.example/0a1b2c3d-0000-4000-8000-00000000abcd", in: experiences)
    #expect(experiences.router.route(Links.card) == .none(.host))
  }

  private static let mistakes: [(line: Int, text: String, at: Int, reason: String)] = [
    (
      10, #"  "handover": {"key": "table", "value": "table"}, "page": {"host": "menu.example", "keys": ["seat"]}"#, 10,
      "under the hand-over's key"
    ),
    (10, #"  "page": {"host": "menu.example", "keys": []}"#, 10, "a page may store only the hand-over's value"),
    (
      10, #"  "handover": {"key": "table", "value": "table"}, "page": {"host": "https://menu.example", "keys": []}"#,
      10,
      "a host looks like"
    ),
    (2, #"  "product": "Menu", "name": "Menu","#, 2, "characters that are allowed here"),
    (2, #"  "product": "menu", "product": "menu", "name": "Menu","#, 2, "occurs twice"),
    (2, #"  "name": "Menu","#, 1, #""product" is missing"#),
    (2, #"  "product": 7, "name": "Menu","#, 2, "this is a number, not a string"),
    (3, #"  "app": "Menu","#, 3, "a bundle id looks like com.example.App"),
    (3, #"  "app": "com.example.Menu", "clip": "com.example.Other","#, 3, "must begin with the app's and a dot"),
    (4, #"  "team": "short", "next": "Order","#, 4, "a team is ten of A-Z and 0-9"),
    (4, #"  "group": "com.example.Menu", "next": "Order","#, 4, "a group begins with group."),
    (4, #"  "sizeMB": 0, "next": "Order","#, 4, "not a whole number from 1 to 1000"),
    (4, #"  "sizeMB": 1.5, "next": "Order","#, 4, "not a whole number from 1 to 1000"),
    (4, #"  "sizeMB": 1., "next": "Order","#, 4, "this is not JSON"),
    (4, #"  "next": "Order","#, 10, "needs a group"),
    (
      4, #"  "group": "group.com.example.Menu", "next": "Order", "button": "Order","#, 4, #""button" is not known here"#
    ),
    (5, #"  "experiences": [], "x": [{"#, 5, "a product needs an experience"),
    (6, #"    "id": "menu", "hosts": ["MENU.example"], "paths": ["/x"],"#, 6, "a host looks like example.com"),
    (6, #"    "id": "menu", "hosts": ["menu.example:443"], "paths": ["/x"],"#, 6, "a host looks like example.com"),
    (6, #"    "id": "menu", "hosts": [], "paths": ["/x"],"#, 6, "an experience needs a host"),
    (6, #"    "id": "menu", "hosts": ["menu.example"], "paths": ["/{seat}"],"#, 6, "no rule for {seat}"),
    (6, #"    "id": "menu", "hosts": ["menu.example"], "paths": ["/x/"],"#, 6, "no slash at its end"),
    (6, #"    "id": "menu", "hosts": ["menu.example"], "paths": ["x"],"#, 6, "a path begins with /"),
    (6, #"    "id": "menu", "hosts": ["menu.example"], "paths": ["/1/2/3/4/5/6/7/8/9"],"#, 6, "at most 8 segments"),
    (6, #"    "id": "menu", "hosts": ["menu.example"], "paths": ["/{table}/{table}"],"#, 6, "{table} occurs twice"),
    (7, #"    "rules": {"table": "number"},"#, 7, "a rule is name, npub, rkey, uuid, or an object"),
    (7, #"    "rules": {"table": {"reason": "table", "length": 3}},"#, 7, "characters and a length, or bytes"),
    (7, #"    "rules": {"table": {"reason": "table", "characters": "9-0", "length": 3}},"#, 7, "characters look like"),
    (8, #"    "preview": ["Table {seat}"]"#, 8, "names of captured values in braces"),
    (8, #"    "preview": ["Table {table"]"#, 8, "names of captured values in braces"),
    (8, #"    "preview": "Table {table}""#, 8, "this is a string, not a list"),
    (10, #"  "handover": {"key": "table"}"#, 10, "a hand-over needs"),
    (10, #"  "handover": {"key": "table", "value": "seat"}"#, 10, "no experience captures seat"),
    (10, #"  "handover": {"messages": "clip.store"}"#, 10, "no experience captures text"),
    (
      10, #"  "handover": {"key": "order", "fields": {"seat": "string", "table": "string"}, "days": 1}"#, 10,
      "no experience captures seat"
    ),
    (10, #"  "handover": {"messages": "../x"}"#, 10, "characters that are allowed here"),
    (10, #"  "handover": {"messages": ".x"}"#, 10, "a store is a file name"),
    (11, "", 11, "this is not JSON"),
    (11, "} x", 11, "something follows the value"),
  ]

  @Test(arguments: mistakes) func `a mistake in a file is named with its line`(
    line: Int, text: String, at place: Int, reason: String
  ) {
    let error = #expect(throws: ExperienceError.self) { try Experiences([("menu.json", file(line, text))]) }
    #expect(error?.line == place && error?.reason.contains(reason) == true, "\(error as Any)")
    #expect(error?.description.hasPrefix("menu.json:\(place): ") == true)
  }

  @Test(arguments: [
    (#""product": "menu", "name""#, #""product": "lunch", "name""#, "the group group.com.example.Menu is"),
    (#"group.com.example.Menu"#, #"group.com.example.Other"#, "the product menu is in menu.json too"),
  ]) func `what two files both want is refused`(old: String, new: String, reason: String) {
    let other = Array(String(decoding: file(), as: UTF8.self).replacing(old, with: new).utf8)
    let error = #expect(throws: ExperienceError.self) {
      try Experiences([("menu.json", file()), ("other.json", other)])
    }
    #expect(error?.reason.contains(reason) == true, "\(error as Any)")
  }

  @Test(arguments: ["/claim/{x}", "/{x}/a", "/{x}/{y}"])
  func `a file whose URLs another experience may take is refused, whatever the order`(path: String) {
    let own = #"""
      {"product": "aaa", "name": "A", "next": "A", "experiences": [{"id": "aaa", "hosts": ["irl.app"],
       "paths": ["\#(path)"], "rules": {"x": "uuid", "y": "uuid"}, "preview": []}]}
      """#
    let error = #expect(throws: ExperienceError.self) { try Experiences([("a.json", Array(own.utf8))]) }
    #expect(error?.description == "a.json:1: a URL on irl.app could be for irl and for aaa")
  }

  @Test func `a file has a limit, and is UTF-8`() {
    let long = #expect(throws: ExperienceError.self) {
      try Experiences([("a.json", [UInt8](repeating: 0x20, count: 65_537))])
    }
    #expect(long?.reason == "the file has more than 65536 bytes")
    #expect(throws: ExperienceError.self) { try Experiences([("a.json", [0x22, 0xFF, 0x22])]) }
    let deep = String(repeating: "[", count: 10)
    #expect(throws: ExperienceError.self) { try Experiences([("a.json", Array(deep.utf8))]) }
  }
}
