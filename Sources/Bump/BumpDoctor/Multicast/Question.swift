import BumpDiscovery

/// Encodes questions of multicast DNS (RFC 1035 §4.1, RFC 6762 §18), and searches packets without parsing them.
enum Question {
  /// Returns the labels of a random name.
  static func unknown() -> [String] { [randomName(), "_bump-doctor", "_tcp", "local"] }

  /// The name that lists the service types (RFC 6763 §9), for which most responders answer.
  static let everything = ["_services", "_dns-sd", "_udp", "local"]

  static func labels(of type: ServiceType) -> [String] { ["_\(type.name)", "_tcp", "local"] }

  /// Returns a question for the PTR records of these names.
  static func query(for names: [String]...) -> [UInt8] {
    let header: [UInt8] = [0, 0, 0, 0, 0, UInt8(names.count), 0, 0, 0, 0, 0, 0]
    let (pointer, internet): ([UInt8], [UInt8]) = ([0, 12], [0, 1])
    return header + names.flatMap { encoded($0) + [0] + pointer + internet }
  }

  /// Returns whether a packet is a response with answers.
  static func isAnswered(_ packet: [UInt8]) -> Bool {
    packet.count > 12 && packet[2] & 0x80 != 0 && (packet[6] != 0 || packet[7] != 0)
  }

  /// Returns whether a packet contains a service type: the first occurrence of a name is not compressed (RFC 1035
  /// §4.1.4).
  static func mentions(_ type: ServiceType, _ packet: [UInt8]) -> Bool {
    contains(packet, encoded(labels(of: type).dropLast()))
  }

  /// Returns whether a packet contains an instance name.
  static func mentions(instance name: String, _ packet: [UInt8]) -> Bool { contains(packet, encoded([name])) }

  private static func encoded(_ labels: some Sequence<String>) -> [UInt8] {
    labels.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + Array($0.utf8) }
  }

  private static func contains(_ packet: [UInt8], _ bytes: [UInt8]) -> Bool {
    guard packet.count >= bytes.count else { return false }
    return (0...packet.count - bytes.count).contains { packet[$0..<$0 + bytes.count].elementsEqual(bytes) }
  }
}
