/// A file of a project, in memory.
public struct SourceFile: Sendable {
  /// The greatest number of bytes of a file.
  public static let limit = 1_048_576

  /// The path below the project's folder, with `/` between its parts.
  public let path: String
  /// The content; empty if the file could not be read.
  public let content: [UInt8]
  /// Why the file cannot be read, as a clause; `nil` if it was read.
  let failure: String?

  /// Makes a file. One of more than `limit` bytes counts as a file that cannot be read.
  public init(path: String, content: [UInt8]) {
    self.path = path
    let isTooLong = content.count > Self.limit
    self.content = isTooLong ? [] : content
    failure = isTooLong ? "the file has more than \(Self.limit) bytes" : nil
  }

  /// Makes a file that cannot be read.
  init(path: String, failure: String) {
    (self.path, content, self.failure) = (path, [], failure)
  }

  /// The last part of the path.
  var name: Substring { path.split(separator: "/").last ?? "" }

  /// The parts of the path above the last.
  var folders: [Substring] { path.split(separator: "/").dropLast() }

  /// The kinds of files that the linter reads.
  enum Kind {
    case description
    case entitlements
    case info
    case association
    case head
    case page
    case scheme
  }

  /// Returns the kind of a file by its name; `nil` for one that the linter does not read.
  static func kind(of path: String) -> Kind? {
    let name = path.split(separator: "/").last ?? ""
    if path == "project.json" { return .description }
    if name.hasPrefix("apple-app-site-association") {
      return name.hasSuffix(".headers") ? .head : .association
    }
    if name.hasSuffix(".entitlements") { return .entitlements }
    // A library's own file of such a name is not a target's Info.plist.
    if name.hasSuffix("Info.plist"), name != "GoogleService-Info.plist" { return .info }
    if name.hasSuffix(".html") || name.hasSuffix(".htm") { return .page }
    return name.hasSuffix(".xcscheme") ? .scheme : nil
  }
}
