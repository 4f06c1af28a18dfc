import BumpClip
import BumpKit
import BumpSharedCards
import BumpTerminal
import BumpVaultClient
import BumpWallet

extension StoreError: CommandErrorConvertible {
  package var commandError: CommandError {
    CommandError(.failure, reason, remedy: code == .unusable ? remedy ?? "Name another with --store" : remedy)
  }
}

extension TransportError: CommandErrorConvertible {
  package var commandError: CommandError {
    CommandError(.failure, reason, remedy: code == .cannotListen ? "Choose another with --port" : remedy)
  }
}

extension DocumentError: CommandErrorConvertible {
  package var commandError: CommandError { CommandError(.failure, reason, remedy: remedy) }
}

extension SharedCardError: CommandErrorConvertible {
  package var commandError: CommandError {
    CommandError(code == .notAuthentic ? .unauthenticated : .failure, reason, remedy: remedy)
  }
}

extension VaultFailure: CommandErrorConvertible {
  package var commandError: CommandError { CommandError(self) }
}

extension PhoneError: CommandErrorConvertible {
  package var commandError: CommandError { CommandError(.failure, reason, remedy: remedy) }
}

extension WalletError: CommandErrorConvertible {
  package var commandError: CommandError {
    let other =
      switch code {
      case .missingFile: "Make one with `bump wallet new`, or name another with --wallet"
      case .existingFile: "`bump wallet show` shows its address. To make another, name it with --wallet"
      default: remedy
      }
    return CommandError(.failure, reason, remedy: other)
  }
}
