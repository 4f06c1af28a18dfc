import BumpKit
import BumpWire
import Glibc

/// Goes to a sender whose address is known, as far as its offer, and leaves: nothing is accepted, and no person is asked
/// there or here. For a sender in mode open it is one receiver that went away, and one of its eight handshakes. Of one
/// in mode code or key it takes no more than WELCOME: no guess at a code is spent.
struct PeerProbe: Sendable {
  enum Answer: Hashable, Sendable {
    case noSuchHost
    case refused
    /// The kernel knows no way, in words.
    case unreachable(String)
    case noAnswer
    /// Connected, and heard nothing in time.
    case silent
    case closed
    /// What came is not the protocol's.
    case stranger
    case gaveUp(AbortReason)
    /// A sender with whom something must be known first.
    case welcome(Mode)
    case offer(Offer)
  }

  let peer: Endpoint
  let transport: any Transport

  /// - Parameters:
  ///   - connecting: how long a connection is waited for.
  ///   - talking: how long the sender's words are waited for.
  func run(connecting: Duration = .seconds(5), talking: Duration = .seconds(3)) async -> Answer {
    let result = await within(connecting) { () async -> Result<any Connection, TransportError> in
      do {
        return .success(try await transport.connect(to: peer))
      } catch {
        return .failure(error as? TransportError ?? TransportError(.cannotConnect, "\(error)"))
      }
    }
    switch result {
    case nil: return .noAnswer
    case .failure(let error): return answer(to: error)
    case .success(let connection):
      defer { connection.close() }
      return await within(talking) { await PeerTalk().run(on: connection) } ?? .silent
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
