package import ArgumentParser

/// A command with so many options that its help shows the everyday ones in sections, and the others by name.
package protocol SectionedHelp: ParsableCommand {
  /// The sections of the everyday options.
  static var helpSections: [HelpSection] { get }
}

/// A section of a command's help. The parser has sections for groups of options, but reading the arguments takes a third
/// longer with such groups.
package struct HelpSection: Sendable {
  let title: String
  /// The options, as they are typed, in the order of the section.
  package let options: [String]

  package init(_ title: String, _ options: [String]) {
    (self.title, self.options) = (title, options)
  }
}

/// The help of a command as it is printed.
enum HelpText {
  /// The parser's option that prints the help with all options explained.
  static let flag = "--help-hidden"

  /// The width of the lines, which the parser uses where there is no terminal.
  private static let width = 80

  /// Returns the help with its options in sections, and those of no section listed by name alone.
  ///
  /// - Parameters:
  ///   - help: what the parser wrote. A version or a completion script stays as it is.
  ///   - command: the command with its program, such as `bump send`.
  static func inSections(_ help: String, _ sections: [HelpSection], of command: String) -> String {
    let heading = "\nOPTIONS:\n"
    guard help.hasPrefix("OVERVIEW: "), let range = help.firstRange(of: heading) else { return help }
    let entries = entries(in: help[range.upperBound...])
    var text = String(help[..<range.lowerBound])
    for section in sections {
      let explained = section.options.compactMap { option in entries.first { $0.name == option } }
      text += "\n\(section.title.uppercased()):\n" + explained.map(\.text).joined()
    }
    let sectioned = Set(sections.flatMap(\.options))
    text += "\nOTHER OPTIONS:" + lines(of: entries.map(\.name).filter { !sectioned.contains($0) })
    return text + "\n\n  `\(command) \(flag)` and the manual page explain all options."
  }

  /// Returns the options that a section explains, each with its lines. A line that begins with an option is indented by
  /// two spaces, the others by more.
  private static func entries(in section: Substring) -> [(name: String, text: String)] {
    var entries: [(name: String, text: String)] = []
    for line in section.split(separator: "\n") {
      if let match = line.prefixMatch(of: #/ {2}(-[a-z-]+(?:, --[a-z-]+)?)/#) {
        entries.append((String(match.1), "\(line)\n"))
      } else if !entries.isEmpty {
        entries[entries.count - 1].text += "\(line)\n"
      }
    }
    return entries
  }

  private static func lines(of names: [String]) -> String {
    var (text, column) = ("", width)
    for (index, name) in names.enumerated() {
      let word = index == names.count - 1 ? name : name + ","
      let fits = column + 1 + word.count <= width
      text += fits ? " \(word)" : "\n  \(word)"
      column = (fits ? column + 1 : 2) + word.count
    }
    return text
  }
}
