/// The rules of what an App Clip may do, of its size, and of what makes it a clip.
extension Project {
  /// The modules of the frameworks that do nothing in an App Clip.
  private static let deadFrameworks = [
    "AppIntents", "BackgroundTasks", "CallKit", "Contacts", "ContactsUI", "CoreMotion", "EventKit", "EventKitUI",
    "FileProvider", "FileProviderUI", "HealthKit", "HealthKitUI", "HomeKit", "Messages", "NearbyInteraction",
    "PhotoKit", "Photos", "Speech",
  ]

  func clipFindings() -> [Finding] {
    var findings: [Finding] = []
    for framework in description.clip.frameworks {
      if framework.value.isFramework("MultipeerConnectivity") {
        findings.append(Finding(.clipLocalNetwork, at: framework.place, "the clip uses \(framework.value)"))
      } else if Self.deadFrameworks.contains(where: framework.value.isFramework) {
        findings.append(Finding(.clipFramework, at: framework.place, "\(framework.value) does nothing in a clip"))
      }
    }
    for info in clip.infos {
      for (key, rule, what) in [
        ("NSBonjourServices", Rule.clipLocalNetwork, "the clip has NSBonjourServices"),
        ("UIBackgroundModes", .clipBackground, "the clip has UIBackgroundModes"),
        ("CFBundleURLTypes", .clipURLScheme, "the clip has CFBundleURLTypes"),
      ] where info.plist[key].map({ $0.elements?.isEmpty != true }) ?? false {
        findings.append(Finding(rule, at: info.place(key), what))
      }
    }
    return findings + cloudFindings() + sizeFindings() + targetFindings()
  }

  private func cloudFindings() -> [Finding] {
    let isOld = description.clip.deploymentTarget.map { $0.value < 16 } ?? false
    var findings: [Finding] = []
    for service in clip.entitlements.flatMap({ $0.strings(Entitlement.cloud) }) where !service.value.hasBuildSetting {
      if service.value != "CloudKit-Anonymous" {
        findings.append(Finding(.clipCloud, at: service.place, "the clip has the service \(service.value)"))
      } else if isOld {
        findings.append(Finding(.clipCloud, at: service.place, "the clip has CloudKit before iOS 16"))
      }
    }
    if isOld, findings.isEmpty,
      let framework = description.clip.frameworks.first(where: { $0.value.isFramework("CloudKit") })
    {
      findings.append(Finding(.clipCloud, at: framework.place, "the clip has CloudKit before iOS 16"))
    }
    return findings
  }

  private func sizeFindings() -> [Finding] {
    guard let size = description.clip.size ?? description.clip.sizeBudget else { return [] }
    if let target = description.clip.deploymentTarget {
      let limit: Double = target.value < 16 ? 10 : target.value < 17 ? 15 : 100
      if size.value > limit {
        return [
          Finding(
            .sizeLimit, at: size.place,
            "\(size.value.short) MB with deployment target \(target.value), whose limit is \(limit.short) MB")
        ]
      }
    }
    guard size.value > 15, description.physical?.value == true else { return [] }
    return [Finding(.sizePhysical, at: size.place, "\(size.value.short) MB, and a code or tag opens the clip")]
  }

  private func targetFindings() -> [Finding] {
    var findings: [Finding] = []
    let (appID, clipID) = (bundleID(of: .app), bundleID(of: .clip))
    if let appID, let clipID, !clipID.value.hasPrefix(appID.value + ".") {
      findings.append(
        Finding(
          .bundlePrefix, at: clipID.place,
          "the clip \(clipID.value) does not begin with the app's \(appID.value) and a dot"))
    }
    for file in clip.entitlements {
      if file.plist[Entitlement.onDemand]?.bool != true {
        findings.append(
          Finding(.onDemandMissing, at: file.place(Entitlement.onDemand), "on-demand-install-capable is not true"))
      }
      findings += idFindings(file, Entitlement.parents, .clip, appID?.value, .parentIdentifier, "the app")
    }
    for file in app.entitlements where file.plist[Entitlement.clips] != nil {
      findings += idFindings(file, Entitlement.clips, .app, clipID?.value, .associatedClipIdentifier, "the clip")
    }
    return findings
  }

  /// Returns a finding unless a key of a target's file names exactly one id, that of the other target.
  ///
  /// - Parameters:
  ///   - role: the target of the file, in which its variables have their values.
  ///   - bundleID: the bundle id of the other target.
  private func idFindings(
    _ file: PlistFile, _ key: String, _ role: Role, _ bundleID: String?, _ rule: Rule, _ whose: String
  ) -> [Finding] {
    let ids = file.strings(key)
    let name = key.split(separator: ".").last ?? ""
    guard ids.count == 1, let id = ids.first else {
      return [Finding(rule, at: file.place(key), "\(name) names \(ids.isEmpty ? "no id" : "\(ids.count) ids")")]
    }
    guard let bundleID else { return [] }
    // Without a team, the prefix is not checked.
    let variable = "$(AppIdentifierPrefix)"
    let isRight =
      if let resolved = resolved(id.value, in: role) {
        ApplicationID.parts(of: resolved) != nil
          && ApplicationID.names(resolved, bundleID: bundleID, team: description.team?.value)
      } else {
        !id.value.hasPrefix(variable) || id.value.dropFirst(variable.count).contains("$")
          || id.value.dropFirst(variable.count) == bundleID
      }
    return isRight ? [] : [Finding(rule, at: id.place, "\(name) names \(id.value), not \(whose) \(bundleID)")]
  }
}

extension Double {
  /// The number, without a fraction of zero.
  fileprivate var short: String { rounded() == self ? "\(Int(self))" : "\(self)" }
}
