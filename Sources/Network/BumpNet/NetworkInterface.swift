import Glibc

/// A network interface by name, such as `eth0`.
public struct NetworkInterface: Hashable, Sendable {
  /// The name, such as `eth0`.
  public let name: String
  /// The kernel's index of the interface.
  public let index: UInt32

  /// Looks up an interface by name.
  ///
  /// - Throws: `TransportError.noSuchInterface`.
  public init(_ name: String) throws(TransportError) {
    let index = if_nametoindex(name)
    guard index != 0 else {
      throw TransportError(
        .noSuchInterface, "there is no network interface of that name", remedy: "`ip link` lists them")
    }
    self.name = name
    self.index = index
  }
}
