/// The rules of associated domains.
extension Project {
  func domainFindings() -> [Finding] {
    var findings: [Finding] = []
    for entry in (app.entitlements + clip.entitlements).flatMap({ $0.strings(Entitlement.domains) }) {
      guard !entry.value.hasBuildSetting else {
        findings.append(Finding(.buildSetting, at: entry.place, "\(entry.value) has a build setting"))
        continue
      }
      guard let domain = AssociatedDomain(entry.value) else {
        let fault = AssociatedDomain.fault(of: entry.value)
        findings.append(Finding(.domainSyntax, at: entry.place, fault.what, mend: fault.mend))
        continue
      }
      if domain.isWildcard, domain.service == "appclips" {
        findings.append(Finding(.domainWildcard, at: entry.place, "\(entry.value) has a wildcard"))
      }
      if domain.mode?.contains("developer") == true {
        findings.append(Finding(.developerMode, at: entry.place, "\(entry.value) has a mode for development"))
      }
    }
    return findings + clipHostFindings() + appHostFindings() + placeholderFindings()
  }

  /// Returns the hosts that the clip's entitlements lack.
  private func clipHostFindings() -> [Finding] {
    guard let file = clip.entitlements.first else { return [] }
    let domains = AssociatedDomains(clip.entitlements)
    var findings: [Finding] = []
    var told: Set<String> = []
    func lacks(_ host: String) -> Bool { !domains.mayList("appclips", host) }
    for domain in domains.known where domain.value.service == "applinks" {
      guard !domain.value.isWildcard else {
        // A subdomain that the clip lists is enough: the linter does not know all of them.
        if !domains.mayBecome("appclips"),
          !domains.known.contains(where: { $0.value.service == "appclips" && domain.value.takes($0.value.host) })
        {
          findings.append(
            Finding(
              .clipDomainPrefix, at: domain.place, "the clip has no appclips: for a subdomain of \(domain.value.host)",
              mend: "Add appclips:HOST to the clip for each subdomain"))
        }
        continue
      }
      guard lacks(domain.value.host), told.insert(domain.value.host).inserted else { continue }
      let entry = "appclips:\(domain.value.host)"
      findings.append(
        Finding(.clipDomainPrefix, at: domain.place, "the clip has no \(entry)", mend: "Add \(entry) to the clip"))
    }
    for host in description.invocationHosts where lacks(host.value) && told.insert(host.value).inserted {
      findings.append(
        Finding(
          .hostMismatch, at: file.place(Entitlement.domains),
          "the clip has no entry for \(host.value), whose URLs open it",
          mend: "Add appclips:\(host.value) to the clip, or mend the URL"))
    }
    return findings
  }

  /// Returns the hosts that the app's entitlements lack.
  private func appHostFindings() -> [Finding] {
    var findings: [Finding] = []
    let linkHosts = description.allHosts.isEmpty ? clipHosts : description.allHosts
    for file in app.entitlements {
      let domains = AssociatedDomains([file])
      func lacks(_ service: String, _ host: String) -> Bool { !domains.mayList(service, host) }
      for host in clipHosts where lacks("appclips", host.value) {
        let entry = "appclips:\(host.value)"
        findings.append(
          Finding(
            .appAppclipsMissing, at: file.place(Entitlement.domains), "the clip has \(entry), and the app has not",
            mend: "Add \(entry) to the app"))
      }
      for host in linkHosts where lacks("applinks", host.value) {
        let entry = "applinks:\(host.value)"
        findings.append(
          Finding(
            .appApplinksMissing, at: file.place(Entitlement.domains), "the app has no \(entry)",
            mend: "Add \(entry) to the app"))
      }
    }
    return findings
  }

  /// Returns whether a host cannot belong to the reader: one of a template, or of RFC 2606.
  static func isPlaceholder(_ host: String) -> Bool {
    let names = [
      "yourapp.com", "yourdomain.com", "yoursite.com", "your-domain.com", "mydomain.com", "domain.com", "example.com",
      "example.net", "example.org",
    ]
    return names.contains { host == $0 || host.hasSuffix(".\($0)") }
      || [".example", ".test", ".invalid", ".localhost"].contains { host.hasSuffix($0) }
  }

  private func placeholderFindings() -> [Finding] {
    let links = description.invocations + description.appLinks + description.registered
    let hosts =
      links.map { Located($0.value.host, $0.place) }
      + AssociatedDomains(clip.entitlements + app.entitlements).known.map { Located($0.value.host, $0.place) }
    var told: Set<String> = []
    return hosts.filter { Self.isPlaceholder($0.value) && told.insert($0.value).inserted }.map {
      Finding(.hostPlaceholder, at: $0.place, "\($0.value) is a placeholder")
    }
  }
}
