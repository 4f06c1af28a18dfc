/// The places for the open connections of a server. Pure.
///
/// Where all are taken, a new connection displaces the oldest one of the host that has the most: first among those whose
/// request is not complete, then among all. So a host that opens many displaces its own.
package struct ServedPlaces<Host: Hashable> {
  /// What becomes of a new connection.
  package enum Admission: Equatable {
    case admitted
    /// The connection of this number has to go.
    case displaces(Int)
    /// The new connection has to go: its host has the most, and all are being answered.
    case refused
  }

  private struct Place {
    let host: Host?
    var isIdle = true
  }

  private let count: Int
  private var places: [Int: Place] = [:]

  /// - Parameter count: the greatest number of open connections.
  package init(_ count: Int) { self.count = count }

  /// Adds a connection.
  ///
  /// - Parameters:
  ///   - number: counts up with each connection.
  ///   - host: the host at its other end; `nil` for this host.
  package mutating func add(_ number: Int, from host: Host?) -> Admission {
    var admission = Admission.admitted
    if places.count >= count {
      guard let oldest = oldest(among: places.filter(\.value.isIdle)) ?? oldest(among: places, not: host) else {
        return .refused
      }
      places[oldest] = nil
      admission = .displaces(oldest)
    }
    places[number] = Place(host: host)
    return admission
  }

  /// Returns the oldest connection of the host that has the most; `nil` if this is the host that must not displace
  /// itself.
  private func oldest(among places: [Int: Place], not newcomer: Host?? = nil) -> Int? {
    let hosts = Dictionary(grouping: places, by: \.value.host).mapValues { $0.map(\.key).sorted() }
    let most = hosts.max { ($0.value.count, $1.value.first ?? 0) < ($1.value.count, $0.value.first ?? 0) }
    guard let most, newcomer == nil || most.key != newcomer else { return nil }
    return most.value.first
  }

  /// Notes that a connection's request is complete: only its end frees its place.
  package mutating func completed(_ number: Int) { places[number]?.isIdle = false }

  /// Returns whether a connection's request is complete.
  package func isComplete(_ number: Int) -> Bool { places[number]?.isIdle == false }

  /// Removes a connection that has ended.
  package mutating func remove(_ number: Int) { places[number] = nil }
}
