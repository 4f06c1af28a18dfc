import ArgumentParser
import BumpDiscovery
import BumpDoctor
import BumpKit
import BumpTerminal

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Say why two machines do not find each other, and what to do about it.",
    usage: "bump doctor [<options>]",
    discussion: """
      Run it on both machines, while one of them sends. It looks at the network interfaces, the firewall, avahi-daemon \
      and what that needs, and the clock. It publishes a service on each interface and looks whether it is found, and \
      listens for others that speak multicast DNS. It connects to each sender in sight, up to the sender's first answer, \
      which costs the sender nothing. A finding that keeps two machines apart is a PROBLEM, and makes the exit status 1. \
      Any other is a note. Some facts only root can read: without root, bump tests their effect instead.
      """)

  @Option(
    help: ArgumentHelp(
      "Try to connect to the sender at this address. No offer is shown, and nothing is accepted.",
      valueName: "host:port"),
    transform: Arguments.peer)
  var peer: Endpoint?

  @Option(
    parsing: .unconditional, help: "The TCP port that a sender here would use.", transform: Arguments.fixedPort)
  var port: UInt16?

  @OptionGroup var discovery: DiscoveryOptions

  @Flag(help: "Write one JSON object a line to stdout, and nothing else.")
  var json = false

  @Flag(help: "Print only problems.")
  var quiet = false

  func run() async throws {
    let report = DoctorReport(console: Console(quiet: quiet), json: JSONLines(json), isQuiet: quiet)
    let doctor = Doctor(examination)
    let result = try await Interrupt.cancels { () -> ExitStatus in
      await doctor.run { if !Task.isCancelled { report.tell($0) } }
      return Task.isCancelled ? report.interrupted() : report.result()
    }
    try Console.checkList()
    throw ExitCode(result.rawValue)
  }

  private var examination: Doctor.Configuration {
    var examination = Doctor.Configuration(discovery: nil)
    let backend = discovery.backend
    if backend != .none { examination.discovery = { await backend.discovery(on: $0) } }
    examination.needsDaemon = backend == .daemon
    examination.interface = discovery.interface
    examination.port = port
    examination.serviceType = discovery.serviceType
    examination.peer = peer
    return examination
  }
}
