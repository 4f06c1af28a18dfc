import BumpSignIn
import BumpVaultAPI
import BumpWallet

/// The meaning of a path of signing in.
enum SignInRoute: Hashable, Sendable {
  /// Asks for a code.
  case begin
  /// Enters a code.
  case enter
  case session
  case signOut
  /// Finds the wrapped key of a passkey.
  case find
  case add
  case use(DeviceID)
  case remove(DeviceID)
  case recovery

  /// Reads the parts of a path. Returns `nil` for a path that has to do with something else.
  ///
  /// - Throws: `badField` for an id that is not valid.
  init?(_ parts: [String]) throws(Problem) {
    switch parts {
    case ["api", "sign-in"]: self = .begin
    case ["api", "sign-in", "code"]: self = .enter
    case ["api", "session"]: self = .session
    case ["api", "sign-out"]: self = .signOut
    case ["api", "wallet", "find"]: self = .find
    case ["api", "wallet", "devices"]: self = .add
    case ["api", "wallet", "recovery"]: self = .recovery
    case _ where parts.count == 5 && parts.starts(with: ["api", "wallet", "devices"]) && parts[4] == "use":
      self = .use(try Self.device(parts[3]))
    case _ where parts.count == 5 && parts.starts(with: ["api", "wallet", "devices"]) && parts[4] == "remove":
      self = .remove(try Self.device(parts[3]))
    default: return nil
    }
  }

  private static func device(_ text: String) throws(Problem) -> DeviceID {
    guard let id = try? Bytes32(text) else {
      throw Problem(.badField, "the path has no valid id of a device in it", field: "deviceId")
    }
    return DeviceID(id)
  }

  var method: Route.Method { self == .session ? .get : .post }

  /// The path without ids, for logs.
  var name: String {
    switch self {
    case .begin: "/api/sign-in"
    case .enter: "/api/sign-in/code"
    case .session: "/api/session"
    case .signOut: "/api/sign-out"
    case .find: "/api/wallet/find"
    case .add: "/api/wallet/devices"
    case .use: "/api/wallet/devices/{deviceId}/use"
    case .remove: "/api/wallet/devices/{deviceId}/remove"
    case .recovery: "/api/wallet/recovery"
    }
  }
}
