public import BumpClip

/// Checks the files of a project by Apple's rules for App Clips.
public enum Linter {
  /// The greatest number of findings. A hostile file could have millions.
  public static let limit = 10_000

  /// The result of a check.
  public struct Report: Sendable {
    /// The findings, in the order of files and lines. Of more than `limit` the errors first.
    public let findings: [Finding]
    /// The property lists that the described targets lack, in words: the rules about these were not checked.
    public let absent: [String]
  }

  /// Checks a project.
  ///
  /// - Parameters:
  ///   - files: the files of the project. The linter knows by their names which ones to read.
  ///   - experiences: the products whose URLs are known.
  ///   - product: a description for what project.json leaves out.
  public static func check(
    _ files: [SourceFile], experiences: Experiences = .builtIn, product: ProjectDescription? = nil
  ) -> Report {
    let project = Project(files, experiences, product: product)
    return Report(findings: findings(in: project), absent: project.absent)
  }

  /// Returns the findings of `check`.
  public static func findings(
    in files: [SourceFile], experiences: Experiences = .builtIn, product: ProjectDescription? = nil
  ) -> [Finding] {
    check(files, experiences: experiences, product: product).findings
  }

  private static func findings(in project: Project) -> [Finding] {
    let findings =
      project.unreadable + project.serviceFindings() + project.clipFindings() + project.domainFindings()
      + project.groupFindings() + project.associationFindings() + project.linkFindings()
    var seen: Set<Finding> = []
    let sorted = findings.filter { seen.insert($0).inserted }.sorted(by: isBefore)
    guard sorted.count > limit else { return sorted }
    let errors = sorted.filter { $0.rule.severity == .error }
    return (errors + sorted.filter { $0.rule.severity != .error }).prefix(limit).sorted(by: isBefore)
  }

  private static func isBefore(_ one: Finding, _ other: Finding) -> Bool {
    (one.file, one.line ?? 0, one.rule.id, one.what) < (other.file, other.line ?? 0, other.rule.id, other.what)
  }
}
