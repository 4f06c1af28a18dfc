import BumpClaims
import BumpDiscovery
import BumpWire
import NIOCore
import Samples
import Testing

@testable import BumpSession

/// Hosts that open more connections to a sender than there are places.
@Suite struct AdmissionTests {
  private func host(_ number: Int) throws -> RemoteHost {
    try #require(
      RemoteHost(
        SocketAddress(ipAddress: "192.0.2.\(number)", port: 4000), on: LocalNetworks(entries: []),
        hardwareAddress: { _, _ in nil }))
  }

  @Test func `a host that says HELLO on eight connections and no more keeps nobody else out`() throws {
    var scene = try SenderBumpScene()
    for id in 1...8 { try scene.open(id, to: .welcomed, from: host(1)) }
    try scene.open(9, to: .accepted, from: host(2))
    #expect(scene.told(1) == .busy, "its own oldest")
    #expect(scene.releasing == [9])
  }

  @Test func `a host that opens ever more connections displaces its own, and not those of others`() throws {
    var scene = try SenderBumpScene()
    try scene.open(1, to: .welcomed, from: host(2))
    for id in 2...40 { try scene.open(id, to: .opened, from: host(1)) }
    #expect(scene.told(1) == nil && scene.told(2) == .busy)
    try scene.say(bytes: scene.noise(of: 1), to: 1)
    try scene.say(1, .accept(.somebody))
    #expect(scene.releasing == [1])
  }

  @Test func `where eight hosts have said HELLO on one connection each, the ninth is told that we are busy`() throws {
    var scene = try SenderBumpScene()
    for id in 1...8 { try scene.open(id, to: .welcomed, from: host(id)) }
    try scene.open(9, to: .opened, from: host(9))
    #expect(scene.told(9) == .busy && scene.told(1) == nil)
  }
}
