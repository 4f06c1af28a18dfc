import ArgumentParser
import BumpClaims
import BumpDiscovery
import BumpKit
import BumpTerminal
import BumpWire

struct BrowseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "List the senders nearby as they appear (+) and disappear (-), until Ctrl-C or --for.",
    usage: "bump browse [<options>]",
    discussion: """
      Each line has a sender's name, its mode (open, code or key), its address, and the time since it was first seen. An \
      open sender compares digits with its receiver, the others require a code or a key. bump connects to none of them. \
      A name proves nothing: any sender may have chosen it.
      """)

  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp("Stop after this time.", valueName: "seconds"),
    transform: Arguments.seconds)
  var time: Duration?

  @OptionGroup var discovery: DiscoveryOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if discovery.backend == .none { throw ValidationError("--discovery none finds nobody to show") }
  }

  func run() async throws {
    let json = JSONLines(output.json)
    throw try await json.concluding { try await perform(BrowseReport(json: json)) }
  }

  private func perform(_ report: BrowseReport) async throws -> ExitStatus {
    let serviceType = discovery.serviceType
    let console = Console(quiet: output.quiet)
    guard let discovery = await discovery.make(console) else { throw CommandError(.nobody, "there is no discovery") }
    let near = Neighbours(discovery: discovery, logger: output.logger).watch(serviceType)
    let time = time
    return try await Interrupt.cancels {
      try report.began(discovery.backend, for: time, console)
      return try await withThrowingTaskGroup(of: BrowseReport.End.self) { group in
        group.addTask {
          do {
            for try await event in near { try report.event(event) }
          } catch let error as DiscoveryError {
            throw CommandError(.nobody, error.reason, remedy: error.remedy)
          }
          return .interrupted
        }
        if let time {
          group.addTask {
            // If the task is cancelled, the interrupt ends the command.
            try? await Task.sleep(for: time)
            return Task.isCancelled ? .interrupted : .timeIsUp
          }
        }
        defer { group.cancelAll() }
        // Without --for, Ctrl-C is the normal end.
        let end = try await group.next() ?? .interrupted
        return try report.result(end == .interrupted && time != nil ? .interrupted : .success)
      }
    }
  }
}
