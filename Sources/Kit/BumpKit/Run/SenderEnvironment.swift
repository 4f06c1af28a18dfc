import BumpDiscovery
import Logging

/// The parts of a sender that do not depend on what it sends.
struct SenderEnvironment: Sendable {
  let discovery: (any Discovery)?
  let transport: any Transport
  var configuration: Sender.Configuration
  let clock: any Clock<Duration>
  /// Reads the clocks by which the time limit of a claim in flight, and the expiry of a claim, are judged.
  let clocks: @Sendable () -> ClockReading
  let random: RandomBytes
  let logger: Logger

  var unixTime: Int64 { clocks().unix }

  /// Returns the same end, for receivers that have this credential.
  func accepting(_ credential: Credential) -> SenderEnvironment {
    var end = self
    end.configuration.credential = credential
    return end
  }
}
