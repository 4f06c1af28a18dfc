import Glibc

/// A network interface by name, such as `eth0`.
public struct NetworkInterface: Hashable, Sendable {
  public let name: String
  /// The kernel's index of it.
  public let index: UInt32

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
