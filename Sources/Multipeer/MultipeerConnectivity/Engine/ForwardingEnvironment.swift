package import BumpDiscovery
package import BumpMultipeer

/// An environment that changes or watches the connections of the real one, and forwards everything else to it.
package protocol ForwardingEnvironment: PeerEnvironment {
  /// The real environment.
  var base: NetworkEnvironment { get }
}

extension ForwardingEnvironment {
  package var now: Moment { base.now }
  package var networks: LocalNetworks { base.networks }
  package var discovery: any Discovery { get async { await base.discovery } }

  @discardableResult
  package func schedule(at due: Moment, for peer: PeerID, _ body: @escaping @Sendable () -> Void) -> any Scheduling {
    base.schedule(at: due, for: peer, body)
  }
}

/// A connection that changes or watches what passes over another one, and forwards everything else to that.
package protocol ForwardingConnection: PeerConnection {
  /// The connection that everything is forwarded to.
  var base: any PeerConnection { get }
}

extension ForwardingConnection {
  package var route: Route? { base.route }
  package var hasRoom: Bool { base.hasRoom }
  package func execute(_ body: @escaping @Sendable () -> Void) { base.execute(body) }
  @discardableResult
  package func schedule(in delay: Duration, _ body: @escaping @Sendable () -> Void) -> any Scheduling {
    base.schedule(in: delay, body)
  }
  package func send(_ bytes: [UInt8]) { base.send(bytes) }
  package func close() { base.close() }
  package func pause() { base.pause() }
  package func resume() { base.resume() }
}
