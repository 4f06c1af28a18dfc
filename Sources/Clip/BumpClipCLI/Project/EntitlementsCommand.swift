import ArgumentParser
import BumpLint
import BumpTerminal

struct EntitlementsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "entitlements", abstract: "Write the entitlements that an app and its App Clip need.",
    subcommands: [Show.self, Write.self])

  func run() throws { throw ValidationError("name a command: \(Self.commandNames)") }

  enum Target: String, ExpressibleByArgument, CaseIterable {
    case app
    case clip

    /// The target, for the help and the manual page.
    var defaultValueDescription: String {
      switch self {
      case .app: "The app's."
      case .clip: "The App Clip's."
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print the entitlements of one target, as an XML property list.",
      usage: "bump-clip entitlements show --target <target> [<folder>] [<options>]")

    @Option(help: "The target: the app or its App Clip.")
    var target: Target
    @OptionGroup var project: ProjectOptions

    func run() async throws {
      let writer = try project.read().writer()
      let text = target == .app ? writer.appEntitlements : writer.clipEntitlements
      Console.result(String(text.dropLast()))
      try Console.checkResult()
    }
  }

  struct Write: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "write", abstract: "Write App.entitlements and Clip.entitlements into the folder.",
      usage: "bump-clip entitlements write [<folder>] [<options>]")

    @OptionGroup var project: ProjectOptions
    @OptionGroup var files: WrittenFiles

    func run() async throws {
      let json = JSONLines(files.json)
      throw try await json.concluding {
        let writer = try project.read().writer()
        return try files.write(
          [("App.entitlements", writer.appEntitlements), ("Clip.entitlements", writer.clipEntitlements)],
          in: project.folder, json)
      }
    }
  }
}
