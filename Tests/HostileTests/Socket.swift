import Glibc
import Lab

/// A TCP socket that blocks: for threads of their own only.
///
/// No call on it waits longer than `Duration.hang`. No child inherits it: an inherited end would never be seen closed.
struct Socket: Sendable {
  private static let patience = timeval(tv_sec: Int(Duration.hang.components.seconds), tv_usec: 0)
  let descriptor: Int32

  private init(_ descriptor: Int32) throws {
    guard descriptor >= 0 else { throw SocketError(description: String(cString: strerror(errno))) }
    self.descriptor = descriptor
    var (patience, yes) = (Self.patience, Int32(1))
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    // A frame is sent when it is written, as the two ends do.
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func make() throws -> Socket {
    try Socket(socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
  }

  /// A listener at a port that is free, of 127.0.0.1 or of this address.
  static func listening(at address: in_addr_t = INADDR_LOOPBACK) throws -> (Socket, port: UInt16) {
    let listener = try make()
    let bound = withAddress(address, port: 0) { bind(listener.descriptor, $0, $1) }
    var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    let named = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener.descriptor, $0, &length) }
    }
    guard bound == 0, named == 0, listen(listener.descriptor, 8) == 0 else {
      throw SocketError(description: "cannot listen: \(String(cString: strerror(errno)))")
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  static func connected(to port: UInt16) throws -> Socket {
    let socket = try make()
    guard withAddress(port: port, { connect(socket.descriptor, $0, $1) }) == 0 else {
      socket.close()
      throw SocketError(description: "cannot connect: \(String(cString: strerror(errno)))")
    }
    return socket
  }

  func accepted() throws -> Socket {
    try Socket(acceptConnection(on: descriptor))
  }

  /// The next frame, its length and type included; `nil` at the stream's end.
  func readFrame() -> [UInt8]? {
    guard let length = read(2) else { return nil }
    return read(Int(length[0]) << 8 | Int(length[1])).map { length + $0 }
  }

  /// Reads and forgets all that comes until the stream's end.
  func readToEnd() { while read(1) != nil {} }

  private func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress.map { $0 + filled }, count - filled, 0) }
      guard got > 0 else { return nil }
      filled += got
    }
    return bytes
  }

  /// - Returns: whether all could be written.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends it for both ends, and wakes whoever waits on it.
  func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  func close() { Glibc.close(descriptor) }

  private static func withAddress(
    _ host: in_addr_t = INADDR_LOOPBACK, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = host.bigEndian
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

struct SocketError: Error, CustomStringConvertible {
  let description: String
}
