import BumpDiscovery
import Testing

@Suite struct InstancePresenceTests {
  private let alice = ServiceInstance(name: "alice", type: "_t._tcp.", interface: 1)

  @Test func `an instance seen twice is found once and lost with the last`() {
    var presence = InstancePresence()
    #expect(presence.news(.found(alice)) == .found(alice))
    #expect(presence.news(.found(alice)) == nil)
    #expect(presence.news(.lost(alice)) == nil)
    #expect(presence.news(.lost(alice)) == .lost(alice))
  }

  @Test func `an instance that was lost can be found again`() {
    var presence = InstancePresence()
    #expect(presence.news(.found(alice)) == .found(alice))
    #expect(presence.news(.lost(alice)) == .lost(alice))
    #expect(presence.news(.found(alice)) == .found(alice))
  }

  @Test func `what was never found is not lost`() {
    var presence = InstancePresence()
    #expect(presence.news(.lost(alice)) == nil)
    #expect(presence.news(.found(alice)) == .found(alice))
  }

  @Test func `two interfaces show two instances`() {
    var presence = InstancePresence()
    var other = alice
    other.interface = 2
    #expect(presence.news(.found(alice)) == .found(alice))
    #expect(presence.news(.found(other)) == .found(other))
    #expect(presence.news(.lost(alice)) == .lost(alice))
  }
}
