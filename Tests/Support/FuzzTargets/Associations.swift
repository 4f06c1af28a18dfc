import BumpLint

/// Any bytes as an apple-app-site-association file of a project, and as a request for one: each line that is named is one
/// of the file, and nothing but that file is ever served with status 200.
func fuzzAssociations(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  let path = "sites/irl.app/.well-known/apple-app-site-association"
  let project = Array(
    #"{"teamId": "A1B2C3D4E5", "app": {"bundleId": "app.irl.IRL"}, "clip": {"bundleId": "app.irl.IRL.Clip"}, "invocations": ["https://irl.app/claim/{id}", "https://irl.app/clip?x=1#y"]}"#
      .utf8)
  let files = [SourceFile(path: "project.json", content: project), SourceFile(path: path, content: bytes)]
  let findings = Linter.findings(in: files)
  let lines = bytes.count { $0 == 0x0A } + 1
  for finding in findings where finding.file == path {
    check(finding.line.map { (1...lines).contains($0) } ?? true, "a line that is not there: \(finding)")
  }
  check(findings == Linter.findings(in: files), "other findings of the same file")
  check(!SARIF(findings, version: "1").json().isEmpty, "findings that are no JSON")

  var whole = AssociationResponder(files: ["irl.app": [0x7B, 0x7D]])
  var single = whole
  let answer = whole.receive(bytes)
  var other: AssociationResponder.Answer?
  for byte in bytes where other == nil { other = single.receive([byte]) }
  // A request that is cut off is so at another byte.
  check(answer?.status == other?.status || other?.status == 431, "another answer byte by byte")
  if let answer, answer.status == 200 {
    check(
      bytes.starts(with: "GET \(AssociationResponder.path) ".utf8)
        || bytes.starts(with: "HEAD \(AssociationResponder.path) ".utf8), "another request is served")
  }
}
