import BumpClaims
import BumpTerminal
import Glibc

extension Environment {
  /// The variables that replace options.
  static let variables = [
    "BUMP_NAME", "BUMP_STORE", "BUMP_KEY_FILE", "BUMP_CODE", "BUMP_WALLET", "BUMP_VAULT", "BUMP_CONTRACTS",
  ]

  static var defaultStore: String { dataFolder + "/bump.sqlite" }

  static var defaultWallet: String { dataFolder + "/wallet.key" }

  static var defaultContracts: String { dataFolder + "/contracts.json" }

  /// The login name as a display name; `somebody` if it is not a valid one.
  static var loginName: DisplayName {
    let login = getpwuid(getuid()).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? "somebody"
    guard let name = try? DisplayName(own: login) else { return .somebody }
    return name
  }
}
