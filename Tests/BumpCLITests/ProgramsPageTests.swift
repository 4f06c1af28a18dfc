import BumpClaims
import BumpDoctor
import BumpKit
import BumpStore
import Foundation
import Testing

/// The words that programs read, in `Docs/programs.md`.
@Suite struct ProgramsPageTests {
  /// They are names of cases in the code: one that is renamed there is missing in the page.
  @Test func `every word that a JSON line may have for a state, a reason or a check is in the page`() throws {
    let page = URL(filePath: #filePath).appending(path: "../../../Docs/programs.md").standardized
    let text = try String(contentsOf: page, encoding: .utf8)
    let words: [[String]] = [
      HandoverState.allCases.map(\.rawValue), Funding.Status.allCases.map(\.rawValue),
      FallbackReason.allCases.map(\.rawValue), EnteredCode.allCases.map(\.rawValue),
      NotRemembered.allCases.map(\.rawValue), Finding.Check.allCases.map(\.rawValue),
      Finding.Severity.allCases.map(\.rawValue),
    ]
    for word in words.joined() { #expect(text.contains("`\(word)`"), "\(word)") }
  }
}
