import BumpClip
import BumpKit
import BumpSharedCards
import BumpVaultClient
import BumpWallet

/// The exit status of the process. The numbers are a contract with scripts.
enum ExitStatus: Int32 {
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

/// A failure with its message and exit status.
struct CommandError: Error {
  let status: ExitStatus
  /// What failed, in one line without a full stop.
  let reason: String
  /// What to try, as a sentence without a full stop.
  let remedy: String?

  init(_ status: ExitStatus, _ reason: String, remedy: String? = nil) {
    self.status = status
    self.reason = reason
    self.remedy = remedy
  }

  /// Wraps any error. Adds an option or command as the remedy if a library's error has none.
  init(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as StoreError:
      self.init(
        .failure, error.reason,
        remedy: error.code == .unusable ? error.remedy ?? "Name another with --store" : error.remedy)
    case let error as TransportError:
      self.init(
        .failure, error.reason, remedy: error.code == .cannotListen ? "Choose another with --port" : error.remedy)
    case let error as DocumentError: self.init(.failure, error.reason, remedy: error.remedy)
    case let error as SharedCardError:
      self.init(error.code == .notAuthentic ? .unauthenticated : .failure, error.reason, remedy: error.remedy)
    case let error as VaultFailure: self.init(error)
    case let error as PhoneError: self.init(.failure, error.reason, remedy: error.remedy)
    case let error as WalletError: self.init(.failure, error.reason, remedy: Self.remedy(for: error))
    default: self.init(.failure, "\(error)")
    }
  }

  private static func remedy(for error: WalletError) -> String? {
    switch error.code {
    case .missingFile: "Make one with `bump wallet new`, or name another with --wallet"
    case .existingFile: "`bump wallet show` shows its address. To make another, name it with --wallet"
    default: error.remedy
    }
  }

  /// The reason, and the remedy as a separate sentence.
  var message: String { remedy.map { "\(reason). \($0)" } ?? reason }
}
