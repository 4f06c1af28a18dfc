import BumpNet
import BumpSession

extension TransportError: CommandErrorConvertible {
  package var commandError: CommandError {
    CommandError(.failure, reason, remedy: code == .cannotListen ? "Choose another with --port" : remedy)
  }
}

extension DocumentError: CommandErrorConvertible {
  package var commandError: CommandError { CommandError(.failure, reason, remedy: remedy) }
}
