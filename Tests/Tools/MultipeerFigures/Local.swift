import Foundation
import MultipeerConnectivity

/// What is measured within one process.
enum Local {
  /// So many peers find each other and the server, and all are connected to all.
  static func mesh(_ count: Int, _ preference: MCEncryptionPreference) -> [Figure] {
    let peers = (0..<count).map { _ in Peer(preference) }
    let begun = ContinuousClock.now
    for peer in peers { peer.look() }
    for peer in peers { peer.meets(count) }
    let time = begun.milliseconds
    for peer in peers { peer.session.disconnect() }
    return [Figure(name: "mesh of \(count + 1)", value: time.rounded(), unit: "ms", bound: .atMost(2000))]
  }

  /// From a write to a stream to its reader's event, on a run loop that waits for nothing else.
  static func streams(_ count: Int) throws -> [Figure] {
    let server = Server(.required)
    server.advertiser.startAdvertisingPeer()
    defer { server.advertiser.stopAdvertisingPeer() }
    let peer = Peer(.required)
    peer.connect()
    defer { peer.leave() }
    let output = try peer.session.startStream(withName: "figures", toPeer: peer.session.connectedPeers[0])
    output.open()
    let reader = Reader(server.stream())
    reader.start()
    var times: [Double] = []
    for _ in 0..<count {
      reader.waits()
      let begun = ContinuousClock.now
      guard output.write([1], maxLength: 1) == 1 else { break }
      times.append(begun.duration(to: reader.event()) / .milliseconds(1))
    }
    output.close()
    return [
      Figure(
        name: "from a write to the reader's event, 95 of 100 of \(times.count)", value: times.quantile(0.95),
        unit: "ms", bound: .atMost(10),
        detail: "median \(Figure.text(times.median)), slowest \(Figure.text(times.quantile(1)))")
    ]
  }

  /// What sessions leave behind, one after the other, each with a message.
  static func sessions(_ count: Int) throws -> [Figure] {
    let left = Left()
    // What a process has only once: threads, buffers, its port.
    for _ in 0..<50 { try once(left) }
    left.settle(since: nil)
    let before = Left.Resources()
    for _ in 0..<count { try once(left) }
    left.settle(since: before)
    let after = Left.Resources()
    return [
      Figure(
        name: "objects left by \(count) sessions", value: Double(left.objects), unit: "", bound: .atMost(0)),
      Figure(
        name: "descriptors more", value: Double(after.descriptors - before.descriptors), unit: "", bound: .atMost(0)),
      Figure(name: "threads more", value: Double(after.threads - before.threads), unit: "", bound: .atMost(0)),
      Figure(
        name: "memory more", value: Double(after.memory - before.memory), unit: "MiB", bound: .atMost(16),
        detail: "\(after.memory) MiB"),
    ]
  }

  private static func once(_ left: Left) throws {
    let (server, peer) = (Server(.required), Peer(.required))
    server.advertiser.startAdvertisingPeer()
    peer.connect()
    try peer.session.send(Data("E".utf8), toPeers: peer.session.connectedPeers, with: .reliable)
    _ = peer.receive()
    peer.leave()
    server.isLeft()
    server.advertiser.stopAdvertisingPeer()
    left.watch(server, server.session, server.advertiser, peer, peer.session)
  }

  /// What is left of objects that nobody uses any more.
  private final class Left {
    /// What a process has.
    struct Resources {
      let descriptors = Left.count("/proc/self/fd")
      let threads = Memory.status("Threads:")
      let memory = Memory.now
    }

    private struct Weak { weak var object: AnyObject? }
    private var watched: [Weak] = []

    var objects: Int { watched.count { $0.object != nil } }

    func watch(_ objects: AnyObject...) {
      watched = watched.filter { $0.object != nil } + objects.map { Weak(object: $0) }
    }

    private static func count(_ folder: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }

    /// Waits up to ten seconds until connections are closed and idle threads have ended: nothing says when.
    func settle(since before: Resources?) {
      let end = ContinuousClock.now + .seconds(10)
      while ContinuousClock.now < end {
        let now = Resources()
        if objects == 0, let before, now.descriptors <= before.descriptors, now.threads <= before.threads { return }
        Thread.sleep(forTimeInterval: 0.1)
      }
    }
  }
}

/// Reads a stream by its events, on a run loop of its own.
private final class Reader: NSObject, StreamDelegate, @unchecked Sendable {
  private let stream: InputStream
  private let condition = NSCondition()
  private var isWaiting = false
  private var came: ContinuousClock.Instant?

  init(_ stream: InputStream) { self.stream = stream }

  func start() {
    let thread = Thread { [self] in
      stream.delegate = self
      stream.schedule(in: .current, forMode: .default)
      stream.open()
      // A timer far away: without any source a run loop returns at once.
      RunLoop.current.add(Timer(fire: .distantFuture, interval: 3600, repeats: true) { _ in }, forMode: .default)
      while stream.streamStatus != .atEnd {
        condition.withLock {
          isWaiting = true
          condition.signal()
        }
        _ = RunLoop.current.run(mode: .default, before: .distantFuture)
      }
      stream.close()
    }
    thread.start()
  }

  /// Waits until the run loop is about to wait.
  func waits() { condition.withLock { while !isWaiting { condition.wait() } } }

  func event() -> ContinuousClock.Instant {
    condition.withLock {
      while true {
        if let came {
          self.came = nil
          return came
        }
        condition.wait()
      }
    }
  }

  func stream(_ stream: Stream, handle event: Stream.Event) {
    guard event == .hasBytesAvailable else { return }
    let now = ContinuousClock.now
    var buffer = [UInt8](repeating: 0, count: 16)
    guard self.stream.read(&buffer, maxLength: buffer.count) > 0 else { return }
    condition.withLock {
      (came, isWaiting) = (now, false)
      condition.signal()
    }
  }
}
