public import BumpClaims
public import BumpWire

extension Sender {
  /// Who gets what is sent. There is no default: without a choice, the quickest receiver on the network would get it.
  public enum Recipient: Sendable {
    /// Asks the person here about a receiver that accepted. The person has 60 s.
    ///
    /// The question is cancelled if the receiver goes away, and the next one may appear just as the person answers. So
    /// accept no answer during the first two seconds, and let the person type the digits: a yes to one receiver must not
    /// become a yes to another.
    public typealias Approval = @Sendable (Question) async -> Bool

    /// A receiver that the person here approves: the digits on both screens are the same.
    case approved(by: Approval)
    /// A receiver that knows the code, whom the person here approves too if there is a closure.
    case code(OneTimeCode, approve: Approval? = nil)
    /// A receiver that holds the key, whom the person here approves too if there is a closure.
    case key(SharedKey, approve: Approval? = nil)
    /// The first receiver that accepts, whoever it is: nothing keeps a stranger on the network from being quicker.
    case anyone

    var credential: Credential {
      switch self {
      case .approved, .anyone: .none
      case .code(let code, _): .code(code)
      case .key(let key, _): .key(key)
      }
    }

    var approval: Approval? {
      switch self {
      case .approved(let approve): approve
      case .code(_, let approve), .key(_, let approve): approve
      case .anyone: nil
      }
    }
  }
}
