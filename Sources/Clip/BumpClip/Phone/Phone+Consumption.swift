import BumpSQLite
import Crypto
import FoundationEssentials
import GRDB
import Glibc

extension Phone {
  /// The result of an app's look for what its App Clip has left.
  public enum Consumption: Hashable, Sendable {
    /// Nothing was handed over: onboarding starts without prefilled values.
    case nothing
    /// A value that is now in the app's database.
    case stored(key: String, value: String)
    /// A value that was in the app's database already.
    case alreadyHere(key: String, value: String)
    /// A value that was too old. It was dropped.
    case expired(key: String)
    /// A value that no App Clip of this product writes. It was dropped.
    case invalid(key: String)
    /// Messages: the number that are new in the app's database.
    case messages(Int)
  }

  /// The flag that an app sets when it stores the messages that it has copied.
  public static let migrationFlag = "AppClipDataMigrationComplete"

  /// Lets an app take what its App Clip has left. The app reads the value, stores it durably in its own database, keyed
  /// by the value's SHA-256, and deletes it from the App Group if it is still the value that was read. Messages are
  /// copied in one transaction, which sets the flag too. Then the App Clip's store is deleted.
  ///
  /// - Throws: `PhoneError.state` if the app is not installed, `.busy`, `.storage`. Then nothing is lost: what was
  ///   handed over is still in the App Group, or in the app's database.
  public func consume(_ product: Product, in router: Router) throws(PhoneError) -> Consumption {
    let lock = try lock(product)
    defer { _ = lock }
    guard try installation(of: product).state == .app else {
      throw PhoneError(
        .state, "\(product.name) is not installed", remedy: "Install it with: bump-clip install \(product.id)")
    }
    guard let handover = product.handover, let group = group(of: product) else { return .nothing }
    switch handover {
    case .messages(let store): return try migrate(group.store(store), to: product)
    case .value(let key, _), .record(let key, _, _):
      guard let value = try group.read(key) else { return .nothing }
      passed(.valueRead)
      let result = try take(value, key, handover, of: product, router)
      passed(.valueStored)
      try group.delete(key, ifStill: value)
      passed(.valueDeleted)
      return result
    }
  }

  private func take(
    _ bytes: [UInt8], _ key: String, _ handover: Handover, of product: Product, _ router: Router
  ) throws(PhoneError) -> Consumption {
    guard bytes.count <= GroupContainer.limit, let value = String(validating: bytes, as: UTF8.self) else {
      return .invalid(key: key)
    }
    switch handover {
    case .value(_, let name):
      guard product.captures(value, as: name, router) else { return .invalid(key: key) }
    case .record(_, let fields, let seconds):
      guard let storedAt = product.storedAt(bytes, fields) else { return .invalid(key: key) }
      // If the clock was set back, the value is not too old.
      guard now() <= storedAt.addingReportingOverflow(seconds).partialValue else { return .expired(key: key) }
    case .messages: return .nothing
    }
    let path = database(of: product)
    do {
      let isNew = try MessageStore.open(path).write { database in
        try database.execute(
          sql: "INSERT OR IGNORE INTO handovers (digest, key, value, takenAt) VALUES (?, ?, ?, ?)",
          arguments: [Data(SHA256.hash(data: bytes)), key, Data(bytes), now()])
        return database.changesCount > 0
      }
      return isNew ? .stored(key: key, value: value) : .alreadyHere(key: key, value: value)
    } catch let error as PhoneError {
      throw error
    } catch {
      throw PhoneError(error, of: path, opening: false)
    }
  }

