import ArgumentParser
import BumpClaims
import Glibc

/// Reads the environment, for values that the arguments leave out.
enum Environment {
  /// Returns a variable's value; `nil` if it is unset or empty.
  static func value(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
    return value
  }

  /// Checks that the variables that replace options are UTF-8. Otherwise a name or a path would silently be a different
  /// one.
  ///
  /// - Throws: `ValidationError`.
  static func checkEncoding() throws {
    for name in ["BUMP_NAME", "BUMP_STORE", "BUMP_KEY_FILE", "BUMP_CODE", "BUMP_WALLET", "BUMP_VAULT"] {
      guard let value = getenv(name), String(validatingCString: value) == nil else { continue }
      throw ValidationError("the variable \(name) is not UTF-8. Set it to text in UTF-8, or leave it out")
    }
  }

  /// `$XDG_DATA_HOME/bump/bump.sqlite`.
  static var defaultStore: String { dataHome + "/bump/bump.sqlite" }

  /// `$XDG_DATA_HOME/bump/wallet.key`.
  static var defaultWallet: String { dataHome + "/bump/wallet.key" }

  /// `$XDG_DATA_HOME/bump`.
  static var dataFolder: String { dataHome + "/bump" }

  /// `$XDG_CONFIG_HOME/bump/experiences`.
  static var experiencesFolder: String {
    if let configuration = value("XDG_CONFIG_HOME"), configuration.hasPrefix("/") {
      return configuration + "/bump/experiences"
    }
    return home + "/.config/bump/experiences"
  }

  /// `$XDG_DATA_HOME` (XDG Base Directory Specification: a relative path there is ignored).
  private static var dataHome: String {
    if let data = value("XDG_DATA_HOME"), data.hasPrefix("/") { return data }
    return home + "/.local/share"
  }

  private static var home: String {
    value("HOME") ?? getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } ?? ""
  }

  /// The login name as a display name; `somebody` if it is not a valid one.
  static var loginName: DisplayName {
    let login = getpwuid(getuid()).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? "somebody"
    guard let name = try? DisplayName(own: login) else { return .somebody }
    return name
  }

  /// Whether the terminal supports escape sequences: its type is set, and is not `dumb`.
  static var takesEscapes: Bool { value("TERM").map { $0 != "dumb" } ?? false }

  /// Whether the locale's encoding is UTF-8. The first of these variables that is set decides (POSIX).
  static var isUTF8: Bool {
    let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? ""
    let codeset = locale.split(separator: ".").last?.lowercased() ?? ""
    return codeset.hasPrefix("utf-8") || codeset.hasPrefix("utf8")
  }
}
