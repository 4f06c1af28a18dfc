import BumpClip
import BumpSharedCards
package import BumpTerminal

extension PhoneError: CommandErrorConvertible {
  package var commandError: CommandError { CommandError(.failure, reason, remedy: remedy) }
}

extension SharedCardError: CommandErrorConvertible {
  package var commandError: CommandError {
    CommandError(code == .notAuthentic ? .unauthenticated : .failure, reason, remedy: remedy)
  }
}
