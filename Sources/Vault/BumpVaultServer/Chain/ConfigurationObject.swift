#if Vault
  import BumpText
  import BumpVaultAPI

  /// A mistake in a configuration: its place, such as `tokens[0].codeHash`, and what is wrong there.
  struct ConfigurationMistake: Error, CustomStringConvertible {
    let description: String

    /// - Parameters:
    ///   - place: empty for the whole file.
    ///   - reason: what is wrong, as a predicate.
    init(_ place: String, _ reason: String) { description = "\(place.isEmpty ? "the file" : place) \(reason)" }

    /// - Parameter description: what is wrong, with its place.
    init(_ description: String) { self.description = description }
  }

  /// The members of an object in a configuration. Each is taken once, and `end` refuses those that nobody took: a member
  /// with a spelling mistake would otherwise be a limit that does not hold.
  struct ConfigurationObject {
    private var members: [JSONValue.Member]
    private let place: String

    /// - Parameter place: where the object is, for messages; empty for the whole file.
    init(_ value: JSONValue, at place: String) throws {
      guard case .object(let members) = value else { throw ConfigurationMistake(place, "is not an object") }
      (self.members, self.place) = (members, place)
    }

    /// Takes a member that may be missing, and reads its value at its place.
    mutating func optional<Value>(_ name: String, _ read: (JSONValue, String) throws -> Value) throws -> Value? {
      guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
      return try read(members.remove(at: index).value, path(name))
    }

    /// Takes a member that must be there.
    mutating func required<Value>(_ name: String, _ read: (JSONValue, String) throws -> Value) throws -> Value {
      guard let value = try optional(name, read) else { throw ConfigurationMistake(path(name), "is missing") }
      return value
    }

    /// Checks that no member is left.
    func end() throws {
      guard let member = members.first else { return }
      let name = VisibleText.of(String(member.name.unicodeScalars.prefix(64)))
      throw ConfigurationMistake(path(name), "is not known here")
    }

    private func path(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }
  }
#endif
