import BumpClaims
import BumpSystem
import Glibc

/// The state of a product on the simulated phone.
public struct Installation: Hashable, Sendable {
  /// Which of a product's programs is there.
  public enum State: String, Sendable {
    /// Neither the App Clip nor the app.
    case nothing
    /// The App Clip, which a URL has opened.
    case clip
    /// The app. The App Clip never starts again.
    case app
  }

  /// Which of the product's programs is there.
  public var state: State
  /// The experience that opened the App Clip last; `nil` if a value in its URL was not valid.
  public var experience: String?
  /// The values captured from that URL.
  public var captured: [String: String]

  static let nothing = Installation(state: .nothing, experience: nil, captured: [:])

  static func read(_ path: String) throws(PhoneError) -> Installation {
    let bytes: [UInt8]
    do throws(PrivateFile.Failure) {
      bytes = try PrivateFile.read(path, limit: LineJSON.limit + 1)
    } catch {
      if error == .cannotOpen(ENOENT) { return .nothing }
      throw PhoneError(error, at: path)
    }
    guard let document = try? LineJSON.read(bytes), let installation = Installation(document) else {
      throw PhoneError(.storage, "\(path) is damaged", remedy: "Delete it: the product is then not on the phone")
    }
    return installation
  }

  func write(_ path: String) throws(PhoneError) {
    guard Directories.make(Directories.folder(of: path)) else { throw PhoneError(errno: errno, at: path) }
    let captured = captured.sorted { $0.key < $1.key }.map { (name: $0.key, value: JSONText.string($0.value)) }
    let fields = [
      (name: "state", value: JSONText.string(state.rawValue)),
      (name: "experience", value: experience.map(JSONText.string) ?? "null"),
      (name: "captured", value: JSONText.object(captured)),
    ]
    do throws(PrivateFile.Failure) {
      try PrivateFile.replace(path, Array(JSONText.object(fields).utf8))
    } catch {
      throw PhoneError(error, at: path)
    }
  }
}

extension Installation {
  private init?(_ document: LineJSON) {
    guard case .object(let members) = document.value, members.count == 3 else { return nil }
    var captured: [String: String] = [:]
    guard case .string(let word) = members[0].value.value, let state = State(rawValue: word),
      case .object(let values) = members[2].value.value
    else { return nil }
    for (name, value) in values {
      guard case .string(let text) = value.value else { return nil }
      captured[name] = text
    }
    let experience: String? = if case .string(let id) = members[1].value.value { id } else { nil }
    self.init(state: state, experience: experience, captured: captured)
  }
}

/// Writes JSON.
enum JSONText {
  static func string(_ text: String) -> String { "\"\(JSONString.escaped(text))\"" }

  static func object(_ members: [(name: String, value: String)]) -> String {
    "{\(members.map { "\(string($0.name)):\($0.value)" }.joined(separator: ","))}"
  }
}