  /// Copies the messages of an App Clip's store, the newest first. If the store is missing, the flag stays unset: a
  /// missing store is not an empty one.
  private func migrate(_ store: String, to product: Product) throws(PhoneError) -> Consumption {
    guard access(store, F_OK) == 0 else {
      guard errno == ENOENT else { throw PhoneError(errno: errno, at: store) }
      return .nothing
    }
    let messages: [ClipMessage]
    do {
      messages = try MessageStore.open(store).read { try MessageStore.messages(in: $0) }
    } catch let error as PhoneError {
      throw error
    } catch {
      throw PhoneError(error, of: store, opening: false)
    }
    passed(.messagesRead)
    let path = database(of: product)
    let count: Int
    do {
      count = try MessageStore.open(path).write { database in
        let before = database.totalChangesCount
        // The oldest first, so that messages of one second keep their order.
        for message in messages.reversed() { try MessageStore.insert(message, in: database) }
        let count = database.totalChangesCount - before
        try database.execute(
          sql: "INSERT OR IGNORE INTO flags (name, setAt) VALUES (?, ?)", arguments: [Self.migrationFlag, now()])
        return count
      }
    } catch let error as PhoneError {
      throw error
    } catch {
      throw PhoneError(error, of: path, opening: false)
    }
    passed(.messagesStored)
    try MessageStore.delete(store)
    passed(.storeDeleted)
    return .messages(count)
  }

  /// The contents of an app's database.
  public struct AppContents: Hashable, Sendable {
    /// The values that the app has taken, with their keys, in the order in which it took them.
    public let values: [Value]
    /// The app's messages, the newest first.
    public let messages: [ClipMessage]
    /// Whether messages were copied.
    public let hasMigrated: Bool

    /// A value that was handed over.
    public struct Value: Hashable, Sendable {
      /// The key of the value in the App Group.
      public let key: String
      /// The value.
      public let value: String
    }
  }

  /// Returns what an app has stored; `nil` if it has stored nothing yet.
  public func contents(of product: Product) throws(PhoneError) -> AppContents? {
    let path = database(of: product)
    guard access(path, F_OK) == 0 else { return nil }
    do {
      return try MessageStore.open(path).read { database in
        let rows = try Row.fetchAll(database, sql: "SELECT key, value FROM handovers ORDER BY rowid")
        let flag = try Int64.fetchOne(
          database, sql: "SELECT setAt FROM flags WHERE name = ?", arguments: [Self.migrationFlag])
        return AppContents(
          values: try rows.map { row in
            let value: Data = try row.decode(forColumn: "value")
            return .init(key: try row.decode(forColumn: "key"), value: String(decoding: value, as: UTF8.self))
          }, messages: try MessageStore.messages(in: database), hasMigrated: flag != nil)
      }
    } catch let error as PhoneError {
      throw error
    } catch {
      throw PhoneError(error, of: path, opening: false)
    }
  }

  /// Returns the keys of the values in a product's App Group, and whether the group has messages.
  public func left(by product: Product) -> (keys: [String], hasMessages: Bool) {
    guard let group = group(of: product) else { return ([], false) }
    guard case .messages(let store)? = product.handover else { return (group.keys, false) }
    return (group.keys, access(group.store(store), F_OK) == 0)
  }
}

extension Product {
  /// Returns whether a link of this product may have captured a value under a name.
  func captures(_ value: String, as name: String, _ router: Router) -> Bool {
    if case .match(let match) = router.route(value), match.product.id == id, match.captured[name] == value {
      return true
    }
    return rule(of: name)?.captures(value) ?? false
  }

  /// Returns when a record was stored; `nil` if the bytes are not a record of this product.
  fileprivate func storedAt(_ bytes: [UInt8], _ fields: [Handover.Field]) -> Int64? {
    guard let document = try? LineJSON.read(bytes), case .object(let members) = document.value else { return nil }
    var storedAt: Int64?
    for (name, member) in members {
      switch (fields.first { $0.name == name }?.isInteger, member.value) {
      case (nil, .integer(let time)) where name == "storedAt" && time >= 0: storedAt = time
      case (true?, .integer): break
      case (false?, .string(let text)):
        if let rule = rule(of: name), !rule.captures(text) { return nil }
      default: return nil
      }
    }
    guard let first = fields.first, members.contains(where: { $0.name == first.name }) else { return nil }
    return storedAt
  }

  /// Returns the rule of a value that the App Clip captures.
  private func rule(of name: String) -> CaptureRule? {
    experiences.lazy.filter { $0.opens == .clip }.compactMap { $0.rule(of: name) }.first
  }
}
