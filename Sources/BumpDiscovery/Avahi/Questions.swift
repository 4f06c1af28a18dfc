import CAvahi
import NIOCore

/// A stack that can be asked about what was found. Avahi's two interfaces differ in the names of their functions.
protocol Askable: AvahiStack {
  /// Asks where an instance is and what its TXT record says. Avahi gives up after 5 s.
  static func resolve(
    _ instance: ServiceInstance, interface: AvahiIfIndex, _ conversation: StackConversation<Self, ResolvedService>)

  /// Asks for a host's addresses of one family. Replies with each record as it is heard of.
  static func query(
    _ type: AddressRecord.RecordType, of host: String, interface: AvahiIfIndex,
    _ conversation: StackConversation<Self, AddressRecord>)
}

extension StackSource where Stack: Askable {
  /// `Discovery.resolve`, on one interface or all.
  func resolve(_ instance: ServiceInstance, interface: AvahiIfIndex) async throws -> ResolvedService {
    let answers = AsyncThrowingStream<ResolvedService, any Error>(bufferingPolicy: .bufferingOldest(1)) {
      continuation in
      let conversation = continuation.conversation(on: self) { (service: ResolvedService) in service }
      continuation.onTermination = { _ in conversation.cancel() }
      Stack.resolve(instance, interface: interface, conversation)
    }
    for try await service in answers { return service }
    throw CancellationError()
  }

  /// `Discovery.addresses`, on one interface or all.
  func addresses(of service: ResolvedService, interface: AvahiIfIndex) -> AsyncThrowingStream<
    SocketAddress, any Error
  > {
    AsyncThrowingStream(bufferingPolicy: .bufferingOldest(2 * Flood.addresses)) { continuation in
      if let known = service.address { continuation.yield(known) }
      let queries = [AddressRecord.RecordType.a, .aaaa].map { type in
        var news = AddressNews(type, port: service.port, known: service.address)
        return (continuation.conversation(on: self) { news.address($0) }, type)
      }
      continuation.onTermination = { _ in for (query, _) in queries { query.cancel() } }
      for (query, type) in queries { Stack.query(type, of: service.host, interface: interface, query) }
    }
  }
}
