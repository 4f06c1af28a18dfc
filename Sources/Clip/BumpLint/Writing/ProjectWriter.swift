import FoundationEssentials

/// Writes the files that a project needs, from its description: those of its hosts, and the entitlements of both
/// targets.
public struct ProjectWriter: Sendable {
  /// The error for a description that lacks something, or has a value that cannot be used.
  public struct Missing: Error {
    /// What is missing or wrong, as a clause without a full stop.
    public let reason: String
    /// What to do, as a sentence without a full stop.
    public let remedy: String
  }

  private let description: ProjectDescription
  private let app: String
  private let clip: String

  /// Makes a writer for a description.
  ///
  /// - Throws: `Missing` if the description lacks a bundle id or a URL, or has a value that cannot be used: a clip's id
  ///   that does not begin with the app's, a placeholder as host, or an App Group that is not valid.
  public init(_ description: ProjectDescription) throws(Missing) {
    self.description = description
    guard let app = description.app.bundleID?.value else { throw Self.missing("the app's bundle id", "app.bundleId") }
    guard let clip = description.clip.bundleID?.value else {
      throw Self.missing("the clip's bundle id", "clip.bundleId")
    }
    guard clip.hasPrefix(app + ".") else {
      throw Missing(
        reason: "the clip \(clip) does not belong to the app \(app)",
        remedy: "The clip's id is the app's, a dot, and more")
    }
    guard !description.allHosts.isEmpty else { throw Self.missing("no URL", "invocations") }
    if let host = description.allHosts.first(where: { Project.isPlaceholder($0.value) }) {
      throw Missing(
        reason: "the host \(host.value) is a placeholder",
        remedy: "Write URLs of a host that you own as \"invocations\"")
    }
    if let group = description.groups.first(where: {
      !ApplicationID.isBundleID($0.value) || !$0.value.hasPrefix("group.")
    }) {
      throw Missing(
        reason: "\(group.value) is not an App Group", remedy: "Write one such as group.\(app)")
    }
    (self.app, self.clip) = (app, clip)
  }

  private static func missing(_ what: String, _ field: String) -> Missing {
    Missing(
      reason: what == "no URL" ? "no URL is described" : "\(what) is not described",
      remedy: "Write it as \"\(field)\" in project.json")
  }

  /// The hosts that need a file.
  public var hosts: [String] { description.allHosts.map(\.value) }

  /// Returns the file `apple-app-site-association` of a host.
  ///
  /// - Throws: `Missing` if the description names no team.
  public func association(of host: String) throws(Missing) -> String {
    guard let team = description.team?.value else { throw Self.missing("the team", "teamId") }
    var paths: [String] = []
    for link in description.invocations + description.appLinks where link.value.host == host {
      let path = link.value.pattern
      if !paths.contains(path) { paths.append(path) }
    }
    // Nothing behind a path that takes all is ever reached.
    if paths.contains("/*") { paths = ["/*"] }
    let opens = description.invocations.contains { $0.value.host == host }
    let file = File(
      appclips: opens ? Apps(apps: ["\(team).\(clip)"]) : nil,
      applinks: Links(details: [Entry(appIDs: ["\(team).\(app)"], components: paths.map { ["/": $0] })]))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Encoding strings never fails.
    return String(decoding: (try? encoder.encode(file)) ?? Data(), as: UTF8.self) + "\n"
  }

  private struct File: Encodable {
    let appclips: Apps?
    let applinks: Links
  }

  private struct Apps: Encodable { let apps: [String] }

  private struct Links: Encodable { let details: [Entry] }

  private struct Entry: Encodable {
    let appIDs: [String]
    let components: [[String: String]]
  }

  /// The entitlements of the app. Xcode adds the id of its clip when it archives.
  public var appEntitlements: String {
    let opening = description.invocationHosts.map { "appclips:\($0.value)" }
    return plist([
      (Entitlement.domains, .strings(opening + hosts.map { "applinks:\($0)" })), (Entitlement.groups, .strings(groups)),
    ])
  }

  /// The entitlements of the clip.
  public var clipEntitlements: String {
    plist([
      (Entitlement.domains, .strings(description.invocationHosts.map { "appclips:\($0.value)" })),
      (Entitlement.onDemand, .true), (Entitlement.parents, .strings(["$(AppIdentifierPrefix)\(app)"])),
      (Entitlement.groups, .strings(groups)),
    ])
  }

  private var groups: [String] { description.groups.map(\.value) }

  private enum Item {
    case strings([String])
    case `true`
  }

  private func plist(_ pairs: [(String, Item)]) -> String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#,
      #"<plist version="1.0">"#, "<dict>",
    ]
    for (key, item) in pairs {
      switch item {
      case .true: lines += ["\t<key>\(key)</key>", "\t<true/>"]
      case .strings(let strings) where !strings.isEmpty:
        lines +=
          ["\t<key>\(key)</key>", "\t<array>"] + strings.map { "\t\t<string>\($0.escaped)</string>" } + ["\t</array>"]
      case .strings: break
      }
    }
    return (lines + ["</dict>", "</plist>"]).joined(separator: "\n") + "\n"
  }
}

extension String {
  /// The text as it is written in XML.
  fileprivate var escaped: String {
    map { character in
      switch character {
      case "<": "&lt;"
      case ">": "&gt;"
      case "&": "&amp;"
      default: String(character)
      }
    }.joined()
  }
}
