/// The version of bump, as semantic versioning (2.0.0) numbers it.
///
/// The only source of the version: the `--version` of all three programs, the vault's description of itself, the manual
/// pages and the Debian package read it, and a test compares CHANGELOG.md with it.
package enum Version {
  package static let current = "0.1.0"
}
