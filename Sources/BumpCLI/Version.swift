/// The version of bump, as semantic versioning (2.0.0) numbers it.
///
/// Stated here alone: `bump --version`, the manual page and the Debian package read it, and CHANGELOG.md is compared
/// with it by a test.
enum Version {
  static let current = "0.1.0"
}
