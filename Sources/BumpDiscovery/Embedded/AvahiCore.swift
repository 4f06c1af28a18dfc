import CAvahi
import Glibc

/// The functions of libavahi-core: pointers to code, which never changes.
extension bump_avahi_core: @retroactive @unchecked Sendable {
  /// Those that were loaded, and are fit for use; `nil` where the library is not installed.
  static let loaded: bump_avahi_core? = {
    var core = bump_avahi_core()
    guard bump_avahi_core_load(&core) else { return nil }
    // It would log to stderr.
    core.set_log_function { _, _ in }
    // The delays by which hosts avoid to speak all at once (RFC 6762 §6) come from rand(), which nobody else seeds:
    // every process would wait equally long.
    srand(UInt32.random(in: .min ... .max))
    return core
  }()
}
