import Foundation

/// A connection over loopback, on which a thread asks and waits.
struct Connection {
  struct Broken: Error {
    let what: String
  }

  private let socket: Int32

  init(_ port: UInt16) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard socket >= 0, connected == 0 else { throw Broken(what: "cannot connect: \(errno)") }
    var one: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  func send(_ bytes: [UInt8]) throws {
    guard bytes.withUnsafeBytes({ write(socket, $0.baseAddress, $0.count) }) == bytes.count else {
      throw Broken(what: "cannot write: \(errno)")
    }
  }

  /// Reads an answer whose length is said, and returns its status.
  func status(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    var count = 0
    while true {
      guard let base = buffer.baseAddress else { throw Broken(what: "no buffer") }
      let more = read(socket, base + count, buffer.count - count - 1)
      guard more > 0 else { throw Broken(what: "the connection ended") }
      count += more
      buffer[count] = 0
      let text = base.assumingMemoryBound(to: CChar.self)
      guard let head = strstr(text, "\r\n\r\n"), let field = strstr(text, "Content-Length:") else { continue }
      if text.distance(to: head) + 4 + Int(atoi(field + 15)) <= count { return Int(atoi(text + 9)) }
    }
  }

  /// Reads until the server has sent a text.
  func wait(for text: String) throws {
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: all, as: UTF8.self).contains(text) {
      let count = read(socket, &piece, piece.count)
      guard count > 0 else { throw Broken(what: "no \(text): \(String(decoding: all, as: UTF8.self))") }
      all += piece[..<count]
    }
  }
}
