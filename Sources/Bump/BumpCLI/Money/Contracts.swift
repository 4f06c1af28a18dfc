import BumpSystem
import BumpTerminal
import BumpText
import BumpVaultAPI
import BumpWallet
import Glibc

/// The contracts of public chains that the user has named, in the file of BUMP_CONTRACTS or beside the default wallet.
enum Contracts {
  /// Reads the file. Without one at the default place, no contract is named.
  ///
  /// - Throws: `CommandError` if the file is not valid, or if others could have written it.
  static func read() throws -> [KnownContract] {
    let named = Environment.value("BUMP_CONTRACTS")
    let path = named ?? Environment.defaultContracts
    let bytes: [UInt8]
    do {
      bytes = try PrivateFile.read(try PrivatePath.resolved(path) ?? path, limit: 64 * 1024, isWhole: true)
    } catch PrivateFile.Failure.cannotOpen(ENOENT) where named == nil {
      return []
    } catch let error as PrivateFile.Failure {
      throw CommandError(
        .failure, "the contracts \(path) \(error.refusal)",
        remedy: error.remedy(for: path).map { "Try: \(ShellCommand.text($0))" })
    } catch let error as PrivatePath.Failure {
      throw CommandError(
        .failure, "the contracts \(path) are not used: \(error.reason)", remedy: error.remedy(ShellCommand.text))
    }
    do {
      return try ContractsFile.contracts(bytes)
    } catch {
      throw CommandError(.failure, "the contracts \(path) are not valid: \(error.reason)", remedy: error.remedy)
    }
  }
}
