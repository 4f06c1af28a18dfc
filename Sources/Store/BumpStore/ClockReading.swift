import Glibc

/// The readings of two clocks of this machine at one moment: the time of day, which a person or a time server may set,
/// and the time since boot, which cannot be set but restarts with each boot.
public struct ClockReading: Hashable, Sendable {
  /// The time of day (CLOCK_REALTIME), in whole seconds since 1970.
  public let unix: Int64
  /// The time since boot (CLOCK_BOOTTIME), in whole seconds, including sleep.
  public let sinceBoot: Int64
  /// The id of the boot (random(4)); `nil` if it cannot be read.
  public let bootID: String?

  /// Makes a reading of two clocks, in whole seconds.
  ///
  /// - Parameter sinceBoot: the time since boot; equal to `unix` if omitted, for a test with one clock.
  public init(unix: Int64, sinceBoot: Int64? = nil, bootID: String? = nil) {
    (self.unix, self.sinceBoot, self.bootID) = (unix, sinceBoot ?? unix, bootID)
  }

  /// Reads the clocks now.
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
