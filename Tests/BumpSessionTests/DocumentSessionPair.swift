import BumpClaims
import BumpTesting
import BumpWire
import Samples

@testable import BumpSession

/// A sender's and a receiver's session with a document between them, and what is on the way in either direction. Persons
/// say yes, and what is to be saved is saved, unless a test says otherwise.
struct DocumentSessionPair {
  enum End { case sender, receiver }

  var sender: SenderSession
  var receiver: ReceiverSession
  var now: Moment = .zero
  /// What the frames become, by their number from 0, each with the end that it goes to.
  var alter: (_ index: Int, _ frame: [UInt8], _ to: End) -> [UInt8] = { _, frame, _ in frame }
  var saves: Result<Bool, DocumentError> = .success(false)
  private(set) var frames = 0
  /// The frames that each end has written.
  private(set) var written: [End: [[UInt8]]] = [:]
  private(set) var digits: [VerificationDigits] = []
  private(set) var saved: [VerifiedDocument] = []
  private(set) var mostOnTheWay = 0
  private(set) var senderEnding: SenderSession.Ending?
  private(set) var receiverEnding: ReceiverSession.Ending?
  /// No bytes stand for the end of the connection.
  private var onTheWay: [(bytes: [UInt8], to: End)] = []

  init(
    _ document: Document, credential: Credential = .none, asks: Bool = false, takesDocuments: Bool = true,
    keys: (sender: SessionKeys, receiver: SessionKeys) = (
      SessionKeys(drawnFrom: .system), SessionKeys(drawnFrom: .system)
    )
  ) throws {
    let offered = try OfferedDocument(document, from: DisplayName("alice"))
    sender = SenderSession(
      .document(offered), credential: credential, asks: asks, limit: .seconds(5), keys: keys.sender, at: .zero)
    receiver = ReceiverSession(
      .init(name: try DisplayName(Fixture.bob), asks: asks, limit: .seconds(5), unixTime: { 0 }),
      credential: credential, takesDocuments: takesDocuments, keys: keys.receiver, at: .zero)
  }

  /// Lets them talk until nothing is on the way any more.
  mutating func talk() {
    perform(receiver.handle(.opened, at: now))
    while !onTheWay.isEmpty { step() }
  }

  /// Delivers what is on the way, until so many frames were.
  mutating func talk(frames most: Int) {
    perform(receiver.handle(.opened, at: now))
    while !onTheWay.isEmpty, frames < most { step() }
  }

  /// Lets time pass until both have ended.
  mutating func waitOut() {
    while let next = [sender.deadline, receiver.deadline].compactMap(\.self).min() {
      now = max(now, next)
      if let deadline = sender.deadline, deadline <= now { perform(sender.handle(.deadline, at: now)) }
      if let deadline = receiver.deadline, deadline <= now { perform(receiver.handle(.deadline, at: now)) }
      while !onTheWay.isEmpty { step() }
    }
  }

  mutating func step() {
    mostOnTheWay = max(mostOnTheWay, onTheWay.count)
    let (frame, end) = onTheWay.removeFirst()
    guard !frame.isEmpty else {
      switch end {
      case .sender: return perform(sender.handle(.closed, at: now))
      case .receiver: return perform(receiver.handle(.closed, at: now))
      }
    }
    let bytes = alter(frames, frame, end)
    frames += 1
    switch end {
    case .sender: perform(sender.handle(.received(bytes), at: now))
    case .receiver: perform(receiver.handle(.received(bytes), at: now))
    }
  }

  private mutating func perform(_ outputs: [SenderSession.Output]) {
    for output in outputs {
      switch output {
      case .send(let bytes): put(bytes, to: .receiver)
      case .accepted: perform(sender.handle(.chosen, at: now))
      case .ask: perform(sender.handle(.decided(true), at: now))
      case .secured(let digits): self.digits.append(digits)
      case .guessed, .held, .placed, .progress: break
      // No document is released, or kept with a key.
      case .release, .takeBack, .keep, .remembering: senderEnding = .unknown(.somebody, nil)
      case .ended(let ending):
        senderEnding = senderEnding ?? ending
        onTheWay.append(([], .receiver))
      }
    }
  }

  private mutating func perform(_ outputs: [ReceiverSession.Output]) {
    for output in outputs {
      switch output {
      case .request(.send(let bytes)): put(bytes, to: .sender)
      case .documentOffered: perform(receiver.handle(.chosen, at: now))
      case .request(.askAboutDocument): perform(receiver.handle(.decided(true), at: now))
      case .request(.save(let document)):
        saved.append(document)
        switch saves {
        case .success(let isDuplicate):
          let file = SavedDocument(document, path: "/there", isDuplicate: isDuplicate)
          perform(receiver.handle(.saved(file), at: now))
        case .failure(let error): perform(receiver.handle(.notSaved(error), at: now))
        }
      case .secured(let digits): self.digits.append(digits)
      case .welcomed, .ready, .guessing, .held, .progress: break
      // No claim was offered.
      case .offered, .request: receiverEnding = .invalidClaim
      case .ended(let ending):
        receiverEnding = receiverEnding ?? ending
        onTheWay.append(([], .sender))
      }
    }
  }

  /// One write may hold several frames.
  private mutating func put(_ bytes: [UInt8], to end: End) {
    var rest = bytes[...]
    while rest.count > 2 {
      let length = 2 + Int(rest[rest.startIndex]) << 8 + Int(rest[rest.startIndex + 1])
      onTheWay.append((Array(rest.prefix(length)), end))
      written[end == .sender ? .receiver : .sender, default: []].append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
  }
}
