import BumpKit

/// What the process says at its end. The numbers are a contract with scripts.
enum ExitStatus: Int32 {
  case success = 0
  case failure = 1
  /// Nobody found, or nobody with whom it came to a claim.
  case nobody = 3
  /// Declined by a person, here or there.
  case declined = 4
  /// No valid answer after the claim was released: it may have arrived.
  case unknown = 5
  case unauthenticated = 6
  /// The claim, or the offer of one, has expired.
  case expired = 7
  /// EX_USAGE of sysexits.h.
  case usage = 64
  /// 128 + SIGINT, as shells have it.
  case interrupted = 130
}

/// A failure with its message and exit status.
struct CommandError: Error {
  let status: ExitStatus
  /// One or two lines: what failed, and what to try next.
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// Any error: those of ours describe themselves in a sentence; what to try here is added.
  init(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as StoreError where error.code == .unusable:
      self.init(.failure, "\(error); name another with --store")
    case let error as StoreError where error.code == .ownClaim:
      self.init(.failure, "\(error) --store")
    case let error as TransportError where error.code == .cannotListen:
      self.init(.failure, "\(error); choose another with --port")
    default: self.init(.failure, "\(error)")
    }
  }
}
