import BumpClip
import BumpText

/// A file `apple-app-site-association` of a project: its place, how it was served, and its content.
struct AssociationFile: Sendable {
  /// The greatest size of a file in bytes, from a guide of Apple's of 2016. Today's pages name no limit.
  static let limit = 131_072
  /// The greatest depth of lists and objects within each other.
  static let depth = 16

  let path: String
  /// The host that the file's folder names; `nil` if the name is not a host's.
  let host: String?
  /// Whether the file has the exact name, in `.well-known`.
  let isInPlace: Bool
  let size: Int
  /// The heads of the server's responses, if they were kept.
  let heads: [HTTPHead]
  /// The content of the file; `nil` if it is not a JSON object.
  private(set) var association: Association?
  /// Why the content is not a JSON object, or which of its values have a wrong type or are not valid.
  private(set) var faults: [Finding] = []

  init(_ file: SourceFile, heads: [HTTPHead]) {
    (path, size, self.heads) = (file.path, file.content.count, heads)
    var folders = file.folders
    let isWellKnown = folders.last == ".well-known"
    if isWellKnown { folders.removeLast() }
    isInPlace = isWellKnown && file.name == "apple-app-site-association"
    host = folders.last.flatMap { ATName.isHandle($0.utf8) ? $0.lowercased() : nil }
    let mark = ByteOrderMark(file.content)
    faults = mark.map { [Self.fault($0, FileLocation(path, 1))] } ?? []
    guard mark == nil || mark == .utf8 else { return }
    do throws(ExperienceError) {
      let json = try LineJSON.read(
        file.content.withoutByteOrderMark, limit: SourceFile.limit, depth: Self.depth)
      var reader = AssociationReader(path: path)
      association = reader.association(json)
      faults += reader.faults
    } catch {
      faults.append(Finding(.aasaJson, at: FileLocation(path, error.line), error.reason))
    }
  }

  /// JSON is sent in UTF-8, and without a byte order mark (RFC 8259 §8.1).
  private static func fault(_ mark: ByteOrderMark, _ place: FileLocation) -> Finding {
    Finding(
      .aasaJson, at: place,
      mark == .utf8
        ? "the file begins with a byte order mark (BOM), an invisible character that JSON does not have"
        : "the file is in \(mark.rawValue), not in UTF-8",
      mend: "Save the file as UTF-8 without BOM")
  }
}

/// The content of a file `apple-app-site-association`.
struct Association: Sendable {
  /// The entry of an app under `applinks.details`.
  struct Entry: Sendable {
    let place: FileLocation
    var ids: [Located<String>] = []
    /// The fields of the format before iOS 13 that the entry has.
    var oldFields: [String] = []
    /// The fields of today's format that the entry has.
    var newFields: [String] = []
    /// Whether the entry has `components`.
    var hasComponents: Bool { newFields.contains("components") }
    /// The rules: those of `components`, or those of `paths` where the entry has no `components`.
    ///
    /// `appID` and `appIDs` both go with `components` (Apple, applinks.Details). `paths` may be kept beside them for
    /// systems before iOS 13; later ones ignore it there (WWDC 2019, session 717).
    var rules: [PathRule] = []
  }

  /// The ids under `appclips.apps`; `nil` if there is no such list.
  var clips: [Located<String>]?
  /// The place of `appclips`, or of the file if it has none.
  var clipsPlace: FileLocation
  /// The place of `details` under `appclips`.
  var clipDetails: FileLocation?
  /// The ids under `webcredentials.apps`, `activitycontinuation.apps` and `authsrv.apps`.
  var otherIDs: [Located<String>] = []
  /// The place of `applinks.apps`.
  var legacyApps: FileLocation?
  /// The place of `applinks`, or of the file if it has none.
  var linksPlace: FileLocation
  var entries: [Entry] = []
}

/// Reads the JSON of such a file. A value of a wrong type is a fault, and the rest is still read.
struct AssociationReader {
  let path: String
  private(set) var faults: [Finding] = []
  private var variables: [String: [[Pattern.Token]]] = [:]

  init(path: String) { self.path = path }

  /// How patterns are compared: with or without regard to case, and with the URL as written or decoded.
  private struct Defaults {
    var isCaseSensitive = true
    var isPercentEncoded = true
  }

