import BumpText

/// Reads a product's file. Docs/app-clips.md describes the fields.
enum ProductFile {
  /// Reads a product.
  static func read(_ document: some Collection<UInt8>) throws(ExperienceError) -> Product {
    var fields = try Fields(LineJSON.read(document.withoutByteOrderMark))
    let id = try fields.required("product") { (value) throws(ExperienceError) in try value.word(ASCIISet.identifier, 32)
    }
    let name = try fields.required("name") { (value) throws(ExperienceError) in try value.text(64) }
    let team = try fields.optional("team", Self.team)
    let app = try fields.optional("app", Self.bundleID)
    let clipField = fields.value("clip")
    let clip = try fields.optional("clip", Self.bundleID)
    if let clip, let clipField, let app, !clip.hasPrefix(app + ".") {
      throw clipField.wrong("the clip's bundle id must begin with the app's and a dot")
    }
    let group = try fields.optional("group", Self.group)
    let size = try fields.optional("sizeMB") { (value) throws(ExperienceError) in try value.integer(1...1000) }
    let next = try fields.required("next") { (value) throws(ExperienceError) in try value.text(64) }
    let experiences = try fields.required("experiences") { (value) throws(ExperienceError) in
      var experiences: [Experience] = []
      for element in try value.elements() { experiences.append(try experience(element)) }
      guard !experiences.isEmpty else { throw value.wrong("a product needs an experience") }
      return experiences
    }
    let handoverField = fields.value("handover")
    let handover = try fields.optional("handover", Self.handover)
    if let handoverField, let name = handover?.needed {
      guard experiences.contains(where: { $0.opens == .clip && $0.captures(name) }) else {
        throw handoverField.wrong("no experience captures \(name)")
      }
    }
    if let handoverField, group == nil { throw handoverField.wrong("what is handed over needs a group") }
    let pageField = fields.value("page")
    let page = try fields.optional("page", Self.page)
    if let pageField, let page {
      guard case .value(let key, _)? = handover, page.keys.allSatisfy({ $0 == key }) else {
        throw pageField.wrong("a page may store only the hand-over's value, under the hand-over's key")
      }
    }
    try fields.end()
    return Product(
      id: id, name: name, team: team, app: app, clip: clip, group: group, size: size, next: next,
      experiences: experiences, handover: handover, page: page)
  }

  private static func team(_ value: LineJSON) throws(ExperienceError) -> String {
    let text = try value.string()
    guard text.utf8.count == 10, text.utf8.allSatisfy(ASCIISet.team.contains) else {
      throw value.wrong("a team is ten of A-Z and 0-9")
    }
    return text
  }

  private static func bundleID(_ value: LineJSON) throws(ExperienceError) -> String {
    let text = try value.word(ASCIISet.bundleID, 155)
    guard text.contains("."), !text.hasPrefix("."), !text.hasSuffix("."), !text.contains("..") else {
      throw value.wrong("a bundle id looks like com.example.App")
    }
    return text
  }

  private static func group(_ value: LineJSON) throws(ExperienceError) -> String {
    let text = try bundleID(value)
    guard text.hasPrefix("group.") else { throw value.wrong("a group begins with group.") }
    return text
  }

  private static func experience(_ value: LineJSON) throws(ExperienceError) -> Experience {
    var fields = try Fields(value)
    let id = try fields.required("id") { (value) throws(ExperienceError) in try value.word(ASCIISet.identifier, 32) }
    let hosts = try fields.required("hosts") { (value) throws(ExperienceError) in
      var hosts: [String] = []
      for element in try value.elements() { hosts.append(try host(element)) }
      guard !hosts.isEmpty else { throw value.wrong("an experience needs a host") }
      return hosts
    }
    let rules = try fields.optional("rules", Self.rules) ?? [:]
    let paths = try fields.required("paths") { (value) throws(ExperienceError) in
      var paths: [PathPattern] = []
      for element in try value.elements() { paths.append(try path(element, rules)) }
      guard !paths.isEmpty else { throw value.wrong("an experience needs a path") }
      return paths
    }
    let query = try fields.optional("query", Self.rules) ?? [:]
    let url = try fields.optional("url") { (value) throws(ExperienceError) in try value.word(ASCIISet.name, 32) }
    let fragment = try fields.optional("fragment") { (value) throws(ExperienceError) in
      try value.one(of: ["claim-link"])
    }
    let opens = try fields.optional("opens") { (value) throws(ExperienceError) in
      try value.one(of: ["clip", "app"])
    }
    var names = Array(rules.keys) + Array(query.keys)
    if let url { names.append(url) }
    if fragment != nil { names += ["amount", "token"] }
    let known = Set(names)
    guard known.count == names.count else {
      throw value.wrong("two captured values have the same name")
    }
    let preview = try fields.required("preview") { (value) throws(ExperienceError) in
      var lines: [PreviewLine] = []
      for element in try value.elements() {
        guard let line = PreviewLine(try element.text(200)), known.isSuperset(of: line.names) else {
          throw element.wrong("a line is text and names of captured values in braces")
        }
        lines.append(line)
      }
      return lines
    }
    try fields.end()
    return Experience(
      id: id, hosts: hosts, paths: paths,
      query: query.sorted { $0.key < $1.key }.map { QueryItem(name: $0.key, rule: $0.value) }, url: url,
      hasClaimLink: fragment != nil, opens: opens.flatMap { .init(rawValue: $0) } ?? .clip, preview: preview)
  }

  private static func host(_ value: LineJSON) throws(ExperienceError) -> String {
    let text = try value.string()
    guard text == text.lowercased(), ATName.isHandle(text.utf8) else {
      throw value.wrong("a host looks like example.com, in lower case, without port")
    }
    return text
  }

