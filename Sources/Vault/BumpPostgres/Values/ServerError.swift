extension PostgresError {
  /// Describes an error of the server without values.
  ///
  /// When a type or a constraint rejects data, and when a function raises an error, the server's message, detail and
  /// context may contain values. Such errors are described by their code and constraint.
  init(_ result: ServerResult, running name: String) {
    let state = SQLState(result.errorField("C") ?? "")
    let message = result.errorField("M") ?? "no message"
    let places = [("constraint", "n"), ("column", "c"), ("table", "t")] as [(String, Character)]
    let place = places.compactMap { kind, field in result.errorField(field).map { ", \(kind) \($0)" } }.joined()
    let isSafe = Self.kindsWithoutValues.contains(state.kind)
    self.init(
      .refused,
      "PostgreSQL refused the statement \(name): "
        + (isSafe ? "\(message) (\(state))" : "\(Self.condition(of: state)) (\(state)\(place))"),
      remedy: Self.remedy(for: state), sqlState: state, constraint: result.errorField("n"))
  }

  /// The classes of errors whose messages contain names only: connections, logins, catalogs, rollbacks, syntax,
  /// resources, limits, states, operators, files.
  private static let kindsWithoutValues: Set<String> = [
    "08", "0A", "25", "28", "3D", "3F", "40", "42", "53", "54", "55", "57", "58",
  ]

  private static func condition(of state: SQLState) -> String {
    switch state {
    case .uniqueViolation: "a unique constraint is violated"
    case .checkViolation: "a check constraint is violated"
    case SQLState("23503"): "a foreign key is violated"
    case SQLState("23502"): "a value is missing"
    default:
      switch state.kind {
      case "22": "a value does not fit its type"
      case "23": "a constraint is violated"
      default: "an error whose message may repeat values"
      }
    }
  }

  private static func remedy(for state: SQLState) -> String? {
    switch state.kind {
    case "40": "Run the transaction again."
    case "53" where state == .diskFull: "Make room on the server's disk."
    case "53": "Raise the server's limits, or make the pools smaller."
    case "57": "Try again once the server runs."
    case "22", "P0": "The server's log has the message."
    default: nil
    }
  }
}
