import CAvahi
import Dispatch

/// One conversation with the daemon: the only owner of its `DNSServiceRef`.
///
/// Everything but `start` and `cancel` runs on the queue, which is what makes it Sendable. The calls of dns_sd.h wait
/// for D-Bus, so they run there too: the queue's thread is none of Swift's cooperative ones.
final class ServiceRef<Reply>: @unchecked Sendable {
  /// Makes a call of dns_sd.h, with `context` as its context.
  typealias Call =
    @Sendable (_ ref: inout DNSServiceRef?, _ context: UnsafeMutableRawPointer) -> DNSServiceErrorType

  private let queue = DispatchQueue(label: "dns-sd")
  private var receiver: ((Result<Reply, DiscoveryError>) -> Void)?
  private var source: (any DispatchSourceRead)?

  /// - Parameter receiver: takes the replies on the queue. A failure is the last.
  init(_ receiver: sending @escaping (Result<Reply, DiscoveryError>) -> Void) {
    self.receiver = receiver
  }

  /// The object behind a callback's context.
  static func from(_ context: UnsafeMutableRawPointer?) -> ServiceRef? {
    context.map { Unmanaged<ServiceRef>.fromOpaque($0).takeUnretainedValue() }
  }

  func start(_ call: @escaping Call) {
    queue.async { [self] in
      guard receiver != nil else { return }
      var ref: DNSServiceRef?
      let context = Unmanaged.passRetained(self)
      let error = call(&ref, context.toOpaque())
      guard error == kDNSServiceErr_NoError, let ref else {
        receive(.failure(DiscoveryError(daemonCode: error)))
        return context.release()
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: DNSServiceRefSockFD(ref), queue: queue)
      source.setEventHandler { [unowned self] in
        let error = DNSServiceProcessResult(ref)
        if error != kDNSServiceErr_NoError { receive(.failure(DiscoveryError(daemonCode: error))) }
      }
      // Deallocating closes the descriptor and frees what callbacks are given: only here is the one watched no more
      // and none of the others under way.
      source.setCancelHandler {
        DNSServiceRefDeallocate(ref)
        context.release()
      }
      source.activate()
      self.source = source
    }
  }

  /// Ends the conversation. May be called at any time, from anywhere, more than once.
  func cancel() {
    queue.async { [self] in end() }
  }

  /// Takes what a callback said. Only for callbacks, which run on the queue.
  func receive(_ reply: Result<Reply, DiscoveryError>) {
    receiver?(reply)
    if case .failure = reply { end() }
  }

  private func end() {
    receiver = nil
    source?.cancel()
    source = nil
  }
}
