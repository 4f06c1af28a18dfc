import Glibc

/// The limit on open files and sockets of this process (RLIMIT_NOFILE, getrlimit(2)).
package enum OpenFiles {
  /// More files than bump ever opens: three for the event loop of each processor, and those of the store, the
  /// connections and the network interfaces.
  package static let own = 64 + 3 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// A limit with which a transfer could fail at any point, or the process crash.
  package struct Shortage: CustomStringConvertible {
    package let limit: UInt
    /// The least limit that suffices.
    package let needed: Int
    /// How many files below that limit were open when the process started.
    package let open: Int

    package var description: String {
      let inherited = open > 3 ? ": it was started with \(open) open" : ""
      return "this process may open \(limit) files at once, and bump needs \(needed)\(inherited)"
    }
  }

  /// Raises the limit if it is too low and this process may raise it.
  ///
  /// - Returns: the shortage, if the limit is still too low.
  package static func shortage() -> Shortage? {
    let needed = leastLimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return nil }
    let shortage = Shortage(limit: limit.rlim_cur, needed: needed, open: needed - own)
    guard limit.rlim_max >= needed else { return shortage }
    limit.rlim_cur = rlim_t(needed)
    return setrlimit(resource, &limit) == 0 ? nil : shortage
  }

  /// Returns the least limit below which as many descriptors are free as bump may open. A new descriptor gets the
  /// lowest free number (open(2)), and a parent process may have left any of them open.
  private static func leastLimit() -> Int {
    var (free, number) = (0, 0)
    while free < own {
      if fcntl(Int32(number), F_GETFD) < 0 { free += 1 }
      number += 1
    }
    return number
  }
}
