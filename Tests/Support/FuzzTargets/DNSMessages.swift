import BumpMDNS

/// Any bytes as a packet of multicast DNS: what is read is written and read as the same.
func fuzzDNSMessages(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  guard let message = try? Message(bytes) else { return }
  let written = message.bytes
  // A name that is compressed can be any number of bytes longer than what is written of it first.
  if written.count <= Message.maximumLength {
    check((try? Message(written)) == message, "a message that does not come back")
  }
  for record in message.answers + message.authorities + message.additionals {
    check(DomainName(record.name.description) == record.name, "a name that does not come back")
    check(record.name.labels.allSatisfy { (1...63).contains($0.count) }, "a label of another length")
  }
}
