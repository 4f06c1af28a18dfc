/// The exit status of the process. The numbers are a contract with scripts.
package enum ExitStatus: Int32 {
  case success = 0
  case failure = 1
  /// Nobody was found, or no transfer succeeded.
  case nobody = 3
  /// A person declined, here or at the other end.
  case declined = 4
  /// No valid answer was received after the claim was released: it may have arrived.
  case unknown = 5
  case unauthenticated = 6
  /// The claim, or the offer of one, has expired.
  case expired = 7
  /// The claim was paid to this receiver before, and nothing was paid now.
  case alreadyPaid = 8
  /// EX_USAGE of sysexits.h.
  case usage = 64
  /// 128 + SIGINT, as in shells.
  case interrupted = 130
}

/// An error of a library that a program reports in its own way, as with the option or command that helps.
package protocol CommandErrorConvertible: Error {
  var commandError: CommandError { get }
}

/// A failure with its message and exit status.
package struct CommandError: Error {
  package let status: ExitStatus
  /// What failed, in one line without a full stop.
  package let reason: String
  /// What to try, as a sentence without a full stop.
  package let remedy: String?

  package init(_ status: ExitStatus, _ reason: String, remedy: String? = nil) {
    self.status = status
    self.reason = reason
    self.remedy = remedy
  }

  /// Wraps any error.
  package init(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as any CommandErrorConvertible: self = error.commandError
    default: self.init(.failure, "\(error)")
    }
  }

  /// The reason, and the remedy as a separate sentence.
  package var message: String { remedy.map { "\(reason). \($0)" } ?? reason }
}
