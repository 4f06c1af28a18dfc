import ArgumentParser
import BumpClip
import BumpKit
import BumpTerminal
import FoundationEssentials

/// The options of all commands of `bump-clip`.
struct ClipOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The directory of your own products' files (by default $XDG_CONFIG_HOME/bump/experiences).",
      valueName: "directory"),
    completion: .directory)
  var experiences: String?

  @Flag(help: "Write one JSON object a line to stdout, and nothing else.")
  var json = false

  @Flag(help: "Say nothing on stderr but errors.")
  var quiet = false

  /// Runs a command with the products and the phone, and ends with its exit status.
  func run(_ body: (Experiences, Phone, ClipReport) async throws -> ExitStatus) async throws {
    let json = JSONLines(json)
    throw try await json.concluding {
      let report = ClipReport(console: Console(quiet: quiet), json: json)
      let phone = Phone(at: Environment.dataFolder, now: UnixTime.now)
      let status = try await body(try Experiences.known(in: experiences), phone, report)
      try Console.checkResult()
      return status
    }
  }
}

extension Experiences {
  /// Returns the five built-in products, and those of a directory: the named one, which must exist, or the user's.
  static func known(in named: String?) throws -> Experiences {
    let directory = named ?? Environment.configurationFolder + "/experiences"
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
      guard named == nil else { throw CommandError(.failure, "the directory \(directory) cannot be read") }
      return .builtIn
    }
    let files = try names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { name in
      guard let content = try? Data(contentsOf: URL(filePath: "\(directory)/\(name)")) else {
        throw CommandError(.failure, "\(directory)/\(name) cannot be read")
      }
      return (name: "\(directory)/\(name)", content: [UInt8](content))
    }
    return try Experiences(files)
  }
}
