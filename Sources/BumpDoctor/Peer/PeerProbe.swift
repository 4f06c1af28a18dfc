import BumpKit
import BumpWire
import Glibc
import NIOCore

/// Goes to a sender whose address is known, as far as WELCOME, and leaves: no offer is seen, nothing is accepted, and no
/// person is asked there or here. For the sender it is one connection that went away.
struct PeerProbe: Sendable {
  enum Answer: Hashable, Sendable {
    case noSuchHost
    /// By a TCP reset.
    case refused
    /// A firewall said no by ICMP, in the name of the address.
    case rejected(by: String)
    /// A firewall of this machine said no, or dropped what was to go out.
    case stoppedHere
    /// No machine on the link has the address.
    case nobody
    /// The kernel knows no way, in words.
    case unreachable(String)
    case noAnswer
    /// Connected, and heard nothing in time.
    case silent
    case closed
    /// What came is not the protocol's.
    case stranger
    case gaveUp(AbortReason)
    case welcome(Mode)
  }

  let peer: Endpoint
  let transport: any Transport
  /// Finds out why an address cannot be connected to; `nil` where that is no matter of sockets.
  var knock: (@Sendable (SocketAddress) async -> Knock.Outcome)?

  init(peer: Endpoint, transport: any Transport, knock: (@Sendable (SocketAddress) async -> Knock.Outcome)? = nil) {
    (self.peer, self.transport, self.knock) = (peer, transport, knock)
  }

  /// Over TCP.
  init(peer: Endpoint, by interface: NetworkInterface?) {
    self.init(peer: peer, transport: TCPTransport(interface: interface)) { await Knock.run($0, by: interface) }
  }

  /// - Parameters:
  ///   - connecting: how long a connection is waited for.
  ///   - talking: how long the sender's words are waited for.
  func run(connecting: Duration = .seconds(5), talking: Duration = .seconds(3)) async -> Answer {
    // A knock takes its time too.
    let result = await within(canKnock ? connecting / 5 : connecting) {
      () async -> Result<any Connection, TransportError> in
      do {
        return .success(try await transport.connect(to: peer))
      } catch {
        return .failure(error as? TransportError ?? TransportError(.cannotConnect, "\(error)"))
      }
    }
    if case .success(let connection)? = result {
      defer { connection.close() }
      return await within(talking) { await PeerTalk().run(on: connection) } ?? .silent
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

  /// `nil` where somebody listens after all.
  private func answer(to outcome: Knock.Outcome) -> Answer? {
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
  /// Whether a sender spoke.
  var isSender: Bool {
    switch self {
    case .welcome, .gaveUp: true
    default: false
    }
  }
}
