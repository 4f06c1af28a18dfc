import GRDB

extension Phone {
  /// Hands over to the app what the App Clip has captured, as the clip's button does.
  ///
  /// - Parameter fields: other fields of a record, which the App Clip has learnt.
  /// - Returns: the value as written, or the text of a message.
  /// - Throws: `PhoneError.state` if there is no App Clip, `.nothing` if there is nothing to hand over, `.input` for a
  ///   field that the record does not have, that was captured, or that is not valid.
  @discardableResult
  public func handOver(_ product: Product, fields: [String: String] = [:]) throws(PhoneError) -> String {
    let lock = try lock(product)
    defer { _ = lock }
    let installation = try installationOfClip(product)
    guard let handover = product.handover, let group = group(of: product) else {
      throw PhoneError(.nothing, "\(product.name) hands nothing over")
    }
    let known: [Handover.Field] = if case .record(_, let fields, _) = handover { fields } else { [] }
    for name in fields.keys.sorted() {
      guard known.contains(where: { $0.name == name }), installation.captured[name] == nil else {
        throw PhoneError(.input, "the field \(name) cannot be added to what \(product.name) hands over")
      }
    }
    switch handover {
    case .value(let key, let name):
      guard let value = installation.captured[name] else { throw nothing(installation, product) }
      try write(value, key, in: group)
      return value
    case .record(let key, let names, _):
      guard let first = names.first, installation.captured[first.name] != nil else {
        throw nothing(installation, product)
      }
      let value = try record(names, installation.captured.merging(fields) { $1 })
      try write(value, key, in: group)
      return value
    case .messages(let store):
      guard let text = installation.captured["text"] else { throw nothing(installation, product) }
      let message = ClipMessage(
        id: uuid(), text: text, theme: installation.captured["theme"], isFavorite: false, timestamp: now())
      let path = group.store(store)
      do {
        try MessageStore.open(path).write { try MessageStore.insert(message, in: $0) }
      } catch let error as PhoneError {
        throw error
      } catch {
        throw PhoneError(error, of: path, opening: false)
      }
      return text
    }
  }

  /// Hands over to the app a value that the App Clip has from its page.
  ///
  /// - Throws: `PhoneError.input` unless the value is one that the product's links capture, and the errors of
  ///   `handOver`.
  func handOver(_ value: String, of product: Product, in router: Router) throws(PhoneError) -> String {
    let lock = try lock(product)
    defer { _ = lock }
    _ = try installationOfClip(product)
    guard case .value(let key, let name)? = product.handover, let group = group(of: product),
      product.captures(value, as: name, router)
    else { throw PhoneError(.input, "the app of \(product.name) does not take this value") }
    try write(value, key, in: group)
    return value
  }

  /// Returns the state of a product whose App Clip is there.
  private func installationOfClip(_ product: Product) throws(PhoneError) -> Installation {
    let installation = try installation(of: product)
    switch installation.state {
    case .app: throw PhoneError(.state, "\(product.name) is installed, and its App Clip never starts again")
    case .nothing:
      throw PhoneError(.state, "there is no App Clip of \(product.name)", remedy: "Open one of its URLs first")
    case .clip: return installation
    }
  }

  private func nothing(_ installation: Installation, _ product: Product) -> PhoneError {
    guard let experience = installation.experience else {
      return PhoneError(.nothing, "nothing was captured", remedy: "Open a URL of \(product.name)")
    }
    return PhoneError(.nothing, "a URL of \(experience) has no value to hand over")
  }

  private func write(_ value: String, _ key: String, in group: GroupContainer) throws(PhoneError) {
    guard value.utf8.count <= GroupContainer.limit else {
      throw PhoneError(.input, "the value is longer than \(GroupContainer.limit) bytes")
    }
    try group.write(Array(value.utf8), key)
  }

  /// Returns a record as one JSON object, with the time. A value that is written as a whole cannot be torn.
  private func record(
    _ fields: [Handover.Field], _ values: [String: String]
  ) throws(PhoneError) -> String {
    var members: [(name: String, value: String)] = []
    for field in fields {
      guard let value = values[field.name] else { continue }
      if field.isInteger {
        guard let integer = Int64(value), "\(integer)" == value else {
          throw PhoneError(.input, "\(field.name) is a whole number")
        }
        members.append((field.name, value))
      } else {
        members.append((field.name, JSONText.string(value)))
      }
    }
    members.append(("storedAt", "\(now())"))
    return JSONText.object(members)
  }

  /// Returns a UUID of version 4 (RFC 9562 §5.4).
  private func uuid() -> String {
    var bytes = random(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.flatMap { byte in [byte >> 4, byte & 15] }.map { String($0, radix: 16, uppercase: true) }
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits[$0].joined() }
    return parts.joined(separator: "-")
  }
}
