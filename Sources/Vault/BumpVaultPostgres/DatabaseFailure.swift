import BumpPostgres

/// An error of a store's database, for a person, without the values of a statement.
struct DatabaseFailure {
  /// Whether the database cannot be used at all.
  let isUnusable: Bool
  let reason: String
  let remedy: String?

  /// - Parameter database: what the database is, such as "the vault's database".
  init(_ error: any Error, of database: String, opening isOpening: Bool) {
    let what = "\(database) \(isOpening ? "cannot be used" : "failed")"
    isUnusable = isOpening || error is SchemaRefusal
    switch error {
    case let refusal as SchemaRefusal: (reason, remedy) = ("\(what): \(refusal.reason)", refusal.remedy)
    case let error as PostgresError: (reason, remedy) = ("\(what): \(error.reason)", error.remedy)
    case let error as UnknownOutcome:
      reason = "\(what): \((error.cause as? PostgresError)?.reason ?? "the answer was lost")"
      remedy = "Try again"
    default: (reason, remedy) = ("\(what): \(type(of: error))", nil)
    }
  }
}
