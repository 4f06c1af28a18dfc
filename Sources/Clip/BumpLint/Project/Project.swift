import BumpClip

/// A property list of a project, and its path.
struct PlistFile: Sendable {
  let path: String
  let plist: Plist

  /// Returns the place of a key, or of the file if the key is absent.
  func place(_ key: String) -> FileLocation { FileLocation(path, plist.member(key)?.line) }

  /// Returns the strings of a key, with their places.
  func strings(_ key: String) -> [Located<String>] {
    (plist[key]?.strings ?? []).map { Located($0.text, FileLocation(path, $0.line)) }
  }
}

/// The content of a project's files.
struct Project: Sendable {
  enum Role: Sendable {
    case app
    case clip
  }

  /// The files of a target.
  struct Target: Sendable {
    var entitlements: [PlistFile] = []
    var infos: [PlistFile] = []
  }

  var description: ProjectDescription
  let experiences: Experiences
  private(set) var app = Target()
  private(set) var clip = Target()
  private(set) var sites: [AssociationFile] = []
  private(set) var banners: [Banner] = []
  private(set) var debugURLs: [Located<String>] = []
  private(set) var unreadable: [Finding] = []

  /// Reads the files of a project.
  ///
  /// - Parameter product: a description for what project.json leaves out.
  init(_ files: [SourceFile], _ experiences: Experiences, product: ProjectDescription?) {
    (self.experiences, description) = (experiences, ProjectDescription())
    var plists: [(file: PlistFile, isEntitlements: Bool)] = []
    let heads = Dictionary(files.filter { SourceFile.kind(of: $0.path) == .head }.map { ($0.path, $0) }) { $1 }
    for file in files {
      if let failure = file.failure {
        unreadable.append(Finding(.unreadable, at: FileLocation(file.path), failure))
        continue
      }
      guard let kind = SourceFile.kind(of: file.path) else { continue }
      do throws(Malformed) {
        switch kind {
        case .description: description = try Self.description(file)
        case .entitlements: plists.append((PlistFile(path: file.path, plist: try Plist.read(file.content)), true))
        case .info: plists.append((PlistFile(path: file.path, plist: try Plist.read(file.content)), false))
        case .association:
          sites.append(AssociationFile(file, heads: heads[file.path + ".headers"].map(HTTPHead.all) ?? []))
        case .page: banners += Banner.all(in: file)
        case .scheme:
          debugURLs += try Scheme.debugURLs(file.content).map { Located($0.url, FileLocation(file.path, $0.line)) }
        case .head: break
        }
      } catch {
        unreadable.append(Finding(.unreadable, at: FileLocation(file.path, error.line), error.reason, mend: error.mend))
      }
    }
    if let product { description.add(product) }
    if let banner = description.banner { banners.append(Banner(content: banner.value, at: banner.place)) }
    if let url = description.debugURL { debugURLs.append(url) }
    assign(plists)
  }

  private static func description(_ file: SourceFile) throws(Malformed) -> ProjectDescription {
    do throws(ExperienceError) {
      return try ProjectDescription(file.content, file: file.path)
    } catch {
      throw Malformed(error.reason, line: error.line)
    }
  }

  /// Assigns each property list to its target. Those of extensions, frameworks and tests are left out, and those of
  /// other platforms.
  private mutating func assign(_ plists: [(file: PlistFile, isEntitlements: Bool)]) {
    let others = plists.filter { file, _ in
      file.plist["NSExtension"] != nil || ["FMWK", "BNDL"].contains(file.plist["CFBundlePackageType"]?.string)
    }
    let otherFolders = Set(others.map { SourceFile.folder(of: $0.file.path) }.filter { !$0.isEmpty })
    // A Mac app may share its folder with the app of iOS.
    let infos = plists.filter { !$0.isEntitlements }
    let foreign = infos.filter { OtherPlatform.isInfo($0.file.plist) }
    let foreignFolders = Set(foreign.map { SourceFile.folder(of: $0.file.path) }.filter { !$0.isEmpty })
      .subtracting(infos.filter { !OtherPlatform.isInfo($0.file.plist) }.map { SourceFile.folder(of: $0.file.path) })
    for (file, isEntitlements) in plists where !otherFolders.contains(SourceFile.folder(of: file.path)) {
      if !isEntitlements, others.contains(where: { $0.file.path == file.path }) { continue }
      let isForeign =
        foreignFolders.contains(SourceFile.folder(of: file.path)) || foreign.contains { $0.file.path == file.path }
      guard let role = Self.role(byKeysOf: file) ?? (isForeign ? nil : Self.role(byNameOf: file)) else { continue }
      switch (role, isEntitlements) {
      case (.app, true): app.entitlements.append(file)
      case (.app, false): app.infos.append(file)
      case (.clip, true): clip.entitlements.append(file)
      case (.clip, false): clip.infos.append(file)
      }
    }
    app.entitlements = OtherPlatform.without(app.entitlements)
    clip.entitlements = OtherPlatform.without(clip.entitlements)
  }

