/// What the programs of a session have not taken yet, by member. A member that sends faster than the program takes waits:
/// its connection is not read.
struct Backlog<Member: Hashable> {
  /// Not more of one member is kept here, besides what one read of its connection brings.
  static var most: Int { 4 * 1024 * 1024 }

  private struct Entry {
    var bytes = 0
    /// Reads and writes of streams that wait for the member: it may be the program's own queue that waits.
    var waits = 0
    var isPaused = false
  }

  private var entries: [Member: Entry] = [:]

  /// What to do with the connection to a member.
  enum Change { case pause, resume }

  /// Members whose connections are not read.
  var paused: [Member] { entries.filter { $0.value.isPaused }.map(\.key) }

  mutating func add(_ bytes: Int, of member: Member) -> Change? { change(member) { $0.bytes += bytes } }
  mutating func remove(_ bytes: Int, of member: Member) -> Change? { change(member) { $0.bytes -= bytes } }
  mutating func wait(_ begins: Bool, for member: Member) -> Change? { change(member) { $0.waits += begins ? 1 : -1 } }

  private mutating func change(_ member: Member, _ change: (inout Entry) -> Void) -> Change? {
    var entry = entries[member] ?? Entry()
    change(&entry)
    let wasPaused = entry.isPaused
    // It goes on at half of it, not at each message.
    entry.isPaused = entry.waits == 0 && entry.bytes > (wasPaused ? Self.most / 2 : Self.most)
    entries[member] = entry.bytes == 0 && entry.waits == 0 ? nil : entry
    if wasPaused == entry.isPaused { return nil }
    return entry.isPaused ? .pause : .resume
  }
}
