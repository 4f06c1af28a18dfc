import FoundationEssentials
import Lab
import Testing

/// Makes a key that the hosts of both have in /run/key.
@discardableResult
func shareKey(_ one: BumpCommand, _ other: BumpCommand) async throws -> Data {
  let made = try await one.run("key", "new", "/run/key")
  #expect(made.status == 0, "\(made)")
  let line = try await one.host.shell("cat /run/key").standardOutput
  _ = try await other.host.run(["sh", "-ec", "umask 077; cat >/run/key"], input: line)
  let key = try #require(Data(base64Encoded: String(line.dropLast())))
  #expect(key.count == 32)
  return key
}