  /// Returns the target of a file by a key that only one target has; `nil` if there is no such key.
  static func role(byKeysOf file: PlistFile) -> Role? {
    let keys = [Entitlement.onDemand, Entitlement.parents, "NSAppClip"]
    if keys.contains(where: { file.plist[$0] != nil }) { return .clip }
    return file.plist[Entitlement.clips] != nil ? .app : nil
  }

  /// Returns the target of a file by the words of its name, else by those of its folders; `nil` for a file that is named
  /// as one of an extension or of tests, which Xcode also puts beside the app's, or of another platform.
  private static func role(byNameOf file: PlistFile) -> Role? {
    let parts = file.path.split(separator: "/")
    let isOther = parts.contains { part in
      let words = words(of: part)
      return part.contains("Tests") || words.contains { ["extension", "widget", "tests"].contains($0) }
        || OtherPlatform.isNamed(by: words)
    }
    if isOther { return nil }
    for part in parts.reversed() {
      let words = words(of: part)
      if words.contains("clip") || words.contains("appclip") { return .clip }
      if words.contains("app") { return .app }
    }
    return .app
  }

  /// Returns the words of a name such as `OrbitingClip.entitlements` or `IRLClip`, in lower case.
  private static func words(of name: Substring) -> [String] {
    var words: [String] = [""]
    var last: Character?
    for index in name.indices {
      let character = name[index]
      let next = name[name.index(after: index)...].first
      if !character.isLetter {
        words.append("")
      } else if character.isUppercase,
        last?.isLowercase == true || last?.isUppercase == true && next?.isLowercase == true
      {
        words.append(character.lowercased())
      } else {
        words[words.count - 1] += character.lowercased()
      }
      last = character
    }
    return words.filter { !$0.isEmpty }
  }

  /// Returns the bundle id of a target: from project.json, else from an Info.plist in which it has no variables.
  func bundleID(of role: Role) -> Located<String>? {
    let (target, described) = role == .app ? (app, description.app) : (clip, description.clip)
    return described.bundleID
      ?? target.infos.lazy.compactMap { info in
        info.strings("CFBundleIdentifier").first { ApplicationID.isBundleID($0.value) }
      }.first
  }

  /// The property lists that the described targets lack, in words.
  var absent: [String] {
    [("app", description.app, app), ("clip", description.clip, clip)].filter { $0.1.bundleID != nil }
      .flatMap { name, _, target in
        (target.entitlements.isEmpty ? ["entitlements of the \(name)"] : [])
          + (target.infos.isEmpty ? ["Info.plist of the \(name)"] : [])
      }
  }

  /// Returns a build setting as it may be written.
  private static func settings(_ name: String) -> [String] { ["$(\(name))", "${\(name)}"] }

  /// Returns an application id of a file with its variables replaced; `nil` if the value of a variable is not known.
  func resolved(_ text: String, in role: Role) -> String? {
    var text = text
    for prefix in ["AppIdentifierPrefix", "TeamIdentifierPrefix"].flatMap(Self.settings) where text.hasPrefix(prefix) {
      guard let team = description.team?.value else { return nil }
      text = "\(team).\(text.dropFirst(prefix.count))"
    }
    for variable in ["PRODUCT_BUNDLE_IDENTIFIER", "CFBundleIdentifier"].flatMap(Self.settings)
    where text.hasSuffix(variable) {
      guard let id = bundleID(of: role)?.value else { return nil }
      text = text.dropLast(variable.count) + id
    }
    return text.contains("$") ? nil : text
  }

  /// The hosts for which the clip has an entry `appclips:` without a wildcard.
  var clipHosts: [Located<String>] {
    var seen: Set<String> = []
    return AssociatedDomains(clip.entitlements).known.filter {
      $0.value.service == "appclips" && !$0.value.isWildcard && seen.insert($0.value.host).inserted
    }.map { Located($0.value.host, $0.place) }
  }

  /// The hosts that open the clip: from project.json, else from the clip's entitlements.
  var openingHosts: [Located<String>] {
    description.invocationHosts.isEmpty ? clipHosts : description.invocationHosts
  }
}

extension SourceFile {
  static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }
}

/// Keys of entitlements.
enum Entitlement {
  static let domains = "com.apple.developer.associated-domains"
  static let groups = "com.apple.security.application-groups"
  static let onDemand = "com.apple.developer.on-demand-install-capable"
  static let parents = "com.apple.developer.parent-application-identifiers"
  static let clips = "com.apple.developer.associated-appclip-app-identifiers"
  static let cloud = "com.apple.developer.icloud-services"
}
