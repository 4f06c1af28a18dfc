import BumpDiscovery
import CAvahi
import Dispatch

/// One conversation with the daemon through dns_sd.h: owns its `DNSServiceRef`.
///
/// Sendable because everything but `start` and `cancel` runs on its queue. The calls of dns_sd.h block on D-Bus, and so
/// must not run on Swift's cooperative threads.
final class ServiceRef<Reply>: @unchecked Sendable {
  /// Makes a call of dns_sd.h, with `context` as its context.
  typealias Call =
    @Sendable (_ ref: inout DNSServiceRef?, _ context: UnsafeMutableRawPointer) -> DNSServiceErrorType

  private let queue = DispatchQueue(label: "dns-sd")
  private var receiver: ((Result<Reply, DiscoveryError>) -> Void)?
  private var source: (any DispatchSourceRead)?

  /// - Parameter receiver: receives the replies, on the queue. A failure is the last one.
  init(_ receiver: sending @escaping (Result<Reply, DiscoveryError>) -> Void) {
    self.receiver = receiver
  }

  /// Returns the conversation in a callback's context.
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
      // Deallocating closes the descriptor and frees the callbacks' memory. Only in the cancel handler is the
      // descriptor not watched any more and no callback running.
      source.setCancelHandler {
        DNSServiceRefDeallocate(ref)
        context.release()
      }
      source.activate()
      self.source = source
    }
  }

  /// Ends the conversation. May be called at any time, from any thread, more than once.
  func cancel() {
    queue.async { [self] in end() }
  }

  /// Passes on a reply. Only for callbacks, which run on the queue.
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
