@testable import BumpMDNS

extension DomainName {
  /// A name that is known to be one.
  static func of(_ text: String) -> DomainName {
    guard let name = DomainName(text) else { preconditionFailure("\(text) is no name") }
    return name
  }
}

enum Names {
  static let type = DomainName.of("_irl-bump._tcp.local")
  static let alice = DomainName.of("alice._irl-bump._tcp.local")
  static let host = DomainName.of("bump-0.local")
}

extension Service {
  /// `alice`, or another, on a host of a known name.
  static func named(_ instance: String = "alice", host: String? = "bump-0.local", port: UInt16 = 4242) -> Service {
    Service(
      instance: instance, type: Names.type, port: port, txt: Array("\u{3}v=1".utf8), host: host.map(DomainName.of))
  }
}
