import ArgumentParser
import Glibc

/// Reads the environment, for values that the arguments leave out.
package enum Environment {
  /// Returns a variable's value; `nil` if it is unset or empty.
  package static func value(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
    return value
  }

  /// Checks that the variables that replace options are UTF-8. Otherwise a name or a path would silently be a different
  /// one.
  ///
  /// - Throws: `ValidationError`.
  package static func checkEncoding(of names: [String]) throws {
    for name in names {
      guard let value = getenv(name), String(validatingCString: value) == nil else { continue }
      throw ValidationError("the variable \(name) is not UTF-8. Set it to text in UTF-8, or leave it out")
    }
  }

  /// `$XDG_DATA_HOME/bump` (XDG Base Directory Specification: a relative path there is ignored).
  package static var dataFolder: String { folder("XDG_DATA_HOME", or: "/.local/share") }

  /// `$XDG_CONFIG_HOME/bump`.
  package static var configurationFolder: String { folder("XDG_CONFIG_HOME", or: "/.config") }

  private static func folder(_ name: String, or path: String) -> String {
    if let folder = value(name), folder.hasPrefix("/") { return folder + "/bump" }
    return home + path + "/bump"
  }

  private static var home: String {
    value("HOME") ?? getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } ?? ""
  }

  /// Whether the terminal supports escape sequences: its type is set, and is not `dumb`.
  package static var takesEscapes: Bool { value("TERM").map { $0 != "dumb" } ?? false }

  /// Whether the locale's encoding is UTF-8. The first of these variables that is set decides (POSIX).
  package static var isUTF8: Bool {
    let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? ""
    let codeset = locale.split(separator: ".").last?.lowercased() ?? ""
    return codeset.hasPrefix("utf-8") || codeset.hasPrefix("utf8")
  }
}
