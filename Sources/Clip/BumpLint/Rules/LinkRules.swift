import BumpClip

/// The rules of links: registered URLs, redirects, banners, and the URL for debugging.
extension Project {
  func linkFindings() -> [Finding] {
    redirectFindings() + bannerFindings() + debugFindings()
      + description.registered.filter { $0.value.query != nil || $0.value.fragment != nil }.map {
        Finding(.registeredQuery, at: $0.place, "a registered URL of \($0.value.host) has a query or a fragment")
      }
  }

  private func redirectFindings() -> [Finding] {
    let hosts = Set((clip.entitlements.isEmpty ? description.invocationHosts : clipHosts).map(\.value))
    let domains = AssociatedDomains(clip.entitlements)
    return description.redirects.compactMap { redirect in
      let ends = [redirect.value.from.host, redirect.value.to.host]
      guard let other = ends.first(where: { !hosts.contains($0) && !domains.mayBecome("appclips", $0) }) else {
        return nil
      }
      return Finding(
        .redirectTarget, at: redirect.place, "\(ends[0]) leads to \(ends[1]), and \(other) is not associated",
        mend: "Associate \(ends[0]) and \(ends[1])")
    }
  }

  private func bannerFindings() -> [Finding] {
    let id = bundleID(of: .clip)?.value
    return banners.flatMap { banner in
      var findings: [Finding] = []
      let number = banner.arguments["app-id"] ?? ""
      let clip = banner.arguments["app-clip-bundle-id"]
      let isFilledInLater = number.isEmpty ? banner.isTemplate : TemplateText.hasPlaceholder(number)
      if !isFilledInLater, number.isEmpty || !number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        let what = number.isEmpty ? "the banner has no app-id" : "app-id is \(number), not a number"
        findings.append(Finding(.bannerAppID, at: banner.place, what))
      }
      if findings.isEmpty, let clip, let id, clip != id, !TemplateText.hasPlaceholder(clip) {
        findings.append(
          Finding(
            .bannerAppID, at: banner.place, "app-clip-bundle-id is \(clip), not the clip \(id)", mend: "Name \(id)"))
      }
      if clip != nil, banner.arguments["app-argument"] != nil {
        findings.append(Finding(.bannerArgument, at: banner.place, "the banner has an app-argument for a clip"))
      }
      return findings
    }
  }

  private func debugFindings() -> [Finding] {
    let (hosts, domains) = (clipHosts, AssociatedDomains(clip.entitlements))
    return debugURLs.compactMap { url in
      let isKnown =
        if case .match = experiences.router.route(url.value) {
          true
        } else if let link = ProjectLink(url.value) {
          description.invocations.contains { $0.value.covers(link) }
            || description.invocations.isEmpty
              && (hosts.contains { $0.value == link.host } || domains.mayBecome("appclips", link.host))
        } else {
          false
        }
      // The finding does not quote the URL: it may be a claim's, which is money.
      return isKnown ? nil : Finding(.debugURL, at: url.place, "no experience takes the URL for debugging")
    }
  }
}
