import BumpText
import BumpVaultAPI
public import BumpWallet

/// The contract `ClaimVault` as it is compiled in this package: the folder Contract. No other code names
/// `PackageResources`, which SwiftPM generates.
public enum ClaimVaultContract {
  /// The code that a transaction without a receiver makes the contract with.
  public static let creationCode = code("bytecode")
  /// The Keccak-256 of the code that the contract then has.
  public static let codeHash = Keccak256.hash(code("deployedBytecode"))

  private static func code(_ name: String) -> [UInt8] {
    // Its ABI is nested deeper than the vault's own messages.
    let limits = JSONParser.Limits(count: 1 << 20, depth: 16)
    guard
      case .object(let members)? = try? JSONParser.parse(PackageResources.ClaimVault_json, within: limits),
      case .string(let text)? = members.first(where: { $0.name == name })?.value,
      let code = Hex.decode(prefixed: text), !code.isEmpty
    else { preconditionFailure("the package has its contract's code") }
    return code
  }
}
