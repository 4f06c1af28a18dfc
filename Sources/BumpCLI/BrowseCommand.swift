import ArgumentParser
import BumpDiscovery
import BumpKit
import BumpWire

struct BrowseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse", abstract: "Show who is near, as they come (+) and go (-), until Ctrl-C.",
    usage: "bump browse [<options>]",
    discussion: """
      Each line has a sender's name, mode, address and age, the time since it was first seen. Nobody is connected to. \
      A name proves nothing: whoever sends chose it.
      """)

  @Option(
    name: .customLong("for"), help: ArgumentHelp("End after so long.", valueName: "seconds"),
    transform: Arguments.seconds)
  var time: Duration?

  @Option(help: "The DNS-SD service name, without underscore (default: irl-bump).", transform: Arguments.serviceType)
  var serviceType = ServiceType.irlBump

  @Option(help: "How the senders are found.")
  var discovery = BumpOptions.Backend.auto

  @Option(
    help: ArgumentHelp("Use this network interface only.", valueName: "if"), completion: Completions.interfaces,
    transform: Arguments.interface)
  var interface: NetworkInterface?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if discovery == .none { throw ValidationError("--discovery none finds nobody to show") }
  }

  func run() async throws {
    let json = JSONLines(output.json)
    throw try await json.concluding { try await perform(BrowseReport(json: json)) }
  }

  private func perform(_ report: BrowseReport) async throws -> ExitStatus {
    // What a backend is made of is decided in one place.
    var options = try BumpOptions.parse([])
    options.discovery = discovery
    options.interface = interface
    guard let discovery = await options.makeDiscovery() else { throw CommandError(.nobody, "there is no discovery") }
    let near = Neighbours(discovery: discovery, logger: output.logger).watch(serviceType)
    let (time, console) = (time, Console(quiet: output.quiet))
    return try await Interrupt.cancels {
      report.began(discovery.backend, console)
      return try await withThrowingTaskGroup(of: BrowseReport.End.self) { group in
        group.addTask {
          do {
            for try await event in near { try report.event(event) }
          } catch let error as DiscoveryError {
            throw CommandError(.nobody, "\(error)")
          }
          return .interrupted
        }
        if let time {
          group.addTask {
            // Cancelled, it is the interrupt that ends it.
            try? await Task.sleep(for: time)
            return Task.isCancelled ? .interrupted : .timeIsUp
          }
        }
        defer { group.cancelAll() }
        // Told to go on until Ctrl-C, it has done what it should.
        let end = try await group.next() ?? .interrupted
        return report.result(end == .interrupted && time != nil ? .interrupted : .success)
      }
    }
  }
}
