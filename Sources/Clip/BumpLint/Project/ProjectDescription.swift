public import BumpClip
import BumpText

/// The ids, URLs and sizes of a project that none of its files has. They are read from project.json, whose fields
/// Docs/app-clips.md describes, or taken from one of the products of BumpClip.
public struct ProjectDescription: Sendable {
  struct Target: Sendable {
    var bundleID: Located<String>?
    /// The major version of iOS.
    var deploymentTarget: Located<Int>?
    var frameworks: [Located<String>] = []
    /// The measured size, uncompressed, in megabytes.
    var size: Located<Double>?
    /// The greatest size that is planned, uncompressed, in megabytes.
    var sizeBudget: Located<Double>?
  }

  struct Redirect: Sendable {
    let from: ProjectLink
    let to: ProjectLink
  }

  var team: Located<String>?
  var app = Target()
  var clip = Target()
  /// The URLs that open the clip.
  var invocations: [Located<ProjectLink>] = []
  /// The URLs that open only the app.
  var appLinks: [Located<ProjectLink>] = []
  /// The service type in the code.
  var serviceType: Located<String>?
  /// The App Groups in the code.
  var groups: [Located<String>] = []
  /// Whether the clip is opened by QR codes, NFC tags or App Clip Codes.
  var physical: Located<Bool>?
  /// The URLs that are registered in App Store Connect.
  var registered: [Located<ProjectLink>] = []
  var redirects: [Located<Redirect>] = []
  var debugURL: Located<String>?
  /// The content of the smart app banner.
  var banner: Located<String>?

  /// Makes an empty description.
  public init() {}

  /// Reads project.json.
  ///
  /// - Throws: `ExperienceError` with the line.
  public init(_ content: [UInt8]) throws(ExperienceError) {
    try self.init(content, file: "project.json")
  }

  init(_ content: [UInt8], file: String) throws(ExperienceError) {
    var fields = try Fields(LineJSON.read(content.withoutByteOrderMark))
    team = try fields.optional("teamId") { (value) throws(ExperienceError) in
      let team = try value.located(in: file)
      guard ApplicationID.isPrefix(team.value) else { throw value.wrong("a team is ten of A-Z and 0-9") }
      return team
    }
    app = try fields.optional("app") { (value) throws(ExperienceError) in try Target(value, file) } ?? Target()
    clip = try fields.optional("clip") { (value) throws(ExperienceError) in try Target(value, file) } ?? Target()
    func links(_ name: String) throws(ExperienceError) -> [Located<ProjectLink>] {
      try fields.optional(name) { (value) throws(ExperienceError) in
        try value.list { (element) throws(ExperienceError) in try element.link(in: file) }
      } ?? []
    }
    invocations = try links("invocations")
    appLinks = try links("appLinks")
    registered = try links("registered")
    serviceType = try fields.optional("serviceType") { (value) throws(ExperienceError) in
      try value.located(in: file)
    }
    groups =
      try fields.optional("groups") { (value) throws(ExperienceError) in
        try value.list { (element) throws(ExperienceError) in try element.located(in: file) }
      } ?? []
    physical = try fields.optional("physical") { (value) throws(ExperienceError) in
      guard case .bool(let bool) = value.value else { throw value.wrong("this is \(value.kind), not true or false") }
      return Located(bool, FileLocation(file, value.line))
    }
    redirects =
      try fields.optional("redirects") { (value) throws(ExperienceError) in
        try value.list { (element) throws(ExperienceError) in
          let ends = try element.list { (end) throws(ExperienceError) in try end.link(in: file) }
          guard ends.count == 2 else { throw element.wrong("a redirect is a list of two URLs") }
          return Located(Redirect(from: ends[0].value, to: ends[1].value), FileLocation(file, element.line))
        }
      } ?? []
    debugURL = try fields.optional("debugURL") { (value) throws(ExperienceError) in try value.located(in: file) }
    banner = try fields.optional("banner") { (value) throws(ExperienceError) in try value.located(in: file) }
    try fields.end()
  }

  /// Makes the description of a product. Each path of an experience, on each of its hosts, becomes a URL that opens the
  /// clip or the app.
  public init(_ product: Product) {
    let place = FileLocation("project.json")
    team = product.team.map { Located($0, place) }
    app.bundleID = product.app.map { Located($0, place) }
    clip.bundleID = product.clip.map { Located($0, place) }
    clip.sizeBudget = product.size.map { Located(Double($0), place) }
    groups = product.group.map { [Located($0, place)] } ?? []
    for experience in product.experiences {
      let links = experience.hosts.flatMap { host in
        experience.paths.compactMap { path in
          let segments = path.segments.map { segment in
            switch segment {
            case .word(let word): word
            case .capture(let name, _): "{\(name)}"
            }
          }
          return ProjectLink("https://\(host)/\(segments.joined(separator: "/"))").map { Located($0, place) }
        }
      }
      if experience.opens == .clip { invocations += links } else { appLinks += links }
    }
  }

