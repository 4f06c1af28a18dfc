/// The rules of services on the local network.
extension Project {
  func serviceFindings() -> [Finding] {
    var findings: [Finding] = []
    let usesMultipeer =
      description.serviceType != nil
      || description.app.frameworks.contains { $0.value.isFramework("MultipeerConnectivity") }
    if let type = description.serviceType, !ServiceTypeName.isValid(type.value) {
      findings.append(Finding(.serviceTypeSyntax, at: type.place, "\(type.value) is not a service type"))
    }
    let key = "NSBonjourServices"
    for info in app.infos {
      guard info.plist[key] != nil else {
        // Another target may have an Info.plist that looks like the app's: one with the key is enough.
        if usesMultipeer, app.infos.allSatisfy({ $0.plist[key] == nil }) {
          findings.append(Finding(.bonjourMissing, at: info.place(key), "the app has no NSBonjourServices"))
        }
        continue
      }
      let entries = info.strings(key)
      findings += entries.flatMap(Self.formatFindings) + mismatchFindings(info, key)
      if usesMultipeer {
        let all = Set(entries.map(\.value))
        let unknown = entries.compactMap { UnknownText($0.value) }
        for entry in entries
        where entry.value.hasSuffix("._tcp") && ServiceTypeName.of(entry.value) != nil && !entry.value.hasBuildSetting {
          let other = "\(entry.value.dropLast("tcp".count))udp"
          if !all.contains(other), !unknown.contains(where: { $0.canBecome(other) }) {
            findings.append(Finding(.bonjourUDPMissing, at: entry.place, "\(other) is not there"))
          }
        }
      }
      let usage = info.plist["NSLocalNetworkUsageDescription"]?.string ?? ""
      if !entries.isEmpty, usage.allSatisfy(\.isWhitespace) {
        findings.append(
          Finding(.localNetworkUsageMissing, at: info.place(key), "there is no NSLocalNetworkUsageDescription"))
      }
    }
    // A clip has no local network, which another rule reports. Its list names the wrong service all the same, and it is
    // copied to the app.
    return findings + clip.infos.filter { $0.plist[key] != nil }.flatMap { mismatchFindings($0, key) }
  }

  /// Returns a finding if the code names a service that a list does not have.
  private func mismatchFindings(_ info: PlistFile, _ key: String) -> [Finding] {
    guard let type = description.serviceType, ServiceTypeName.isValid(type.value),
      !info.strings(key).contains(where: { Self.mayBe($0.value, type.value) })
    else { return [] }
    return [
      Finding(
        .serviceTypeMismatch, at: info.place(key),
        "the code names the service \(type.value), which NSBonjourServices does not list",
        mend: "List _\(type.value)._tcp, or use a service of the list in the code")
    ]
  }

  /// Returns whether an entry of NSBonjourServices lists a service, or may do so by a build setting.
  private static func mayBe(_ entry: String, _ type: String) -> Bool {
    guard let unknown = UnknownText(entry.lowercased()) else { return ServiceTypeName.of(entry)?.lowercased() == type }
    return ["_tcp", "_udp"].contains { unknown.canBecome("_\(type).\($0)") }
  }

  private static func formatFindings(_ entry: Located<String>) -> [Finding] {
    guard !entry.value.hasBuildSetting else {
      return [Finding(.buildSetting, at: entry.place, "\(entry.value) has a build setting")]
    }
    guard let name = ServiceTypeName.of(entry.value) else {
      return [Finding(.bonjourFormat, at: entry.place, "\(entry.value) is not of the form _TYPE._tcp")]
    }
    // In this list, letters may be of either case (RFC 6335 §5.1).
    guard ServiceTypeName.isValid(name.lowercased()) else {
      return [Finding(.serviceTypeSyntax, at: entry.place, "\(name) is not a service type")]
    }
    return []
  }
}

/// Names of services (RFC 6335 §5.1).
enum ServiceTypeName {
  /// Returns whether Multipeer Connectivity accepts a name.
  static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let hyphen = UInt8(ascii: "-")
    return (1...15).contains(bytes.count)
      && bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == hyphen }
      && bytes.contains { (0x61...0x7A).contains($0) } && bytes.first != hyphen && bytes.last != hyphen
      && !text.contains("--")
  }

  /// Returns the name in `_name._tcp` or `_name._udp`; `nil` for anything else.
  static func of(_ entry: String) -> Substring? {
    guard entry.hasPrefix("_"), let dot = entry.firstIndex(of: "."), ["._tcp", "._udp"].contains(entry[dot...]) else {
      return nil
    }
    let name = entry[..<dot].dropFirst()
    return name.isEmpty || name.contains("_") && name.hasPrefix("_") ? nil : name
  }
}

extension String {
  /// Returns whether the text names a framework: `CoreMotion`, or `Core Motion` as in documents.
  func isFramework(_ name: String) -> Bool { filter { $0 != " " } == name }
}
