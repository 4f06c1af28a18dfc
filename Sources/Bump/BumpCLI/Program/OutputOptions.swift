import ArgumentParser
import BumpTerminal
import Logging

/// The options for output.
struct OutputOptions: ParsableArguments {
  static let jsonHelp: ArgumentHelp = "Write one JSON object a line to stdout, and nothing else."
  static let quietHelp: ArgumentHelp =
    "Print to stderr only errors, questions, and what must be seen, such as a code."
  static let verboseHelp: ArgumentHelp = "Log each step to stderr, but never a secret."

  @Flag(help: jsonHelp)
  var json = false

  @Flag(help: quietHelp)
  var quiet = false

  @Flag(help: verboseHelp)
  var verbose = false

  var logger: Logger {
    guard verbose else { return Logger(label: "bump", factory: { _ in SwiftLogNoOpLogHandler() }) }
    var logger = Logger(label: "bump", factory: { VisibleLogHandler(StreamLogHandler.standardError(label: $0)) })
    logger.logLevel = .debug
    return logger
  }
}
