import BumpKit
import BumpSystem
import BumpWire
import Glibc
import NIOCore

/// Connects to a sender, reads WELCOME, and disconnects: before the offer, and before a person is asked on either side.
/// The sender sees one connection that was closed.
struct PeerProbe: Sendable {
  enum Answer: Hashable, Sendable {
    case noSuchHost
    /// A TCP reset.
    case refused
    /// A firewall's ICMP rejection, from this address.
    case rejected(by: String)
    /// A firewall of this machine rejected or dropped the outgoing packets.
    case stoppedHere
    /// No machine on the link has the address.
    case nobody
    /// The kernel has no route; its error in words.
    case unreachable(String)
    case noAnswer
    /// The connection was accepted, but nothing was received in time.
    case silent
    case closed
    /// The received bytes are not bump's protocol.
    case stranger
    case gaveUp(AbortReason)
    case welcome(Mode)
  }

  let peer: Endpoint
  let transport: any Transport
  /// Finds out why a connection fails; `nil` for a transport without sockets.
  var knock: (@Sendable (SocketAddress) async -> ConnectProbe.Outcome)?

  init(
    peer: Endpoint, transport: any Transport, knock: (@Sendable (SocketAddress) async -> ConnectProbe.Outcome)? = nil
  ) {
    (self.peer, self.transport, self.knock) = (peer, transport, knock)
  }

  /// Makes a probe over TCP.
  init(peer: Endpoint, by interface: NetworkInterface?) {
    self.init(peer: peer, transport: TCPTransport(interface: interface)) { await ConnectProbe.run($0, by: interface) }
  }

  /// Runs the probe.
  ///
  /// - Parameters:
  ///   - connecting: how long to wait for a connection.
  ///   - talking: how long to wait for WELCOME.
  func run(connecting: Duration = .seconds(5), talking: Duration = .seconds(3)) async -> Answer {
    // A fifth of the time, so that enough is left for the probe.
    let result = await withTimeout(canKnock ? connecting / 5 : connecting) {
      () async -> Result<any Connection, TransportError> in
      do {
        return .success(try await transport.connect(to: peer))
      } catch {
        return .failure(error as? TransportError ?? TransportError(.cannotConnect, "\(error)"))
      }
    }
    if case .success(let connection)? = result {
      defer { connection.close() }
      return await withTimeout(talking) { await connection.greet() }.map(Answer.init) ?? .silent
    }
    if canKnock, !Task.isCancelled, case .address(let address) = peer, let knock,
      let answer = answer(to: await knock(address))
    {
      return answer
    }
    if case .failure(let error)? = result { return answer(to: error) }
    return .noAnswer
  }

  private var canKnock: Bool { if case .address = peer { knock != nil } else { false } }

  /// Returns the answer for a failed connection; `nil` if the port accepts connections.
  private func answer(to outcome: ConnectProbe.Outcome) -> Answer? {
    switch outcome {
    case .taken: nil
    case .reset: .refused
    case .rejected(let source): .rejected(by: source)
    case .stoppedHere: .stoppedHere
    case .nobody: .nobody
    case .unreachable(let reason): .unreachable(reason)
    case .noAnswer: .noAnswer
    }
  }

  private func answer(to error: TransportError) -> Answer {
    switch error.errorNumber {
    case ECONNREFUSED: return .refused
    case ETIMEDOUT: return .noAnswer
    case let number?: return .unreachable(words(errno: number))
    case nil:
      if case .host = peer { return .noSuchHost }
      return .noAnswer
    }
  }
}

extension PeerProbe.Answer {
  init(_ greeting: Greeting) {
    switch greeting {
    case .welcome(let mode): self = .welcome(mode)
    case .gaveUp(let reason): self = .gaveUp(reason)
    case .closed: self = .closed
    case .stranger: self = .stranger
    }
  }

  /// Whether a sender answered.
  var isSender: Bool {
    switch self {
    case .welcome, .gaveUp: true
    default: false
    }
  }
}
