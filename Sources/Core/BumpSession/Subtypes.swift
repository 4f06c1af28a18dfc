package import BumpClaims
package import BumpDiscovery
package import BumpWire

/// An hour, counted from 1970. The subtype that a key derives is another one in each hour.
package struct Hour: Hashable, Sendable {
  private static let length: Int64 = 3600

  let number: Int64

  /// Returns the hour of a time of day, in seconds since 1970.
  package init(at unixTime: Int64) { number = max(0, unixTime) / Self.length }

  private init(number: Int64) { self.number = number }

  /// The hour, and those before and after it: the clocks of two machines differ, and an hour may just have begun.
  package var near: [Hour] { [Hour(number: number - 1), self, Hour(number: number + 1)] }

  /// The number of hours in `near`.
  package static let nearCount = 3

  /// Returns whether this is the hour at that place, 0 to 2, in each group of three hours since 1970.
  package func isAt(_ place: Int) -> Bool { (number + 3) % 3 == Int64(place) }

  /// Returns the time from a time of day to the end of its hour: at least a second.
  package static func rest(at unixTime: Int64) -> Duration { .seconds(length - max(0, unixTime) % length) }
}

extension ServiceSubtype {
  /// Returns the subtype of the senders whose codes have a channel: `_c27`.
  package static func ofChannel(_ channel: Int) -> ServiceSubtype { ServiceSubtype(unchecked: "c\(channel)") }

  /// Returns the subtype of the senders that have a key, in one hour: `_k`, and sixteen hex digits.
  package static func ofKey(_ key: SharedKey, in hour: Hour) -> ServiceSubtype {
    let digits = String(key.subtype(hour: UInt64(max(0, hour.number))), radix: 16)
    return ServiceSubtype(unchecked: "k\(String(repeating: "0", count: 16 - digits.count))\(digits)")
  }
}

extension Credential {
  /// Returns the subtype under which a sender with this credential registers in an hour; `nil` for none, in mode open.
  package func subtype(in hour: Hour) -> ServiceSubtype? {
    switch self {
    case .none: nil
    case .code(let code): .ofChannel(code.channel)
    case .key(let key): .ofKey(key, in: hour)
    }
  }
}
