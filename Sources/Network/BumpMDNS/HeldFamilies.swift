/// The address families of which another process holds the port: what was said of them, and when they are tried again.
struct HeldFamilies {
  /// News for a person.
  enum News: Hashable {
    case held(Family)
    /// The port of a family that was held is shared again.
    case back(Family)
  }

  /// The first delay until the port is tried again. It doubles each time.
  static let firstDelay = Duration.seconds(1)
  /// The longest delay.
  static let longestDelay = Duration.seconds(64)

  private var reported: Set<Family> = []
  private var last: Duration?

  /// Notes the result of an attempt to make all sockets.
  ///
  /// - Parameters:
  ///   - refused: the families of which a socket was refused, since another process holds the port.
  ///   - open: the families that have a socket.
  /// - Returns: what has changed. Nothing while no family is open: then conversations fail instead.
  mutating func note(refused: Set<Family>, open: Set<Family>) -> [News] {
    guard !open.isEmpty else { return [] }
    return Family.allCases.compactMap { family in
      if open.contains(family) { return reported.remove(family).map { .back($0) } }
      return refused.contains(family) && reported.insert(family).inserted ? .held(family) : nil
    }
  }

  /// Returns the delay until the next attempt; `nil` if no socket was refused in the last one.
  mutating func delay(refused: Set<Family>) -> Duration? {
    last = refused.isEmpty ? nil : min(last.map { $0 * 2 } ?? Self.firstDelay, Self.longestDelay)
    return last
  }
}
