import BumpDiscovery
import NIOCore

// What the backends share.

/// Limits on what hosts announce, for a slow reader.
enum FloodLimits {
  /// Events that wait to be read; the oldest are dropped. Avahi's cache holds about as many instances.
  static let events = 4096
  /// Addresses of a host in one family. A host has a handful; more are forged.
  static let addresses = 32
}

/// Removes duplicates from the addresses of a host.
struct NewAddresses {
  private let type: AddressRecord.RecordType
  private let port: UInt16
  private var told: Set<SocketAddress> = []

  /// - Parameter known: an address that has been reported already.
  init(_ type: AddressRecord.RecordType, port: UInt16, known: SocketAddress?) {
    self.type = type
    self.port = port
    if let known { told = [known] }
  }

  mutating func address(_ record: AddressRecord) -> SocketAddress? {
    guard told.count < FloodLimits.addresses, let address = record.address(type, port: port) else { return nil }
    return told.insert(address).inserted ? address : nil
  }
}

extension Advertisement {
  /// Whether the name is a valid instance name (RFC 6763 §4.1.1).
  var hasPossibleName: Bool {
    (1...63).contains(name.utf8.count) && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}

extension DiscoveryError {
  static let badInstanceName = DiscoveryError(.failed, "a service name is 1 to 63 bytes without control characters")
  static let doesNotAnswer = DiscoveryError(.failed, "the service is listed but does not answer")
}

extension AsyncThrowingStream.Continuation where Element: Sendable, Failure == any Error {
  /// Returns a receiver that yields the element that `news` returns for each reply, and finishes the stream with a
  /// failure.
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
