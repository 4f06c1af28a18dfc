import BumpDiscovery
import Logging

/// What a sender works with, whatever it sends.
struct SendingEnd: Sendable {
  let discovery: (any Discovery)?
  let transport: any Transport
  let configuration: Sender.Configuration
  let clock: any Clock<Duration>
  /// By which a claim in flight is judged, and its expiry by the time of day.
  let clocks: @Sendable () -> ClockReading
  let random: RandomBytes
  let logger: Logger

  var unixTime: Int64 { clocks().unix }
}
