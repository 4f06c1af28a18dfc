import Testing

@testable import BumpDiscovery

@Suite struct SightingsTests {
  private let alice = ServiceInstance(name: "alice", type: "_t._tcp.", interface: 1)

  @Test func `an instance seen twice is found once and lost with the last`() {
    var sightings = Sightings()
    #expect(sightings.news(.found(alice)) == .found(alice))
    #expect(sightings.news(.found(alice)) == nil)
    #expect(sightings.news(.lost(alice)) == nil)
    #expect(sightings.news(.lost(alice)) == .lost(alice))
  }

  @Test func `an instance that was lost can be found again`() {
    var sightings = Sightings()
    #expect(sightings.news(.found(alice)) == .found(alice))
    #expect(sightings.news(.lost(alice)) == .lost(alice))
    #expect(sightings.news(.found(alice)) == .found(alice))
  }

  @Test func `what was never found is not lost`() {
    var sightings = Sightings()
    #expect(sightings.news(.lost(alice)) == nil)
    #expect(sightings.news(.found(alice)) == .found(alice))
  }

  @Test func `two interfaces show two instances`() {
    var sightings = Sightings()
    var other = alice
    other.interface = 2
    #expect(sightings.news(.found(alice)) == .found(alice))
    #expect(sightings.news(.found(other)) == .found(other))
    #expect(sightings.news(.lost(alice)) == .lost(alice))
  }
}
