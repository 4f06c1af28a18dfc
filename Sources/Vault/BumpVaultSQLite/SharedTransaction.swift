import BumpVault
import GRDB

/// A transaction that several changes share, so that they wait for one sync of the disk. Each of them is decided on its
/// own.
struct SharedTransaction {
  /// The error of a transaction that was rolled back before its commit, perhaps because of one of its changes.
  struct RolledBack: Error { let cause: any Error }

  let database: Database
  let clock: @Sendable () -> MachineTime

  /// Carries changes out in their order, and commits them together. Without a change that is carried out, nothing is
  /// committed.
  ///
  /// - Returns: the results in the order of the changes, once the commit is on the disk. `nil` stands for a change whose
  ///   condition does not hold.
  /// - Throws: `RolledBack` if no commit was tried; otherwise the error of the commit, or of the wait for the lock.
  func carryOut(_ changes: [Change]) throws -> [Result<Committed?, any Error>] {
    try database.beginTransaction(.immediate)
    let results: [Result<Committed?, any Error>]
    do {
      // The time is read once the lock is held, so that waiting for the lock does not make it old.
      let transaction = VaultTransaction(
        database: database, time: try StoreClock.advance(to: clock(), in: database))
      results = try changes.map { change in try apart { try transaction.carryOut(change) } }
    } catch {
      try rollBack()
      throw RolledBack(cause: error)
    }
    guard results.contains(where: \.isCarriedOut) else {
      try rollBack()
      return results
    }
    do {
      try database.commit()
    } catch {
      try rollBack()
      throw error
    }
    return results
  }

  /// Carries one change out within a savepoint. If it fails, the database is as it was before it.
  ///
  /// - Throws: an error after which the whole transaction has to be rolled back.
  private func apart(_ body: () throws -> Committed) throws -> Result<Committed?, any Error> {
    try run("SAVEPOINT change")
    do {
      let committed = try body()
      try run("RELEASE change")
      return .success(committed)
    } catch {
      // Some errors, such as a full disk, end the transaction with all that was done in it.
      guard database.isInsideTransaction, Self.isOfOneChange(error) else { throw error }
      try run("ROLLBACK TO change")
      try run("RELEASE change")
      return error is Stale ? .success(nil) : .failure(error)
    }
  }

  /// Returns whether an error says nothing about the other changes of a transaction: a condition that does not hold, a
  /// damaged row, or a value that the database refuses. Everything else, such as an error of the disk, may be theirs too.
  private static func isOfOneChange(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return true }
    return [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG].contains(error.resultCode)
  }

  private func run(_ sql: String) throws { try database.cachedStatement(sql: sql).execute() }

  private func rollBack() throws {
    if database.isInsideTransaction { try database.rollback() }
  }
}

extension Result where Success == Committed? {
  fileprivate var isCarriedOut: Bool {
    if case .success(.some) = self { true } else { false }
  }
}

/// Carries changes out in transactions that they share.
struct ChangeWriter: Sendable {
  let writer: DatabaseQueue
  let clock: @Sendable () -> MachineTime

  /// Carries changes out in their order.
  ///
  /// If one of them ends the transaction, each gets a transaction of its own. A commit that fails is not tried again: all
  /// of its changes fail, and it is unknown whether they will be found carried out after a crash.
  ///
  /// - Returns: the results in the order of the changes. None of them is returned before it is on the disk.
  func carryOut(_ changes: [Change]) async -> [Result<Committed?, any Error>] {
    do {
      return try await transaction(changes)
    } catch let error as SharedTransaction.RolledBack {
      guard changes.count > 1 else { return [.failure(error.cause)] }
      var results: [Result<Committed?, any Error>] = []
      for change in changes { results += await carryOut([change]) }
      return results
    } catch {
      return changes.map { _ in .failure(error) }
    }
  }

  private func transaction(_ changes: [Change]) async throws -> [Result<Committed?, any Error>] {
    try await writer.writeWithoutTransaction { [clock] database in
      try SharedTransaction(database: database, clock: clock).carryOut(changes)
    }
  }
}
