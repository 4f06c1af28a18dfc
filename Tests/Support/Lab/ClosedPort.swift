import Glibc

/// A port of 127.0.0.1 on which nobody listens. It is bound until this process ends, so no other program can have it.
public func closedPort() throws -> UInt16 { try bound.get() }

private let bound: Result<UInt16, any Error> = Result { try boundSocket().port }

/// Returns a TCP socket that is bound to a free port of 127.0.0.1. It does not listen yet.
func boundSocket() throws -> (descriptor: Int32, port: UInt16) {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  guard descriptor >= 0 else { throw SystemError("socket") }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
    }
  }
  guard isBound else { throw SystemError("bind") }
  return (descriptor, UInt16(bigEndian: address.sin_port))
}