  /// Takes from another description what this one lacks. URLs that open the app are taken only if this one has none
  /// that open the clip.
  public mutating func add(_ other: ProjectDescription) {
    team = team ?? other.team
    app.add(other.app)
    clip.add(other.clip)
    if invocations.isEmpty { (invocations, appLinks) = (other.invocations, appLinks + other.appLinks) }
    serviceType = serviceType ?? other.serviceType
    if groups.isEmpty { groups = other.groups }
    physical = physical ?? other.physical
    if registered.isEmpty { registered = other.registered }
    if redirects.isEmpty { redirects = other.redirects }
    debugURL = debugURL ?? other.debugURL
    banner = banner ?? other.banner
  }

  /// The hosts of the URLs that open the clip, each once.
  var invocationHosts: [Located<String>] { Self.hosts(of: invocations) }

  /// The hosts of all URLs, each once.
  var allHosts: [Located<String>] { Self.hosts(of: invocations + appLinks) }

  private static func hosts(of links: [Located<ProjectLink>]) -> [Located<String>] {
    var seen: Set<String> = []
    // appclip.apple.com is Apple's own: its links need no association.
    return links.filter { $0.value.host != "appclip.apple.com" && seen.insert($0.value.host).inserted }.map {
      Located($0.value.host, $0.place)
    }
  }
}

extension ProjectDescription.Target {
  init(_ value: LineJSON, _ file: String) throws(ExperienceError) {
    var fields = try Fields(value)
    bundleID = try fields.optional("bundleId") { (value) throws(ExperienceError) in
      let id = try value.located(in: file)
      guard ApplicationID.isBundleID(id.value) else { throw value.wrong("a bundle id looks like com.example.App") }
      return id
    }
    deploymentTarget = try fields.optional("deploymentTarget") { (value) throws(ExperienceError) in
      let text = try value.string()
      guard let major = text.split(separator: ".").first.flatMap({ Int($0) }), (1...1000).contains(major) else {
        throw value.wrong("a deployment target is a version such as \"16.4\"")
      }
      return Located(major, FileLocation(file, value.line))
    }
    frameworks =
      try fields.optional("frameworks") { (value) throws(ExperienceError) in
        try value.list { (element) throws(ExperienceError) in try element.located(in: file) }
      } ?? []
    size = try fields.optional("sizeMB") { (value) throws(ExperienceError) in try value.megabytes(in: file) }
    sizeBudget = try fields.optional("sizeBudgetMB") { (value) throws(ExperienceError) in
      try value.megabytes(in: file)
    }
    try fields.end()
  }

  fileprivate mutating func add(_ other: Self) {
    bundleID = bundleID ?? other.bundleID
    deploymentTarget = deploymentTarget ?? other.deploymentTarget
    if frameworks.isEmpty { frameworks = other.frameworks }
    if size == nil { sizeBudget = sizeBudget ?? other.sizeBudget }
  }
}

extension LineJSON {
  fileprivate func list<Element>(
    _ read: (LineJSON) throws(ExperienceError) -> Element
  ) throws(ExperienceError) -> [Element] {
    var list: [Element] = []
    for element in try elements() { list.append(try read(element)) }
    return list
  }

  fileprivate func located(in file: String) throws(ExperienceError) -> Located<String> {
    Located(try text(512), FileLocation(file, line))
  }

  fileprivate func link(in file: String) throws(ExperienceError) -> Located<ProjectLink> {
    guard let link = ProjectLink(try string()) else {
      throw wrong(
        "a URL looks like https://irl.app/claim/{claimId}: no user, no port, and braces around whole segments")
    }
    return Located(link, FileLocation(file, line))
  }

  fileprivate func megabytes(in file: String) throws(ExperienceError) -> Located<Double> {
    let size: Double =
      switch value {
      case .integer(let integer): Double(integer)
      case .number(let number): number
      default: throw wrong("this is \(kind), not a number of megabytes")
      }
    guard size > 0, size <= 10_000 else { throw wrong("a size is more than 0 and at most 10000 megabytes") }
    return Located(size, FileLocation(file, line))
  }
}
