import Lab
import Testing

@testable import MultipeerConnectivity

/// When the connection to a member is read.
@Suite(.processes(2)) struct BacklogTests {
  private let most = Backlog<Int>.most

  @Test func `a member is not read beyond the limit, and again at half of it`() {
    var backlog = Backlog<Int>()
    #expect(backlog.add(most, of: 1) == nil)
    #expect(backlog.add(1, of: 1) == .pause)
    #expect(backlog.add(1, of: 1) == nil)
    #expect(backlog.add(most, of: 2) == nil)
    #expect(backlog.paused == [1])
    #expect(backlog.remove(1, of: 1) == nil)
    #expect(backlog.remove(most / 2, of: 1) == nil)
    #expect(backlog.remove(1, of: 1) == .resume)
    #expect(backlog.paused.isEmpty)
  }

  @Test func `while the program itself waits for a member, all that comes is read`() {
    var backlog = Backlog<Int>()
    #expect(backlog.add(most + 1, of: 1) == .pause)
    #expect(backlog.wait(true, for: 1) == .resume)
    #expect(backlog.add(most, of: 1) == nil)
    #expect(backlog.wait(false, for: 1) == .pause)
    #expect(backlog.remove(2 * most + 1, of: 1) == .resume)
  }
}