  private func place(_ json: LineJSON) -> FileLocation { FileLocation(path, json.line) }

  private mutating func fault(_ rule: Rule, _ json: LineJSON, _ what: String, mend: String? = nil) {
    faults.append(Finding(rule, at: place(json), what, mend: mend))
  }

  private mutating func members(_ json: LineJSON, _ name: String) -> [(name: String, value: LineJSON)] {
    if case .object(let members) = json.value { return members }
    fault(.aasaJson, json, "\(name) is \(json.kind), not an object")
    return []
  }

  private mutating func elements(_ json: LineJSON, _ name: String) -> [LineJSON] {
    if case .array(let elements) = json.value { return elements }
    fault(.aasaJson, json, "\(name) is \(json.kind), not a list")
    return []
  }

  private mutating func string(_ json: LineJSON, _ name: String) -> Located<String>? {
    if case .string(let text) = json.value { return Located(text, place(json)) }
    fault(.aasaJson, json, "\(name) is \(json.kind), not a string")
    return nil
  }

  private mutating func bool(_ json: LineJSON, _ name: String) -> Bool? {
    if case .bool(let bool) = json.value { return bool }
    fault(.aasaJson, json, "\(name) is \(json.kind), not true or false")
    return nil
  }

  private mutating func ids(_ json: LineJSON, _ name: String) -> [Located<String>] {
    elements(json, name).compactMap { string($0, "an element of \(name)") }
  }

  mutating func association(_ json: LineJSON) -> Association? {
    guard case .object(let members) = json.value else {
      fault(.aasaJson, json, "the file is \(json.kind), not an object")
      return nil
    }
    var association = Association(clipsPlace: place(json), linksPlace: place(json))
    for (name, value) in members {
      switch name {
      case "appclips":
        association.clipsPlace = place(value)
        for (name, value) in self.members(value, name) {
          if name == "apps" { association.clips = ids(value, "appclips.apps") }
          if name == "details" { association.clipDetails = place(value) }
        }
      case "webcredentials", "activitycontinuation", "authsrv":
        for (field, value) in self.members(value, name) where field == "apps" {
          association.otherIDs += ids(value, "\(name).apps")
        }
      case "applinks":
        association.linksPlace = place(value)
        links(self.members(value, name), &association)
      default: break
      }
    }
    return association
  }

  private mutating func links(_ members: [(name: String, value: LineJSON)], _ association: inout Association) {
    var defaults = Defaults()
    for (name, value) in members {
      if name == "apps" { association.legacyApps = place(value) }
      if name == "substitutionVariables" { define(self.members(value, name)) }
      if name == "defaults" { read(&defaults, self.members(value, name)) }
    }
    for (name, value) in members where name == "details" {
      for entry in elements(value, "details") { association.entries.append(self.entry(entry, defaults)) }
    }
  }

  private mutating func read(_ defaults: inout Defaults, _ members: [(name: String, value: LineJSON)]) {
    for (name, value) in members {
      if name == "caseSensitive" { defaults.isCaseSensitive = bool(value, name) ?? true }
      if name == "percentEncoded" { defaults.isPercentEncoded = bool(value, name) ?? true }
    }
  }

  private mutating func define(_ members: [(name: String, value: LineJSON)]) {
    for (name, value) in members {
      if name.contains(where: { "$()".contains($0) }) {
        fault(.aasaVariable, value, "the name of the variable \(name) has a character of $()")
      }
      variables[name] = elements(value, name).compactMap { element in
        guard let text = string(element, "a value of \(name)") else { return nil }
        if text.value.contains("$(") {
          fault(.aasaVariable, element, "a value of the variable \(name) has a variable in it: \(text.value)")
        }
        return Pattern.value(text.value)
      }
    }
  }

