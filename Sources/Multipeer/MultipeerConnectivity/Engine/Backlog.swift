/// The events of a session that its program has not taken yet, counted by member. If a member sends faster than the
/// program takes events, its connection is not read, so the member waits.
struct Backlog<Member: Hashable> {
  /// The most bytes kept for one member, besides those that one read of its connection adds.
  static var most: Int { 4 * 1024 * 1024 }

  private struct Entry {
    var bytes = 0
    /// How many reads and writes of streams wait for the member: they may block the program's own queue.
    var waits = 0
    var isPaused = false
  }

  private var entries: [Member: Entry] = [:]

  /// What to do with the connection to a member.
  enum Change { case pause, resume }

  /// The members whose connections are not read.
  var paused: [Member] { entries.filter { $0.value.isPaused }.map(\.key) }

  mutating func add(_ bytes: Int, of member: Member) -> Change? { change(member) { $0.bytes += bytes } }
  mutating func remove(_ bytes: Int, of member: Member) -> Change? { change(member) { $0.bytes -= bytes } }
  mutating func wait(_ begins: Bool, for member: Member) -> Change? { change(member) { $0.waits += begins ? 1 : -1 } }

  private mutating func change(_ member: Member, _ change: (inout Entry) -> Void) -> Change? {
    var entry = entries[member] ?? Entry()
    change(&entry)
    let wasPaused = entry.isPaused
    // Reading resumes at half of the limit, not after each message.
    entry.isPaused = entry.waits == 0 && entry.bytes > (wasPaused ? Self.most / 2 : Self.most)
    entries[member] = entry.bytes == 0 && entry.waits == 0 ? nil : entry
    if wasPaused == entry.isPaused { return nil }
    return entry.isPaused ? .pause : .resume
  }
}
