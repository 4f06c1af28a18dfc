import Glibc

/// The readings of two clocks of one machine at one moment: the time of day, which a person or a time server may set,
/// and the time since boot, which nobody sets, and which begins anew with each boot.
public struct MachineTime: Hashable, Sendable {
  /// The time of day, in seconds since 1970. For a database, that of its server.
  public let clock: Int64
  /// The time since boot (CLOCK_BOOTTIME), in seconds, including sleep.
  public let uptime: Int64
  /// The id of the boot (random(4)); empty if it cannot be read. Then no two readings count as of one boot.
  public let boot: String

  /// Makes a reading of two clocks.
  ///
  /// - Parameters:
  ///   - uptime: the time since boot; equal to `clock` if omitted, for a test with one clock and one boot.
  ///   - boot: the boot's id.
  public init(clock: Int64, uptime: Int64? = nil, boot: String = "one") {
    (self.clock, self.uptime, self.boot) = (clock, uptime ?? clock, boot)
  }

  /// Reads this machine's clocks.
  @Sendable public static func now() -> MachineTime { reading(Int64(time(nil))) }

  /// Returns a reading with another clock's time of day, and this machine's time since boot.
  @Sendable public static func reading(_ clock: Int64) -> MachineTime {
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    return MachineTime(clock: clock, uptime: Int64(now.tv_sec), boot: thisBoot)
  }

  private static let thisBoot: String = {
    let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 36)
    return read(file, &bytes, bytes.count) == bytes.count ? String(decoding: bytes, as: UTF8.self) : ""
  }()
}
