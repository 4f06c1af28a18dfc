/// The places for the open connections of a server. Pure.
///
/// Where all are taken, a new connection displaces the oldest one of the host that has the most: first among those whose
/// request is not complete, then among all. So a host that opens many displaces its own.
package struct ConnectionSlots<Host: Hashable> {
  /// What becomes of a new connection.
  package enum Admission: Equatable {
    case admitted
    /// The connection of this number has to go.
    case displaces(Int)
    /// The new connection has to go: its host has the most, and all are being answered.
    case refused
  }

  private struct Slot {
    let host: Host?
    var isIdle = true
  }

  private let count: Int
  private var slots: [Int: Slot] = [:]

  /// - Parameter count: the greatest number of open connections.
  package init(_ count: Int) { self.count = count }

  /// Adds a connection.
  ///
  /// - Parameters:
  ///   - number: counts up with each connection.
  ///   - host: the host at its other end; `nil` for this host.
  package mutating func add(_ number: Int, from host: Host?) -> Admission {
    var admission = Admission.admitted
    if slots.count >= count {
      guard let busiest = busiest(among: slots.filter(\.value.isIdle)) ?? busiest(among: slots) else {
        return .refused
      }
      if slots[busiest.oldest]?.isIdle == false, busiest.host == host { return .refused }
      slots[busiest.oldest] = nil
      admission = .displaces(busiest.oldest)
    }
    slots[number] = Slot(host: host)
    return admission
  }

  /// Returns the host that has the most of some connections, and the oldest of its own among these; `nil` without any.
  private func busiest(among slots: [Int: Slot]) -> (host: Host?, oldest: Int)? {
    let hosts = Dictionary(grouping: slots.keys.sorted()) { slots[$0]?.host }
    let most = hosts.max { ($0.value.count, $1.value[0]) < ($1.value.count, $0.value[0]) }
    return most.map { ($0.key, $0.value[0]) }
  }

  /// Notes that a connection's request is complete: only its end frees its place.
  package mutating func completed(_ number: Int) { slots[number]?.isIdle = false }

  /// Returns whether a connection's request is complete.
  package func isComplete(_ number: Int) -> Bool { slots[number]?.isIdle == false }

  /// Removes a connection that has ended.
  package mutating func remove(_ number: Int) { slots[number] = nil }
}
