import BumpClaims
import BumpKit
package import BumpTerminal
import BumpVaultAPI
import BumpVaultClient

extension FundingError: CommandErrorConvertible {
  package var commandError: CommandError {
    switch code {
    case .vault: failure.flatMap { failure in vault.map { CommandError(failure, at: $0) } } ?? own
    default: own
    }
  }

  private var own: CommandError { CommandError(status, reason, remedy: commands) }

  private var status: ExitStatus {
    switch code {
    case .expiresTooSoon, .lockedExpiresTooSoon, .expired: .expired
    case .perhapsLocked, .depositOpen, .depositUnknown, .perhapsRefunded, .perhapsPaid, .submitted: .unknown
    default: .failure
    }
  }

  /// The remedy with the command or option that helps.
  private var commands: String? {
    if code == .notLocked, let failure, let vault { return CommandError(failure, at: vault).remedy }
    guard let remedy else { return nil }
    let (url, id) = (vault.map { "\($0)" } ?? "URL", claim.map { "\($0)" } ?? "ID")
    let sum = amount.map { SendCommand.sum($0, token) } ?? "AMOUNT"
    let trust = "bump wallet trust \(url)"
    return switch code {
    case .expiresTooSoon where claim == nil: "Give it more time, such as --expires 1h"
    case .expiresTooSoon: "Make another: bump send \(sum) --vault \(url)"
    case .lockedExpiresTooSoon: "Then get its money back: bump refund \(id)"
    case .otherProcess, .settled, .takenBack: "See: bump show \(id)"
    case .idTaken: "Make another claim: bump send \(sum) --vault \(url)"
    case .nothingLocked: "Lock its money with: bump send --again \(id)"
    case .noReceipt: "Try again with: bump send --again \(id)"
    case .perhapsLocked where amount != nil:
      "Make another claim: `bump send \(sum) --vault \(url)`. If this one's money was locked, get it back "
        + (time.map { "after \(UTCTime.text($0))" } ?? "later") + " with: bump refund \(id)"
    case .perhapsLocked:
      (time.map { "The vault may lock them until \(UTCTime.text($0)). " } ?? "")
        + "Ask it again with: bump send --again \(id)"
    case .depositOpen:
      (time.map { "The vault may lock it until \(UTCTime.text($0)). " } ?? "") + "Then: bump refund \(id)"
    case .handedOver: "To take its money back all the same: bump refund \(id) --yes"
    case .inFlight: "Try again then: bump refund \(id)"
    case .perhapsRefunded: "Nothing is paid twice. Try again with: bump refund \(id)"
    case .perhapsPaid: "Nothing is paid twice. Try again with: bump claim \(id)"
    case .secondReceipt:
      "Show both to the vault's operator. The first receipt is kept: bump show --json \(id)"
    case .unknownVault: "Confirm it with: \(trust)"
    case .damagedVault: "Confirm it again with: \(trust)"
    case .unnamedContract: "Name the contract in your file of contracts (BUMP_CONTRACTS)"
    case .noContract: "Leave out --direct"
    case .otherVault: "Leave out --moved-from"
    case .vaultElsewhere:
      "Use it there. If it has moved, confirm that with: \(trust) --moved-from \(other ?? "URL")"
    default: remedy
    }
  }
}
