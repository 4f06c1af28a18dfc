import BumpWire
import Glibc

/// What the environment says where the arguments say nothing.
enum Environment {
  /// A variable that is set to something.
  static func value(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
    return value
  }

  /// `$XDG_DATA_HOME/bump/bump.sqlite` (XDG Base Directory Specification: a relative path there is ignored).
  static var defaultStore: String {
    if let data = value("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/bump/bump.sqlite" }
    let home = value("HOME") ?? getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } ?? ""
    return home + "/.local/share/bump/bump.sqlite"
  }

  /// The login name, where it will do as a display name.
  static var loginName: DisplayName {
    let login = getpwuid(getuid()).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? "somebody"
    guard let name = try? DisplayName(own: login) else { return .somebody }
    return name
  }

  /// Whether the terminal takes escape sequences. (A terminal without a type is not known to.)
  static var takesEscapes: Bool { value("TERM").map { $0 != "dumb" } ?? false }

  /// Whether the locale writes UTF-8 (POSIX: the first of these that is set decides).
  static var isUTF8: Bool {
    let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? ""
    let codeset = locale.split(separator: ".").last?.lowercased() ?? ""
    return codeset.hasPrefix("utf-8") || codeset.hasPrefix("utf8")
  }
}
