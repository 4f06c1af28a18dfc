@testable import BumpWire

/// CLAIM with any payload and the mac that is right for it.
func made(_ payload: [UInt8], in channel: SecureChannel) -> Message {
  .claim(mac: channel.claimMAC(over: payload), payload: payload)
}