  private static func rules(_ value: LineJSON) throws(ExperienceError) -> [String: CaptureRule] {
    var rules: [String: CaptureRule] = [:]
    for (name, rule) in try value.members() {
      guard (1...32).contains(name.utf8.count), name.utf8.allSatisfy(ASCIISet.name.contains) else {
        throw rule.wrong("the name of a captured value is 1 to 32 of A-Z, a-z, 0-9 and _")
      }
      rules[name] = try self.rule(rule)
    }
    return rules
  }

  private static func rule(_ value: LineJSON) throws(ExperienceError) -> CaptureRule {
    if case .string(let name) = value.value {
      guard let rule = CaptureRule.named[name] else {
        throw value.wrong("a rule is \(CaptureRule.named.keys.sorted().joined(separator: ", ")), or an object")
      }
      return rule
    }
    var fields = try Fields(value)
    let reason = try fields.required("reason") { (value) throws(ExperienceError) in
      try value.word(ASCIISet.identifier, 32)
    }
    let characters = try fields.optional("characters") { (value) throws(ExperienceError) in
      guard let set = ASCIISet(try value.string()) else {
        throw value.wrong("characters look like \"A-Z a-z 0-9 - _\"")
      }
      return set
    }
    let length = try fields.optional("length") { (value) throws(ExperienceError) in
      Int(try value.integer(1...Int64(Router.limit)))
    }
    let count = try fields.optional("bytes") { (value) throws(ExperienceError) in
      Int(try value.integer(1...Int64(Router.limit)))
    }
    try fields.end()
    switch (characters, length, count) {
    case (let set?, let length?, nil):
      return CaptureRule(kind: .characters(set, limit: length), reason: CaptureRule.Reason(reason))
    case (nil, nil, let count?): return CaptureRule(kind: .text(limit: count), reason: CaptureRule.Reason(reason))
    default: throw value.wrong("a rule needs characters and a length, or bytes")
    }
  }

  private static func path(
    _ value: LineJSON, _ rules: [String: CaptureRule]
  ) throws(ExperienceError) -> PathPattern {
    let text = try value.string()
    guard text.hasPrefix("/") else { throw value.wrong("a path begins with /") }
    var segments: [PathPattern.Segment] = []
    for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      if part.hasPrefix("{"), part.hasSuffix("}") {
        let name = String(part.dropFirst().dropLast())
        guard let rule = rules[name] else { throw value.wrong("\"rules\" has no rule for {\(name)}") }
        guard !segments.contains(.capture(name, rule)) else { throw value.wrong("{\(name)} occurs twice") }
        segments.append(.capture(name, rule))
      } else {
        guard !part.isEmpty, part != ".", part != "..", part.utf8.allSatisfy(ASCIISet.segment.contains) else {
          throw value.wrong("a path has words and names in braces between its slashes, and no slash at its end")
        }
        segments.append(.word(String(part)))
      }
    }
    guard segments.count <= PathPattern.limit else {
      throw value.wrong("a path has at most \(PathPattern.limit) segments")
    }
    return PathPattern(segments: segments)
  }

  private static func page(_ value: LineJSON) throws(ExperienceError) -> Product.Page {
    var fields = try Fields(value)
    let host = try fields.required("host", Self.host)
    let keys = try fields.required("keys") { (value) throws(ExperienceError) in
      var keys: [String] = []
      for element in try value.elements() { keys.append(try element.word(ASCIISet.name, 64)) }
      return keys
    }
    try fields.end()
    return Product.Page(origin: "https://\(host)", keys: keys)
  }

  private static func handover(_ value: LineJSON) throws(ExperienceError) -> Handover {
    var fields = try Fields(value)
    let key = try fields.optional("key") { (value) throws(ExperienceError) in try value.word(ASCIISet.name, 64) }
    let of = try fields.optional("value") { (value) throws(ExperienceError) in try value.word(ASCIISet.name, 32) }
    let names = try fields.optional("fields") { (value) throws(ExperienceError) in
      var fields: [Handover.Field] = []
      for (name, type) in try value.members() {
        guard (1...32).contains(name.utf8.count), name.utf8.allSatisfy(ASCIISet.name.contains), name != "storedAt"
        else {
          throw type.wrong("the name of a field is 1 to 32 of A-Z, a-z, 0-9 and _, and not storedAt")
        }
        fields.append(Handover.Field(name: name, isInteger: try type.one(of: ["string", "integer"]) == "integer"))
      }
      return fields
    }
    let days = try fields.optional("days") { (value) throws(ExperienceError) in try value.integer(1...3650) }
    let store = try fields.optional("messages") { (value) throws(ExperienceError) in
      let name = try value.word(ASCIISet.fileName, 64)
      guard !name.hasPrefix("."), name != "values" else { throw value.wrong("a store is a file name") }
      return name
    }
    try fields.end()
    switch (key, of, names, days, store) {
    case (let key?, let name?, nil, nil, nil): return .value(key: key, of: name)
    case (let key?, nil, let names?, let days?, nil) where !names.isEmpty:
      return .record(key: key, fields: names, seconds: days * 86_400)
    case (nil, nil, nil, nil, let store?): return .messages(store: store)
    default: throw value.wrong("a hand-over needs a key and a value, or a key, fields and days, or messages")
    }
  }
}

extension Handover {
  /// The captured value without which nothing is handed over.
  fileprivate var needed: String? {
    switch self {
    case .value(_, let name): name
    case .record(_, let fields, _): fields.first?.name
    case .messages: "text"
    }
  }
}

extension Experience {
  /// Returns whether a URL of this experience may have a value.
  fileprivate func captures(_ name: String) -> Bool { url == name || rule(of: name) != nil }
}