  private mutating func entry(_ json: LineJSON, _ outer: Defaults) -> Association.Entry {
    var entry = Association.Entry(place: place(json))
    var defaults = outer
    let members = self.members(json, "an element of details")
    for (name, value) in members where name == "defaults" { read(&defaults, self.members(value, name)) }
    var (components, paths): ([PathRule], [PathRule]) = ([], [])
    for (name, value) in members {
      switch name {
      case "appID":
        entry.oldFields.append(name)
        if let id = string(value, name) { entry.ids.append(id) }
      case "appIDs":
        entry.newFields.append(name)
        entry.ids += ids(value, name)
      case "paths":
        entry.oldFields.append(name)
        for element in elements(value, name) {
          if let rule = path(element) { paths.append(rule) }
        }
      case "components":
        entry.newFields.append(name)
        for element in elements(value, name) { components.append(component(element, defaults)) }
      default: break
      }
    }
    entry.rules = entry.hasComponents ? components : paths
    return entry
  }

  /// Reads an element of `paths`. `NOT ` at its beginning excludes.
  private mutating func path(_ json: LineJSON) -> PathRule? {
    guard let text = string(json, "an element of paths") else { return nil }
    let excludes = text.value.hasPrefix("NOT ")
    let path = excludes ? String(text.value.dropFirst(4)) : text.value
    return PathRule(
      place: text.place, text: path, path: pathPattern(path, json), query: .whole(.all), fragment: .all,
      excludes: excludes, isCaseSensitive: true, isPercentEncoded: true)
  }

  /// Reads an element of `components`. An absent field matches everything.
  private mutating func component(_ json: LineJSON, _ defaults: Defaults) -> PathRule {
    var (text, path, query, fragment) = ("*", Pattern.all, PathRule.Query.whole(.all), Pattern.all)
    var (excludes, defaults) = (false, defaults)
    for (name, value) in members(json, "an element of components") {
      switch name {
      case "/":
        guard let string = string(value, "/") else { continue }
        text = string.value
        path = pathPattern(text, value)
      case "?":
        if case .object(let items) = value.value {
          query = .items(
            items.compactMap { name, value in
              string(value, name).map { (name, pattern($0.value, value)) }
            })
        } else if let string = string(value, "?") {
          query = .whole(pattern(string.value, value))
        }
      case "#": if let string = string(value, "#") { fragment = pattern(string.value, value) }
      case "exclude": excludes = bool(value, name) ?? false
      default: break
      }
    }
    read(&defaults, members(json, ""))
    return PathRule(
      place: place(json), text: text, path: path, query: query, fragment: fragment, excludes: excludes,
      isCaseSensitive: defaults.isCaseSensitive, isPercentEncoded: defaults.isPercentEncoded)
  }

  private mutating func pathPattern(_ text: String, _ json: LineJSON) -> Pattern {
    guard text.hasPrefix("/") || text.hasPrefix("*") || text.hasPrefix("$(") else {
      fault(.aasaPatternSyntax, json, "the pattern \(text) does not begin with a slash")
      return .none
    }
    return pattern(text, json)
  }

  /// Texts that belong to regular expressions and templates of routes, and not to URLs.
  private static let foreign: [(text: String, name: String, mend: String?)] = [
    ("{", "a brace", braces), ("}", "a brace", braces), ("[", "a bracket", nil), ("]", "a bracket", nil),
    ("^", "a ^", nil), ("|", "a |", nil), ("\\", "a backslash", nil),
    ("/.*", "a .* as of a regular expression", "Write /* in place of /.*"),
    ("/.+", "a .+ as of a regular expression", "Write /?* in place of /.+"),
  ]
  private static let braces = "Write * in place of the braces and what is between them"

  private mutating func pattern(_ text: String, _ json: LineJSON) -> Pattern {
    if let foreign = Self.foreign.first(where: { text.contains($0.text) }) {
      fault(.aasaPatternSyntax, json, "the pattern \(text) has \(foreign.name) in it", mend: foreign.mend)
      return .none
    }
    if text.contains("**") {
      // It still takes what one * takes: any run of characters, slashes among them.
      fault(
        .aasaPatternSyntax, json, "the pattern \(text) has ** in it, as of another tool's patterns",
        mend: "Write \(text.replacing(/\*+/, with: "*")): one * takes slashes too")
    }
    do throws(Pattern.Fault) {
      return try Pattern(text, variables)
    } catch {
      switch error {
      case .variable(let name?): fault(.aasaVariable, json, "the variable \(name) is not defined")
      case .variable(nil): fault(.aasaVariable, json, "a variable does not end in the pattern \(text)")
      }
      return .none
    }
  }
}
