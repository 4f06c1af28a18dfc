/// The time of a store at one moment.
///
/// A clock that was set ahead must not make a claim expire: its sender would get the money back before the time, and
/// its receiver none. So a store measures the time since boot from a moment whose time is proven, and believes a clock
/// only near to what it measured.
public struct StoreTime: Hashable, Sendable {
  /// The time that is proven, in seconds since 1970. It never runs backwards. A claim expires by it.
  public let now: Int64
  /// The latest that the time can be: what the clock says, if that is later. A deposit must be in time by it, too.
  public let clock: Int64

  /// Makes a time. A clock that is behind counts as `now`.
  public init(now: Int64, clock: Int64) {
    (self.now, self.clock) = (now, max(now, clock))
  }

  /// How many seconds the clock is ahead of the time that is proven; 0 if the clock is believed.
  public var lead: Int64 { clock - now }

  /// The state of a clock that is not believed, in one sentence; `nil` if it is believed.
  public var warning: String? {
    guard lead > 0 else { return nil }
    return """
      the clock is \(lead) seconds ahead of the time that is proven: until its operator confirms the clock, the vault \
      goes on by the time since boot, and nothing expires by the clock
      """
  }
}

/// A moment whose time is proven, from which the time since boot is measured.
public struct ClockAnchor: Hashable, Sendable {
  /// How far ahead of the measured time a clock is still believed, in seconds. Between two boots, this is also how long
  /// a machine may have been off.
  public static let tolerance: Int64 = 300

  /// The proven time, in seconds since 1970.
  public let time: Int64
  /// The time since boot at that moment, in seconds.
  public let uptime: Int64

  /// Makes an anchor of a time and the time since boot at that moment.
  public init(time: Int64, uptime: Int64) {
    (self.time, self.uptime) = (time, uptime)
  }

  /// Returns the least that the time can be at a reading of the same boot.
  func measured(_ reading: MachineTime) -> Int64 { time + max(0, reading.uptime - uptime) }

  /// Returns the store's time at a reading of the same boot. The anchor stays where it is, so that a clock cannot walk
  /// ahead in small steps.
  ///
  /// - Parameter latest: the greatest time that the store has written.
  public func time(at reading: MachineTime, notBefore latest: Int64) -> StoreTime {
    let measured = measured(reading)
    let isBelieved = reading.clock - measured <= Self.tolerance
    return StoreTime(now: max(latest, isBelieved ? reading.clock : measured), clock: reading.clock)
  }
}

/// The record that a store keeps of its clock.
public struct ClockRecord: Hashable, Sendable {
  /// The greatest time that was written, in seconds since 1970.
  public let latest: Int64
  /// The moment from which this boot's time is measured.
  public let anchor: ClockAnchor
  /// The id of the boot in which the anchor was set.
  public let boot: String

  /// Makes a record of stored values.
  public init(latest: Int64, anchor: ClockAnchor, boot: String) {
    (self.latest, self.anchor, self.boot) = (latest, anchor, boot)
  }

  /// The record of a store in which nothing was written yet. It believes every clock: there is nothing to compare it
  /// with, and nothing that could expire.
  public static let new = ClockRecord(latest: 0, anchor: ClockAnchor(time: 0, uptime: 0), boot: "")

  /// Makes the record of a clock that the operator has confirmed.
  public init(confirmed reading: MachineTime, notBefore latest: Int64) {
    self.init(
      latest: max(latest, reading.clock), anchor: ClockAnchor(time: reading.clock, uptime: reading.uptime),
      boot: reading.boot)
  }

  /// Returns the record for the first reading on another machine, whose time since boot says nothing about the time that
  /// was written last.
  public func moved(to reading: MachineTime) -> ClockRecord {
    guard latest > 0 else { return self }
    return ClockRecord(
      latest: latest, anchor: ClockAnchor(time: latest, uptime: reading.uptime), boot: reading.boot)
  }

  /// Returns the anchor for a reading. After a reboot only two things are proven: the last time that was written, and
  /// that the machine was started after it.
  public func anchor(for reading: MachineTime) -> ClockAnchor {
    if latest == 0 { return ClockAnchor(time: reading.clock, uptime: reading.uptime) }
    if boot == reading.boot, !boot.isEmpty { return anchor }
    // Where no boot has an id, nothing says when this one was.
    return ClockAnchor(time: latest, uptime: reading.boot.isEmpty ? reading.uptime : 0)
  }

  /// Returns the store's time at a reading.
  public func time(at reading: MachineTime) -> StoreTime {
    anchor(for: reading).time(at: reading, notBefore: latest)
  }

  /// Returns the record after a write at a reading.
  public func advanced(to reading: MachineTime) -> ClockRecord {
    let (anchor, now) = (anchor(for: reading), time(at: reading).now)
    // In another boot the old anchor means nothing: the new one is set at its first write, and then stays.
    let isSame = anchor == self.anchor && boot == reading.boot
    return ClockRecord(
      latest: now,
      anchor: isSame ? anchor : ClockAnchor(time: max(now, anchor.measured(reading)), uptime: reading.uptime),
      boot: reading.boot)
  }
}
