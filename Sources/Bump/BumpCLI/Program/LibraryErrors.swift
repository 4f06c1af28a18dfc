import BumpKit
package import BumpTerminal
import BumpVaultClient
import BumpWallet

extension StoreError: CommandErrorConvertible {
  package var commandError: CommandError {
    CommandError(.failure, reason, remedy: code == .unusable ? remedy ?? "Name another with --store" : remedy)
  }
}

extension VaultFailure: CommandErrorConvertible {
  package var commandError: CommandError { CommandError(self) }
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
