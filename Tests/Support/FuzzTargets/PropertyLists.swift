import BumpLint

/// Any bytes as a property list, in XML or binary, and as the entitlements of a clip: it is read or refused, and each line
/// that is named is one of the file.
func fuzzPropertyLists(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  let lines = bytes.count { $0 == 0x0A } + 1
  for path in ["Clip.entitlements", "App-Info.plist", "x.xcscheme", "x.html"] {
    let findings = Linter.findings(in: [SourceFile(path: path, content: bytes)])
    for finding in findings {
      check(finding.file == path, "a finding of another file")
      check(finding.line.map { (1...lines).contains($0) } ?? true, "a line that is not there: \(finding)")
    }
    check(findings == Linter.findings(in: [SourceFile(path: path, content: bytes)]), "other findings of the same file")
  }
}
