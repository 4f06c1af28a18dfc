import BumpDiscovery
import Logging

/// What a sender works with, whatever it sends.
struct SendingEnd: Sendable {
  let discovery: (any Discovery)?
  let transport: any Transport
  let configuration: Sender.Configuration
  let clock: any Clock<Duration>
  let unixTime: @Sendable () -> Int64
  let random: RandomBytes
  let logger: Logger
}
