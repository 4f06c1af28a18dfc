public import BumpClip

/// Checks the files of a project by Apple's rules for App Clips.
public enum Linter {
  /// The greatest number of findings. A hostile file could have millions.
  public static let limit = 10_000

  /// Checks a project, and returns its findings, in the order of files and lines. Of more than `limit` it returns the
  /// errors first.
  ///
  /// - Parameters:
  ///   - files: the files of the project. The linter knows by their names which ones to read.
  ///   - experiences: the products whose URLs are known.
  ///   - product: a description for what project.json leaves out.
  public static func findings(
    in files: [SourceFile], experiences: Experiences = .builtIn, product: ProjectDescription? = nil
  ) -> [Finding] {
    let project = Project(files, experiences, product: product)
    let findings =
      project.unreadable + project.serviceFindings() + project.clipFindings() + project.domainFindings()
      + project.groupFindings() + project.associationFindings() + project.linkFindings()
    var seen: Set<Finding> = []
    let sorted = findings.filter { seen.insert($0).inserted }.sorted(by: isBefore)
    guard sorted.count > limit else { return sorted }
    let errors = sorted.filter { $0.rule.severity == .error }
    return (errors + sorted.filter { $0.rule.severity != .error }).prefix(limit).sorted(by: isBefore)
  }

  /// Returns the property lists that the described targets of a project lack, in words. The rules about these were not
  /// checked.
  public static func absent(in files: [SourceFile], product: ProjectDescription? = nil) -> [String] {
    let project = Project(files, .builtIn, product: product)
    let targets = [
      ("app", project.description.app, project.app), ("clip", project.description.clip, project.clip),
    ]
    return targets.filter { $0.1.bundleID != nil }.flatMap { name, _, target in
      (target.entitlements.isEmpty ? ["entitlements of the \(name)"] : [])
        + (target.infos.isEmpty ? ["Info.plist of the \(name)"] : [])
    }
  }

  private static func isBefore(_ one: Finding, _ other: Finding) -> Bool {
    (one.file, one.line ?? 0, one.rule.id, one.what) < (other.file, other.line ?? 0, other.rule.id, other.what)
  }
}
