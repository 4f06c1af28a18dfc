import BumpTerminal

/// The order in which a vault is asked about the money of received claims. Pure: it takes the time, and returns claims.
///
/// A sender's claims wait behind its own, not before those of others. At once at most `places` claims are asked about,
/// and `share` of one sender. The next one is of the sender that has the fewest being asked about, and of those of the
/// sender whose turn was longest ago. A sender has `burst` at once, and then one each `interval`. In its first minute
/// these are 10 + 60 s / 3 s = 30 claims, so with the three requests that a claim needs at most 90 of the 300 that a
/// vault takes from one address. At most `waiting` claims of a sender wait, and `mostWaiting` of all.
struct FundingTurns<Sender: Hashable, Item> {
  /// How many claims are asked about at once. Each uses a thread.
  static var places: Int { 8 }
  static var share: Int { 2 }
  static var burst: Int { 10 }
  static var interval: Duration { .seconds(3) }
  static var waiting: Int { 64 }
  static var mostWaiting: Int { 1024 }

  private struct Line {
    var items: [Item] = []
    var running = 0
    /// Until when its turns have used its time: each takes `interval` of it.
    var usedUntil: Duration
    /// The number of its last turn.
    var turn = 0
    /// Counts up with the senders.
    let number: Int

    /// When its next claim may be asked about.
    var next: Duration { usedUntil - interval * (burst - 1) }
    /// The sender with the least is next.
    var order: (Int, Int, Int) { (running, turn, number) }
  }

  private var lines: [Sender?: Line] = [:]
  private var running = 0
  private var turns = 0
  private var senders = 0

  /// Whether no claim is being asked about.
  var isAtRest: Bool { running == 0 }

  /// Adds a claim.
  ///
  /// - Parameter sender: the sender's host; `nil` for this host, whose claims only the places limit.
  /// - Returns: the claim that the vault is not asked about, since too many wait: this one, or the last one of the sender
  ///   of which the most wait; `nil` if there is room for all.
  mutating func add(_ item: Item, from sender: Sender?, at now: Duration) -> Item? {
    lines = lines.filter { !$0.value.items.isEmpty || $0.value.running > 0 || $0.value.usedUntil > now }
    guard sender == nil || (lines[sender]?.items.count ?? 0) < Self.waiting else { return item }
    if lines[sender] == nil {
      senders += 1
      lines[sender] = Line(usedUntil: now, number: senders)
    }
    lines[sender]?.items.append(item)
    guard lines.values.reduce(0, { $0 + $1.items.count }) > Self.mostWaiting else { return nil }
    guard let longest = lines.max(by: { $0.value.items.count < $1.value.items.count }) else { return nil }
    return lines[longest.key]?.items.popLast()
  }

  /// Begins the next claim's turn; `nil` if none may be asked about now. Call `ended` after it.
  mutating func next(at now: Duration) -> (item: Item, sender: Sender?)? {
    guard running < Self.places else { return nil }
    let ready = lines.filter { !$0.value.items.isEmpty && mayBegin($0.key, $0.value, at: now) }
    guard let (sender, first) = ready.min(by: { $0.value.order < $1.value.order }) else { return nil }
    var line = first
    turns += 1
    running += 1
    line.running += 1
    line.turn = turns
    line.usedUntil = max(line.usedUntil, now) + Self.interval
    let item = line.items.removeFirst()
    lines[sender] = line
    return (item, sender)
  }

  private func mayBegin(_ sender: Sender?, _ line: Line, at now: Duration) -> Bool {
    sender == nil || (line.running < Self.share && line.next <= now)
  }

  /// Ends a claim's turn.
  mutating func ended(_ sender: Sender?) {
    running -= 1
    lines[sender]?.running -= 1
  }

  /// When `next` may return a claim though no turn ends before; `nil` for never.
  var due: Duration? {
    guard running < Self.places else { return nil }
    return lines.filter { $0.key != nil && !$0.value.items.isEmpty && $0.value.running < Self.share }
      .values.map(\.next).min()
  }

  /// Removes the claims that wait, and returns them.
  mutating func removeAll() -> [Item] {
    let items = lines.values.sorted { $0.turn < $1.turn }.flatMap(\.items)
    for sender in lines.keys { lines[sender]?.items = [] }
    return items
  }
}
