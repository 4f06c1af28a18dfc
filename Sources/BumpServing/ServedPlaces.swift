/// The places for the open connections of a server. Pure.
///
/// Where all are taken, a new connection takes the place of one whose request is not complete: the oldest one of the host
/// that has the most of these. So a host that opens many and asks nothing displaces its own.
package struct ServedPlaces<Host: Hashable> {
  /// What becomes of a new connection.
  package enum Admission: Equatable {
    case admitted
    /// The connection of this number has to go.
    case displaces(Int)
    /// The new connection has to go: all others are being answered.
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
      let idle = Dictionary(grouping: places.filter(\.value.isIdle), by: \.value.host)
        .mapValues { $0.map(\.key).sorted() }
      let most = idle.values.max { ($0.count, $1.first ?? 0) < ($1.count, $0.first ?? 0) }
      guard let oldest = most?.first else { return .refused }
      places[oldest] = nil
      admission = .displaces(oldest)
    }
    places[number] = Place(host: host)
    return admission
  }

  /// Notes that a connection's request is complete: only its end frees its place.
  package mutating func completed(_ number: Int) { places[number]?.isIdle = false }

  /// Removes a connection that has ended.
  package mutating func remove(_ number: Int) { places[number] = nil }
}
