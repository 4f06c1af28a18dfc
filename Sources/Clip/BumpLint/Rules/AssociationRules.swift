/// The rules of apple-app-site-association files: their presence, how they are served, and what they list.
extension Project {
  func associationFindings() -> [Finding] {
    var findings: [Finding] = []
    for site in sites {
      findings += servingFindings(site) + site.faults
      guard let association = site.association else { continue }
      findings += idFindings(association) + formatFindings(association) + patternFindings(association)
    }
    let described = description.invocationHosts
    for host in described where !sites.contains(where: { $0.isFor(host.value) }) && !Self.isPlaceholder(host.value) {
      let path = "sites/\(host.value)/.well-known/apple-app-site-association"
      findings.append(
        Finding(.aasaAbsent, at: host.place, "there is no file for \(host.value)", mend: "Add \(path)"))
    }
    return findings + openingFindings() + coverageFindings()
  }

  private func servingFindings(_ site: AssociationFile) -> [Finding] {
    var findings: [Finding] = []
    let place = FileLocation(site.path)
    if !site.isInPlace, !sites.contains(where: { $0.isInPlace && $0.host == site.host }) {
      findings.append(Finding(.aasaName, at: place, "this is not .well-known/apple-app-site-association"))
    }
    if site.size > AssociationFile.limit {
      findings.append(Finding(.aasaSize, at: place, "the file has \(site.size) bytes"))
    }
    // Before the server's own answer may come a proxy's 200 or an early 103; behind a redirect, other answers.
    guard let head = site.heads.first(where: { $0.status.value >= 300 }) ?? site.heads.last else { return findings }
    if head.status.value != 200 {
      findings.append(
        Finding(.aasaServed, at: head.status.place, "the server answered with status \(head.status.value)"))
    } else if let type = head.contentType {
      if type.value.prefix(while: { $0 != ";" }).trimmed.lowercased() != "application/json" {
        findings.append(Finding(.aasaContentType, at: type.place, "the type is \(type.value)"))
      }
    } else {
      findings.append(Finding(.aasaContentType, at: head.status.place, "no type was sent"))
    }
    return findings
  }

  private func idFindings(_ association: Association) -> [Finding] {
    var findings: [Finding] = []
    let linkIDs = association.entries.flatMap(\.ids)
    for id in (association.clips ?? []) + linkIDs + association.otherIDs where ApplicationID.parts(of: id.value) == nil
    {
      findings.append(Finding(.aasaAppIDSyntax, at: id.place, "\(id.value) is not an application id"))
    }
    if let place = association.clipDetails {
      findings.append(Finding(.aasaAppclipsDetails, at: place, "appclips has details"))
    }
    if let clip = bundleID(of: .clip) {
      for id in linkIDs where ApplicationID.names(id.value, bundleID: clip.value, team: nil) {
        findings.append(Finding(.aasaClipInApplinks, at: id.place, "the clip \(id.value) is in applinks"))
      }
    }
    return findings
  }

  private func formatFindings(_ association: Association) -> [Finding] {
    var findings: [Finding] = []
    if let place = association.legacyApps {
      findings.append(Finding(.aasaLegacyApps, at: place, "applinks has apps"))
    }
    for entry in association.entries where !entry.oldFields.isEmpty && !entry.hasComponents {
      if let new = entry.newFields.first, let old = entry.oldFields.first {
        findings.append(Finding(.aasaMixedFormat, at: entry.place, "\(new) and \(old) are mixed, without components"))
      } else {
        let fields = entry.oldFields.joined(separator: " and ")
        findings.append(Finding(.aasaLegacyFormat, at: entry.place, "the entry has \(fields)"))
      }
    }
    return findings
  }

  private func patternFindings(_ association: Association) -> [Finding] {
    var findings: [Finding] = []
    for entry in association.entries {
      var seen: Set<String> = []
      var catchAll: PathRule?
      for rule in entry.rules {
        if let catchAll {
          findings.append(
            Finding(
              .aasaUnreachable, at: rule.place, "the rule \(rule.text) follows \(catchAll.text), which matches all")
          )
        } else if !seen.insert(rule.key).inserted {
          findings.append(Finding(.aasaUnreachable, at: rule.place, "the rule \(rule.text) occurs twice"))
        }
        if catchAll == nil, rule.isCatchAll { catchAll = rule }
        if !rule.excludes, rule.text.hasSuffix("*"), let last = rule.text.dropLast().last, last.isASCII,
          last.isLetter || last.isNumber
        {
          let start = rule.text.dropLast()
          findings.append(
            Finding(
              .aasaPathWide, at: rule.place, "\(rule.text) takes \(start)board too",
              mend: "Write \(start) and \(start)/* instead"))
        }
      }
    }
    return findings
  }

