import BumpDiscovery
import CAvahi
import NIOCore

/// An Avahi stack with resolvers and record queries.
protocol ResolvingStack: AvahiStack {
  /// Resolves an instance. Avahi times out after 5 s.
  static func resolve(
    _ instance: ServiceInstance, interface: AvahiIfIndex, _ conversation: StackConversation<Self, ResolvedService>)

  /// Queries a host's addresses of one family. Replies with each record that is received.
  static func query(
    _ type: AddressRecord.RecordType, of host: String, interface: AvahiIfIndex,
    _ conversation: StackConversation<Self, AddressRecord>)
}

extension StackSource where Stack: ResolvingStack {
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
    AsyncThrowingStream(bufferingPolicy: .bufferingOldest(2 * FloodLimits.addresses)) { continuation in
      if let known = service.address { continuation.yield(known) }
      let queries = [AddressRecord.RecordType.a, .aaaa].map { type in
        var news = NewAddresses(type, port: service.port, known: service.address)
        return (continuation.conversation(on: self) { news.address($0) }, type)
      }
      continuation.onTermination = { _ in for (query, _) in queries { query.cancel() } }
      for (query, type) in queries { Stack.query(type, of: service.host, interface: interface, query) }
    }
  }
}
