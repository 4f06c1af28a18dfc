public import BumpClip

/// Checks the files of a project by Apple's rules for App Clips.
public enum Linter {
  /// Findings, at most. A hostile file could have millions.
  public static let limit = 10_000

  /// Returns what breaks a rule, in the order of files and lines.
  ///
  /// - Parameters:
  ///   - files: the files of a project, of which those that matter are known by their names.
  ///   - experiences: the products whose URLs are known.
  ///   - product: what holds where project.json says nothing.
  public static func findings(
    in files: [SourceFile], experiences: Experiences = .builtIn, product: ProjectDescription? = nil
  ) -> [Finding] {
    let project = Project(files, experiences, product: product)
    let findings =
      project.unreadable + project.serviceFindings() + project.clipFindings() + project.domainFindings()
      + project.groupFindings() + project.associationFindings() + project.linkFindings()
    var seen: Set<Finding> = []
    let sorted = findings.filter { seen.insert($0).inserted }.sorted {
      ($0.file, $0.line ?? 0, $0.rule.id, $0.what) < ($1.file, $1.line ?? 0, $1.rule.id, $1.what)
    }
    return Array(sorted.prefix(limit))
  }
}
