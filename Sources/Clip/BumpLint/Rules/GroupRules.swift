/// The rules of App Groups.
extension Project {
  func groupFindings() -> [Finding] {
    let (ofApp, ofClip) = (groups(of: .app), groups(of: .clip))
    var findings: [Finding] = []
    for group in ofApp + ofClip + description.groups {
      let unknown = UnknownText(group.value)
      if unknown != nil {
        findings.append(Finding(.buildSetting, at: group.place, "\(group.value) has a build setting"))
      }
      if !group.value.hasPrefix("group."), unknown?.isUnknownAtStart != true {
        findings.append(Finding(.groupPrefix, at: group.place, "\(group.value) does not begin with group."))
      }
    }
    guard let appFile = app.entitlements.first, let clipFile = clip.entitlements.first else { return findings }
    if ofApp.isEmpty != ofClip.isEmpty {
      let (file, there, absent, group) =
        ofApp.isEmpty ? (appFile, "clip", "app", ofClip[0]) : (clipFile, "app", "clip", ofApp[0])
      findings.append(
        Finding(
          .groupMissing, at: file.place(Entitlement.groups),
          "the \(there) is in \(group.value), and the \(absent) in no group",
          mend: "Add \(group.value) to the \(absent)"))
      return findings
    }
    // A build setting may be any of the other target's groups.
    guard !(ofApp + ofClip).contains(where: { $0.value.hasBuildSetting }) else { return findings }
    let common = Set(ofApp.map(\.value)).intersection(ofClip.map(\.value))
    if !ofApp.isEmpty, common.isEmpty {
      findings.append(
        Finding(.groupMismatch, at: clipFile.place(Entitlement.groups), "app and clip have no group in common"))
    } else {
      for group in description.groups where !common.contains(group.value) {
        findings.append(
          Finding(.groupMismatch, at: group.place, "\(group.value) is not a group of both app and clip"))
      }
    }
    return findings
  }

  /// Returns the groups in a target's entitlements. Replaces the settings whose values are known, as in
  /// `group.$(PRODUCT_BUNDLE_IDENTIFIER)`.
  private func groups(of role: Role) -> [Located<String>] {
    (role == .app ? app : clip).entitlements.flatMap { $0.strings(Entitlement.groups) }.map { group in
      Located((group.value.hasPrefix("group.") ? resolved(group.value, in: role) : nil) ?? group.value, group.place)
    }
  }
}
