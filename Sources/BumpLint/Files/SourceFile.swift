/// A file of a project, in memory.
public struct SourceFile: Sendable {
  /// Bytes that are read of a file, at most.
  public static let limit = 1_048_576

  /// The path below the project's folder, with `/` between its parts.
  public let path: String
  /// The bytes.
  public let content: [UInt8]
  /// Why it cannot be read, as a clause; `nil` where it was.
  let failure: String?

  public init(path: String, content: [UInt8]) {
    self.path = path
    let isTooLong = content.count > Self.limit
    self.content = isTooLong ? [] : content
    failure = isTooLong ? "the file has more than \(Self.limit) bytes" : nil
  }

  /// A file that cannot be read.
  init(path: String, failure: String) {
    (self.path, content, self.failure) = (path, [], failure)
  }

  /// The last part of the path.
  var name: Substring { path.split(separator: "/").last ?? "" }

  /// The parts of the path above the last.
  var folders: [Substring] { path.split(separator: "/").dropLast() }

  /// What the linter reads of a file.
  enum Kind {
    case description
    case entitlements
    case info
    case association
    case head
    case page
    case scheme
  }

  /// What a file of this name is; `nil` for one that the linter does not read.
  static func kind(of path: String) -> Kind? {
    let name = path.split(separator: "/").last ?? ""
    if path == "project.json" { return .description }
    if name.hasPrefix("apple-app-site-association") {
      return name.hasSuffix(".headers") ? .head : .association
    }
    if name.hasSuffix(".entitlements") { return .entitlements }
    // What other libraries keep in files of such names has nothing to do with a target.
    if name.hasSuffix("Info.plist"), name != "GoogleService-Info.plist" { return .info }
    if name.hasSuffix(".html") || name.hasSuffix(".htm") { return .page }
    return name.hasSuffix(".xcscheme") ? .scheme : nil
  }
}
