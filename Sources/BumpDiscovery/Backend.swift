import NIOCore

// What the backends share.

/// How much of what strangers announce is kept for a slow reader.
enum Flood {
  /// A stranger can forge any number of instances. Avahi's cache holds about as many; the newest may be alive.
  static let events = 4096
  /// Addresses of one family. A host has a handful; who has more is forging them.
  static let addresses = 32
}

/// Tells each address once.
struct AddressNews {
  private let type: AddressRecord.RecordType
  private let port: UInt16
  private var told: Set<SocketAddress> = []

  /// - Parameter known: what has been told of.
  init(_ type: AddressRecord.RecordType, port: UInt16, known: SocketAddress?) {
    self.type = type
    self.port = port
    if let known { told = [known] }
  }

  mutating func address(_ record: AddressRecord) -> SocketAddress? {
    guard told.count < Flood.addresses, let address = record.address(type, port: port) else { return nil }
    return told.insert(address).inserted ? address : nil
  }
}

extension Advertisement {
  /// Whether it has an instance name by RFC 6763 §4.1.1. A NUL among the control characters would end a C string.
  var hasPossibleName: Bool {
    (1...63).contains(name.utf8.count) && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}

extension DiscoveryError {
  static let badInstanceName = DiscoveryError(.failed, "a service name is 1 to 63 bytes without control characters")
  static let doesNotAnswer = DiscoveryError(.failed, "the service is listed but does not answer")
}

extension AsyncThrowingStream.Continuation where Element: Sendable, Failure == any Error {
  /// What takes replies and yields them, as far as they are news. A failure is the end of the stream.
  func receiver<Reply>(
    news: sending @escaping (Reply) -> Element?
  ) -> sending (Result<Reply, DiscoveryError>) -> Void {
    { reply in
      switch reply {
      case .success(let reply): if let element = news(reply) { yield(element) }
      case .failure(let error): finish(throwing: error)
      }
    }
  }
}
