import ArgumentParser
import BumpKit
import BumpLint
import BumpTerminal

struct LintCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint", abstract: "Say what is wrong in the project of an App Clip, and what to do about it.",
    usage: "bump-clip lint [<folder>] [<options>]\nbump-clip lint --explain <rule>\nbump-clip lint --rules",
    discussion: """
      It reads the entitlements, the Info.plist files, the apple-app-site-association files, pages with banners and \
      Xcode schemes below the folder, and project.json, for what no other file says. A finding names a file, a line, a \
      rule and what to do. What an error is about never works, what a warning is about fails in some cases, and a note is \
      worth knowing. With an error the exit status is 1. Nothing is fetched, and nothing is changed.
      """)

  @OptionGroup var project: ProjectOptions

  @Option(
    help: ArgumentHelp("Explain a rule: its reason, what breaks it, and what to do.", valueName: "rule"),
    completion: .list(Rule.allCases.map(\.id)), transform: Arguments.rule)
  var explain: Rule?

  @Flag(help: "List the rules.")
  var rules = false

  @Flag(help: "Write one JSON object a line to stdout, and nothing else.")
  var json = false

  @Flag(help: "Write one SARIF 2.1.0 log to stdout, for code review.")
  var sarif = false

  @Flag(help: "Print only errors.")
  var quiet = false

  func validate() throws {
    if json, sarif { throw ValidationError("--json and --sarif contradict each other") }
    if rules || explain != nil, sarif { throw ValidationError("--sarif is for findings") }
    if rules, explain != nil { throw ValidationError("--rules and --explain contradict each other") }
  }

  func run() async throws {
    let json = JSONLines(json)
    throw try await json.concluding {
      let report = LintReport(console: Console(quiet: quiet), json: json, isQuiet: quiet)
      let status: ExitStatus
      if let explain {
        status = report.explained(explain)
      } else if rules {
        status = report.listed()
      } else {
        let read = try project.read()
        guard !read.files.isEmpty else {
          throw CommandError(
            .failure, "\(project.folder) has none of the files that the rules are about",
            remedy: "Name the folder of an Xcode project, or of a site with apple-app-site-association")
        }
        let result = Linter.check(read.files, experiences: read.experiences, product: read.product)
        status =
          sarif
          ? report.logged(result, folder: project.prefix ?? "")
          : report.found(result, folder: project.prefix ?? project.folder)
      }
      try Console.checkList()
      return status
    }
  }
}

extension Arguments {
  /// Reads the id of a rule.
  static func rule(_ text: String) throws -> Rule {
    guard let rule = Rule(rawValue: text) else {
      throw ValidationError("no rule has that name. `bump-clip lint --rules` lists them")
    }
    return rule
  }
}
