import ArgumentParser
import BumpDiscovery
import BumpDoctor
import BumpKit

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Say why two machines may not find each other, and what mends it.",
    usage: "bump doctor [<options>]",
    discussion: """
      Run it on both, while one of them sends. It looks at the network interfaces, the firewall, avahi-daemon and what \
      it needs, and the clock; it publishes a service by each interface to see it found again, listens who else speaks \
      multicast DNS, and tries each sender in sight as far as its first answer, which costs that nothing. A finding that \
      keeps two machines apart is a PROBLEM, and the exit status 1; what is only worth knowing is a note. One cause is \
      one finding. Some of it is readable to root only; what cannot be read is tried instead.
      """)

  @Option(
    help: ArgumentHelp(
      "Try the way to a sender that waits there, as far as its first answer. No offer is seen and nothing accepted.",
      valueName: "host:port"),
    transform: Arguments.peer)
  var peer: Endpoint?

  @Option(help: "The TCP port that a sender here would use.", transform: Arguments.fixedPort)
  var port: UInt16?

  @Option(help: "The DNS-SD service name, without underscore (default: irl-bump).", transform: Arguments.serviceType)
  var serviceType = ServiceType.irlBump

  @Option(help: "How the two are to find each other.")
  var discovery = BumpOptions.Backend.auto

  @Option(
    help: ArgumentHelp("Look at this network interface only.", valueName: "if"), completion: Completions.interfaces,
    transform: Arguments.interface)
  var interface: NetworkInterface?

  @Flag(help: "Write one JSON object a line to stdout, and nothing else.")
  var json = false

  @Flag(help: "Say only what is a problem.")
  var quiet = false

  func run() async throws {
    let report = DoctorReport(console: Console(quiet: quiet), json: JSONLines(json), isQuiet: quiet)
    let doctor = Doctor(examination)
    let result = try await Interrupt.cancels { () -> ExitStatus in
      await doctor.run { if !Task.isCancelled { report.tell($0) } }
      return Task.isCancelled ? report.interrupted() : report.result()
    }
    try Console.checkResult()
    throw ExitCode(result.rawValue)
  }

  private var examination: Doctor.Configuration {
    var examination = Doctor.Configuration(discovery: nil)
    if discovery != .none { examination.discovery = { [discovery] in await discovery.discovery(on: $0) } }
    examination.needsDaemon = discovery == .daemon
    examination.interface = interface
    examination.port = port
    examination.serviceType = serviceType
    examination.peer = peer
    return examination
  }
}
