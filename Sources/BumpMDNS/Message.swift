/// A DNS message (RFC 1035 §4) as multicast DNS uses it (RFC 6762 §18).
public struct Message: Hashable, Sendable {
  /// Zero but in legacy questions and the answers to them (§18.1).
  public var id: UInt16 = 0
  public var isResponse = false
  /// In a question: more known answers follow (§7.2).
  public var isTruncated = false
  public var questions: [Question] = []
  public var answers: [Record] = []
  public var authorities: [Record] = []
  public var additionals: [Record] = []

  /// The most bytes of a packet, with its IP and UDP headers (§17).
  public static let maximumLength = 9000

  public init() {}

  /// A message with nothing but questions and known answers.
  public init(questions: [Question], knownAnswers: [Record] = []) {
    self.questions = questions
    answers = knownAnswers
  }

  /// A response with nothing but records.
  public init(answers: [Record], additionals: [Record] = []) {
    isResponse = true
    self.answers = answers
    self.additionals = additionals
  }

  /// The bits of the header's second field.
  enum Flags {
    static let response: UInt16 = 0x8000
    static let opcode: UInt16 = 0x7800
    static let authoritative: UInt16 = 0x0400
    static let truncated: UInt16 = 0x0200
    static let responseCode: UInt16 = 0x000F
  }

  /// The class IN, and ANY in questions.
  enum Class {
    static let internet: UInt16 = 1
    static let any: UInt16 = 255
    /// The cache-flush bit of a record (§10.2), the unicast-response bit of a question (§5.4).
    static let topBit: UInt16 = 0x8000
  }
}
