import Glibc

/// What two clocks of this machine show at one moment: that of the day, which a person or a time server may set, and that
/// since the boot, which nobody sets but which begins anew with each boot.
public struct ClockReading: Hashable, Sendable {
  /// Whole seconds since 1970 (CLOCK_REALTIME).
  public let unix: Int64
  /// Whole seconds since the boot, those asleep included (CLOCK_BOOTTIME).
  public let sinceBoot: Int64
  /// The id of the boot (random(4)); `nil` where it cannot be read.
  public let bootID: String?

  /// - Parameter sinceBoot: as the time of day where it is left out, for a test that has one clock.
  public init(unix: Int64, sinceBoot: Int64? = nil, bootID: String? = nil) {
    (self.unix, self.sinceBoot, self.bootID) = (unix, sinceBoot ?? unix, bootID)
  }

  /// This moment's.
  @Sendable public static func now() -> ClockReading {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return ClockReading(unix: UnixTime.now(), sinceBoot: Int64(time.tv_sec), bootID: thisBoot)
  }

  private static let thisBoot: String? = {
    let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 36)
    return read(file, &bytes, bytes.count) == bytes.count ? String(decoding: bytes, as: UTF8.self) : nil
  }()
}
