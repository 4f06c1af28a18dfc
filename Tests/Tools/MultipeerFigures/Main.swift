// What sessions of MultipeerConnectivity cost. Each of these prints one figure a line, and ends with status 1 where one of
// them misses its bound:
//   MultipeerFigures connects ENCRYPTION COUNT                    needs `serve`, on this host or another, as the next four do
//   MultipeerFigures throughput ENCRYPTION HOST PORT ROUNDS       in turns with an `echo-serve` there
//   MultipeerFigures messages ENCRYPTION COUNT
//   MultipeerFigures resource ENCRYPTION BYTES
//   MultipeerFigures mesh ENCRYPTION PEERS                        so many join the one that serves, which makes one more
//   MultipeerFigures streams COUNT                                within this process
//   MultipeerFigures sessions COUNT
// What they talk to:
//   MultipeerFigures serve ENCRYPTION                             until its input ends
//   MultipeerFigures echo-serve PORT plain|sealed                 an echo without a session
import Foundation
import MultipeerConnectivity

@main enum Main {
  static let frame = 32 * 1024
  /// Frames that are on their way at once.
  static let window = 32

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    func number(_ place: Int) -> Int { Int(arguments[place]) ?? 0 }
    let figures: [Figure]
    switch (arguments.first, arguments.count) {
    case ("serve", 2):
      let server = Server(preference(arguments[1]))
      server.advertiser.startAdvertisingPeer()
      while readLine() != nil {}
      figures = []
    case ("echo-serve", 3):
      try Echo.serve(port: number(1), isSealed: arguments[2] == "sealed")
      figures = []
    case ("connects", 3): figures = Driver.connects(number(2), preference(arguments[1]))
    case ("throughput", 5):
      let preference = preference(arguments[1])
      let echo = try Echo.Client(arguments[2], port: number(3), isSealed: preference != .none)
      figures = try drive(preference) { try $0.throughput(beside: echo, rounds: number(4)) }
    case ("messages", 3): figures = try drive(preference(arguments[1])) { try $0.inOrder(number(2)) }
    case ("resource", 3): figures = try drive(preference(arguments[1])) { try $0.resource(UInt64(number(2))) }
    case ("mesh", 3): figures = Local.mesh(number(2), preference(arguments[1]))
    case ("streams", 2): figures = try Local.streams(number(1))
    case ("sessions", 2): figures = try Local.sessions(number(1))
    default:
      print("usage: MultipeerFigures connects|throughput|messages|resource|mesh|streams|sessions|serve|echo-serve …")
      exit(64)
    }
    for figure in figures { print(figure.line) }
    exit(figures.contains(where: \.isMissed) ? 1 : 0)
  }

  private static func drive(
    _ preference: MCEncryptionPreference, _ measure: (Driver) throws -> [Figure]
  ) throws -> [Figure] {
    let driver = try Driver(preference)
    defer { driver.leave() }
    return try measure(driver)
  }

  private static func preference(_ name: String) -> MCEncryptionPreference { name == "none" ? .none : .required }
}
