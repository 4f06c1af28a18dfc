import ArgumentParser
import BumpTerminal
import BumpText

struct BumpClipCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bump-clip",
    abstract: "Follow an App Clip's links, and check its project.",
    discussion: """
      Opens links as a phone would, and simulates the phone: an App Clip hands over what it captured, and its app takes \
      that. A product is an app with its App Clip. Finds what keeps an App Clip from opening, and writes the files that \
      it needs. Shares contact cards by links.
      """,
    version: Version.current,
    subcommands: [
      Open.self, Resolve.self, Profile.self, Handover.self, Consume.self, Evict.self, Install.self, Status.self,
      LintCommand.self, AssociationCommand.self, EntitlementsCommand.self, CardCommand.self,
    ])

  func run() throws { throw ValidationError("name a command: \(Self.commandNames)") }
}

/// The program `bump-clip`.
@main enum ClipProgram: Program {
  typealias Root = BumpClipCommand

  static func main() { start() }

  static var variables: [String] { [] }

  static var commandsWithArguments: [any ParsableCommand.Type] {
    [
      BumpClipCommand.Open.self, BumpClipCommand.Resolve.self, BumpClipCommand.Profile.self,
      BumpClipCommand.Handover.self, BumpClipCommand.Consume.self, BumpClipCommand.Evict.self,
      BumpClipCommand.Install.self, BumpClipCommand.Status.self, LintCommand.self, AssociationCommand.Show.self,
      AssociationCommand.Write.self, AssociationCommand.Serve.self, EntitlementsCommand.Show.self,
      EntitlementsCommand.Write.self, CardCommand.Share.self, CardCommand.Fetch.self,
    ]
  }

  static func unknown(_ word: String) -> String {
    if ArgumentText.isLikeLink(word) { return "a link is not a command. `bump-clip open -` asks for it" }
    return "'\(ArgumentText.repeatable(word))' is not a command. \(Root.commandMeant(by: word, of: "bump-clip"))"
  }

  static func hint(_ message: String, _ path: [any ParsableCommand.Type], _ arguments: [String]) -> String? {
    guard message.hasPrefix("Missing expected argument") else { return nil }
    return switch path.map({ $0._commandName }).joined(separator: " ") {
    case "card share": "name the file, such as `bump-clip card share card.vcf`"
    case "card fetch", "open", "resolve": "give the link, or - for one on stdin"
    case "handover", "consume", "evict", "install": "name a product: `bump-clip status` lists them"
    default: nil
    }
  }
}
