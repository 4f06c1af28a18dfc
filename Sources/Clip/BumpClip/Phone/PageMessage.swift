/// A message from a web page to the App Clip that shows it, in the form that Bluesky's page uses: a JSON object in a
/// string.
public enum PageMessage: Hashable, Sendable {
  /// Shows the App Store's overlay, and leaves the link for the app.
  case present
  /// Leaves a value under a key.
  case store(key: String, value: String)

  /// The greatest size of a message in bytes.
  public static let limit = 4096

  /// Reads a message: `{"action":"present"}`, or `{"action":"store","keyToStoreAs":"…","jsonToStore":"…"}`. Ignores
  /// other members.
  ///
  /// - Throws: `PhoneError.input` for anything else.
  public init(_ text: String) throws(PhoneError) {
    guard text.utf8.count <= Self.limit else {
      throw PhoneError(.input, "a page's message has at most \(Self.limit) bytes")
    }
    guard let document = try? LineJSON.read(text.utf8), case .object(let members) = document.value else {
      throw PhoneError(.input, "a page's message is a JSON object")
    }
    let string = { (name: String) -> String? in
      if case .string(let value)? = members.first(where: { $0.name == name })?.value.value { value } else { nil }
    }
    switch (string("action"), string("keyToStoreAs"), string("jsonToStore")) {
    case ("present", _, _): self = .present
    case ("store", let key?, let value?): self = .store(key: key, value: value)
    case ("store", _, _): throw PhoneError(.input, "a page's message that stores needs keyToStoreAs and jsonToStore")
    default: throw PhoneError(.input, "a page's message needs the action present or store")
    }
  }
}
