import Glibc

/// Finds the programs with a socket on a UDP port, or that listen on a TCP port, from /proc (proc_pid_net(5)).
enum PortHolders {
  struct Socket: Hashable, Sendable {
    var inode: UInt64
    var user: UInt32
  }

  /// The state of a TCP socket that listens, in the kernel's tables.
  static let listening = "0A"

  /// Returns the sockets on a port in a table such as /proc/net/udp.
  ///
  /// - Parameter state: the only state to look for, as in the table; `nil` for all.
  static func sockets(_ table: String, port: UInt16, in state: String? = nil) -> [Socket] {
    table.split(separator: "\n").compactMap { line in
      // sl local_address rem_address st queues timer retransmits uid timeout inode …
      let fields = line.split(separator: " ")
      guard fields.count > 9, let digits = fields[1].split(separator: ":").last, UInt16(digits, radix: 16) == port,
        state == nil || fields[3] == state ?? "", let user = UInt32(fields[7]), let inode = UInt64(fields[9])
      else { return nil }
      return Socket(inode: inode, user: user)
    }
  }

  /// Returns the names of the other programs that have a socket on a UDP port, sorted, one for each process. Programs
  /// that this process may not inspect are named by their user, once for each user.
  static func names(port: UInt16) -> [String] {
    names(port, ["/proc/net/udp", "/proc/net/udp6"], nil)
  }

  /// Returns the names of the other programs that listen on a TCP port, as `names` does.
  static func listeners(port: UInt16) -> [String] {
    names(port, ["/proc/net/tcp", "/proc/net/tcp6"], listening)
  }

  private static func names(_ port: UInt16, _ tables: [String], _ state: String?) -> [String] {
    // This process's sockets change meanwhile: other checks run at the same time.
    let before = inodes(of: "self")
    let all = tables.flatMap { Self.sockets(Files.text($0) ?? "", port: port, in: state) }
    let ours = Set(before + inodes(of: "self"))
    let sockets = all.filter { !ours.contains($0.inode) }
    guard !sockets.isEmpty else { return [] }
    let owners = owners(of: Set(sockets.map(\.inode)))
    return Set(sockets.map { owners[$0.inode] ?? Owner(name: program(of: userName($0.user))) }).map(\.name).sorted()
  }

  /// Returns the name for a program of which only the user is known.
  static func program(of user: String) -> String { "a program of the user \(user)" }

  private struct Owner: Hashable {
    var process: String?
    var name: String
  }

  /// Returns the programs that own these sockets, as far as this process may inspect them.
  private static func owners(of inodes: Set<UInt64>) -> [UInt64: Owner] {
    var owners: [UInt64: Owner] = [:]
    for process in Files.names(in: "/proc") where process.allSatisfy(\.isNumber) {
      for inode in Self.inodes(of: process) where inodes.contains(inode) {
        let name = Files.text("/proc/\(process)/comm")?.split(separator: "\n").first
        owners[inode] = name.map { Owner(process: process, name: String($0)) }
      }
    }
    return owners
  }

  /// Returns the inodes of a process's sockets.
  private static func inodes(of process: String) -> [UInt64] {
    Files.names(in: "/proc/\(process)/fd").compactMap { descriptor in
      guard let target = Files.destination(of: "/proc/\(process)/fd/\(descriptor)"), target.hasPrefix("socket:[")
      else { return nil }
      return UInt64(target.dropFirst("socket:[".count).dropLast())
    }
  }

  private static func userName(_ id: UInt32) -> String {
    getpwuid(id).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? String(id)
  }
}
