import BumpClaims
import BumpFaults
import BumpWire
import Foundation
import Glibc
import Lab

/// One bump of two real processes with something in between.
struct InterceptedBump: Sendable {
  let kind: SessionKind
  let sender: BumpUser
  let receiver: BumpUser
  /// In mode key, the key's file; it is made where there is none.
  let key: String
  /// In seconds. A sender that allows for more than five says so by HOLD, and then the frames are others.
  var sendTimeout = 5

  init(in kind: SessionKind, _ sender: BumpUser, _ receiver: BumpUser, key: String? = nil) {
    (self.kind, self.sender, self.receiver) = (kind, sender, receiver)
    self.key = key ?? "\(sender.directory)/key"
  }

  /// Both processes while they run.
  struct Processes: Sendable {
    let sending: RunningProcess
    let receiving: RunningProcess
  }

  /// Starts the sender.
  ///
  /// - Returns: its port, and what the receiver has to be given.
  func send() async throws -> (sending: RunningProcess, port: UInt16, credential: [String]) {
    var own: [String] = []
    switch kind {
    case .open: break
    case .code: own = ["--code"]
    case .remembering: own = ["--code", "--remember", SessionKind.names.ofReceiver]
    case .key:
      if !FileManager.default.fileExists(atPath: key) {
        let made = try await sender.run("key", "new", key)
        guard made.status == 0 else { throw CommandFailed(finished: made) }
      }
      own = ["--key", key]
    }
    let sending = try await sender.start(
      ["send", "--amount", "1.00", "--discovery", "none", "--json"] + times + own)
    let port = try await sending.event("advertising").number("port") ?? 0
    guard kind.mode == .code else { return (sending, UInt16(port), own) }
    let line = try await sending.line(on: .error) { $0.contains("The code is ") }
    let code = line.firstMatch(of: /\d{1,2}-\d{6}/).map { String($0.output) } ?? ""
    return (sending, UInt16(port), ["--code", code])
  }

  func receive(port: UInt16, _ credential: [String]) async throws -> RunningProcess {
    let own = kind == .remembering ? ["--remember", SessionKind.names.ofSender] : []
    return try await receiver.start(
      ["receive", "--peer", "127.0.0.1:\(port)", "--json", "--yes"] + times + credential + own)
  }

  /// A busy machine may take long until both have met. Whoever is left alone then ends by something else than its time.
  private var times: [String] { ["--send-timeout", String(sendTimeout), "--discovery-timeout", "60"] }

  /// What both ends said in the end, what they hold, and what the proxy saw.
  struct Outcome: Sendable, CustomStringConvertible {
    let sent: ProcessResult
    let received: ProcessResult
    let given: [JSONObject]
    let taken: [JSONObject]
    /// The keys that the ends keep of each other afterwards.
    let keys: (ofReceiver: RememberedKey?, ofSender: RememberedKey?)
    let transcript: Proxy.Transcript

    var description: String {
      "\(sent)\n\(received)\nsender: \(given.map { $0.string("state") ?? "" }), receiver: \(taken.count)\n"
        + transcript.came.map { "  \($0)" }.joined(separator: "\n")
    }
  }

  /// Runs the bump to both ends' end. A sender is interrupted where its receiver has ended without having brought ACCEPT to
  /// it: with ACCEPT a sender ends by itself, without it waits for another receiver.
  ///
  /// - Parameters:
  ///   - earlier: what went on in a session that is over, to be replayed.
  ///   - decide: what a frame brings about.
  func run(
    under plan: FaultPlan = .none, earlier: [InterceptedFrame] = [],
    _ decide: @escaping @Sendable (InterceptedFrame, Processes) -> Fate = { _, _ in .forward }
  ) async throws -> Outcome {
    let (sending, port, credential) = try await send()
    let proxy = try Proxy()
    do {
      let receiving = try await receive(port: proxy.port, credential)
      let processes = Processes(sending: sending, receiving: receiving)
      proxy.start(to: port, under: plan, earlier: earlier) { decide($0, processes) }
      let received = try await receiving.finish()
      if !proxy.transcript.acceptWent(in: kind) { sending.signal(SIGINT) }
      let sent = try await sending.finish()
      await proxy.close()
      let taken = try await receiver.claims()
      // The secrets are of use where there is another to compare with.
      let given = try await taken.isEmpty ? sender.history() : sender.claims()
      var keys: (RememberedKey?, RememberedKey?)
      if kind == .remembering {
        keys = (
          try await sender.key(of: SessionKind.names.ofReceiver), try await receiver.key(of: SessionKind.names.ofSender)
        )
      }
      return Outcome(
        sent: sent, received: received, given: given, taken: taken, keys: keys, transcript: proxy.transcript)
    } catch {
      sending.signal(SIGKILL)
      await proxy.close()
      throw error
    }
  }
}
