public import BumpVaultAPI
import Synchronization

/// The URL at which a vault is to be found, by its operator's configuration: never by what a request says. It may be
/// known only once the server listens, since the system may choose the port.
public final class VaultOrigin: Sendable {
  private let value: Mutex<VaultURL?>

  /// - Parameter url: the URL; `nil` if it is not known yet.
  public init(_ url: VaultURL? = nil) {
    value = Mutex(url)
  }

  /// The URL; `nil` if it is not known yet.
  public var url: VaultURL? { value.withLock(\.self) }

  /// Sets the URL, once the server listens.
  public func set(_ url: VaultURL?) { value.withLock { $0 = url } }
}
