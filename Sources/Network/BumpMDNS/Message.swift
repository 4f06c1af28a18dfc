/// A DNS message (RFC 1035 §4) as multicast DNS uses it (RFC 6762 §18).
public struct Message: Hashable, Sendable {
  /// The message id: zero except in legacy questions and their answers (§18.1).
  public var id: UInt16 = 0
  /// Whether the message is a response.
  public var isResponse = false
  /// Whether more known answers follow, in a query: the TC bit (§7.2).
  public var isTruncated = false
  /// The questions.
  public var questions: [Question] = []
  /// The answers; in a query the known answers (§7.1).
  public var answers: [Record] = []
  /// The authority section; in a query the records of a probe (§8.2).
  public var authorities: [Record] = []
  /// The additional records.
  public var additionals: [Record] = []

  /// The most bytes of a packet, with its IP and UDP headers (§17).
  public static let maximumLength = 9000

  /// Makes an empty query.
  public init() {}

  /// Makes a query.
  public init(questions: [Question], knownAnswers: [Record] = []) {
    self.questions = questions
    answers = knownAnswers
  }

  /// Makes a response.
  public init(answers: [Record], additionals: [Record] = []) {
    isResponse = true
    self.answers = answers
    self.additionals = additionals
  }

  /// The flags of the header's second field.
  enum Flags {
    static let response: UInt16 = 0x8000
    static let opcode: UInt16 = 0x7800
    static let authoritative: UInt16 = 0x0400
    static let truncated: UInt16 = 0x0200
    static let responseCode: UInt16 = 0x000F
  }

  /// The classes IN and, in questions, ANY.
  enum Class {
    static let internet: UInt16 = 1
    static let any: UInt16 = 255
    /// The cache-flush bit of a record (§10.2), the unicast-response bit of a question (§5.4).
    static let topBit: UInt16 = 0x8000
  }
}