  /// Returns what is wrong about the clip in the files of the hosts that open it.
  private func openingFindings() -> [Finding] {
    var findings: [Finding] = []
    for site in sites {
      guard let association = site.association, openingHosts.contains(where: { site.isFor($0.value) }) else { continue }
      let clip = bundleID(of: .clip)?.value
      let app = bundleID(of: .app)?.value
      let place = association.clips?.first?.place ?? association.clipsPlace
      let ids = association.clips ?? []
      if let app, let id = ids.first(where: { ApplicationID.names($0.value, bundleID: app, team: nil) }) {
        findings.append(Finding(.aasaClipMissing, at: id.place, "the app \(id.value) is in appclips.apps"))
      } else if ids.isEmpty {
        findings.append(Finding(.aasaClipMissing, at: place, "appclips.apps lists no clip"))
      } else if let clip,
        !ids.contains(where: { ApplicationID.names($0.value, bundleID: clip, team: team(for: $0.value)) })
      {
        findings.append(
          Finding(
            .aasaClipMissing, at: place, "appclips.apps does not list the clip \(clip)",
            mend: "List \(description.team?.value ?? "TEAM").\(clip)"))
      }
    }
    return findings
  }

  /// Returns the team that an id should have; `nil` if the id's prefix is not valid, which another rule reports.
  private func team(for id: String) -> String? {
    ApplicationID.parts(of: id) == nil ? nil : description.team?.value
  }

  /// Returns the URLs of the project that the files of their hosts do not take.
  private func coverageFindings() -> [Finding] {
    var findings: [Finding] = []
    var work = MatchWork()
    for link in description.invocations + description.appLinks {
      guard let site = sites.first(where: { $0.isFor(link.value.host) }), let association = site.association else {
        continue
      }
      if let finding = coverage(of: link, by: association, &work) { findings.append(finding) }
      if work.isSpent {
        let reason = "its patterns take too long to compare"
        return findings + [
          Finding(.unreadable, at: FileLocation(site.path), reason, mend: "Use fewer and simpler patterns")
        ]
      }
    }
    return findings
  }

  private func coverage(
    of link: Located<ProjectLink>, by association: Association, _ work: inout MatchWork
  ) -> Finding? {
    let rules = rules(of: association)
    let path = link.value.sample
    /// Returns the rule that decides.
    func decides(_ path: String, ignoringCase: Bool = false) -> PathRule? {
      rules.first { $0.matches(link.value, path: path, ignoringCase: ignoringCase, &work) }
    }
    let url = "https://\(link.value.host)\(link.value.path)"
    if let rule = decides(path) {
      return rule.excludes ? Finding(.aasaUncovered, at: rule.place, "the rule \(rule.text) excludes \(url)") : nil
    }
    if !path.hasSuffix("/"), let rule = decides(path + "/"), !rule.excludes {
      return Finding(
        .aasaPathBare, at: rule.place, "the pattern \(rule.text) does not take \(url)",
        mend: "Add \(link.value.pattern) as a pattern too")
    }
    if let rule = decides(path, ignoringCase: true), !rule.excludes {
      return Finding(.aasaCase, at: rule.place, "the pattern \(rule.text) takes \(url) in another case only")
    }
    return Finding(
      .aasaUncovered, at: association.linksPlace, "no pattern takes \(url)",
      mend: "Add a pattern such as \(link.value.pattern)")
  }

  /// Returns the rules for the app, in order; those of all entries if no entry names the app.
  private func rules(of association: Association) -> [PathRule] {
    guard let app = bundleID(of: .app)?.value else { return association.entries.flatMap(\.rules) }
    let own = association.entries.filter { entry in
      entry.ids.contains { ApplicationID.names($0.value, bundleID: app, team: nil) }
    }
    return (own.isEmpty ? association.entries : own).flatMap(\.rules)
  }
}

extension AssociationFile {
  /// Returns whether the file is for a host. A file in a folder that names no host is for all hosts.
  func isFor(_ host: String) -> Bool { self.host == nil || self.host == host }
}
