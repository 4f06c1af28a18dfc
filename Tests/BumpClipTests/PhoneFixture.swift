import BumpClip
import Foundation
import Synchronization
import Testing

/// The directory of a simulated phone, and its clock. All of it goes with the last reference.
final class PhoneFixture: Sendable {
  let directory = FileManager.default.temporaryDirectory.appending(path: "bump-phone-\(UUID().uuidString)").path
  private let clock = Mutex<Int64>(1_800_000_000)

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  var now: Int64 { clock.withLock(\.self) }
  func advance(by seconds: Int64) { clock.withLock { $0 += seconds } }

  var phone: Phone { phone { _ in } }

  /// A phone that tells of each step.
  func phone(_ passed: @escaping @Sendable (Phone.Step) -> Void) -> Phone {
    Phone(at: directory, now: { [self] in now }, passed: passed)
  }

  static func product(_ id: String) throws -> Product { try #require(Experiences.builtIn.product(id)) }

  /// Opens a URL as a phone does.
  @discardableResult func open(_ url: String) throws -> Phone.Destination { try phone.open(Links.match(url)) }

  /// Opens a URL, hands over what it captures, and installs the app.
  func handOver(_ url: String, _ fields: [String: String] = [:]) throws {
    let product = try Links.match(url).product
    try open(url)
    try phone.handOver(product, fields: fields)
    _ = try phone.install(product)
  }

  func consume(_ id: String, on phone: Phone? = nil) throws -> Phone.Consumption {
    try (phone ?? self.phone).consume(Self.product(id), in: Experiences.builtIn.router)
  }

  /// What lies in an App Group under a key.
  func value(_ key: String, of id: String) throws -> String? {
    try? String(contentsOfFile: file(key, of: id), encoding: .utf8)
  }

  func file(_ key: String, of id: String) throws -> String {
    "\(directory)/groups/\(try #require(Self.product(id).group))/values/\(key)"
  }

  /// Writes what no App Clip writes.
  func write(_ value: String, _ key: String, of id: String) throws {
    let file = try file(key, of: id)
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(value.utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
  }
}
