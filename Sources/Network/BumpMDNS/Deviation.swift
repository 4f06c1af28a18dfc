/// The deliberate deviations from RFC 6762. The test of captured packets allows these and no others.
public enum Deviation: CaseIterable, Sendable {
  /// §5.2 delays the first question by 20 to 120 ms at random, so that hosts that start at the same time do not ask at
  /// the same time. A person starts this program, so the first question is sent at once.
  case firstQuestionUndelayed
  /// §6 delays an answer with shared records by 20 to 120 ms. If no other answer is pending, this stack delays it by at
  /// most 10 ms: a switch can buffer the answers of a room full of hosts.
  case loneAnswerSoon
  /// §8.1 probes for unique names, which takes 750 ms. This stack does not probe, since its names have 64 random bits.
  case unprobedNames
  /// §5.4 lets the first question ask for unicast answers, since other hosts know most of the answers. Port 5353 is
  /// shared with other processes, so this stack sends the first question from a port of its own (§5.1, §6.7), and only
  /// by IPv4 if the interface has both families. The answers arrive at once, even if the record was multicast within
  /// the last second. If none has arrived after 100 ms, the question is sent to all hosts by both families, and while
  /// nothing is known also from the stack's own port.
  case firstQuestionFromAnotherPort
  /// §5.4 answers a QU question by multicast instead if the record was not multicast recently. This stack then answers
  /// both ways.
  case unicastBesideMulticast
  /// §7.2 sends all known answers. This stack sends at most 256.
  case fewerKnownAnswers
  /// §8.3 has a responder announce its own records only. avahi-daemon delays that by up to 250 ms, so this stack asks
  /// for the daemon's unique records of a service, and announces the pointers to them once the daemon has answered.
  case earlyAnnouncement
}

/// The intervals of RFC 6762, and those of the deviations.
public enum Timing {
  /// §5.2: the first interval between two questions, which doubles each time.
  static let firstInterval = Duration.seconds(1)
  /// §5.2: the longest interval between two questions.
  static let longestInterval = Duration.seconds(3600)
  /// §6: the shortest interval between two multicasts of a record on one link.
  public static let multicastInterval = Duration.seconds(1)
  /// §6: the same interval when answering a probe.
  static let defenceInterval = Duration.milliseconds(250)
  /// §6: the delay of an answer with shared records.
  static let sharedDelay = Duration.milliseconds(20)...Duration.milliseconds(120)
  /// The delay of `Deviation.loneAnswerSoon`.
  public static let loneDelay = Duration.zero...Duration.milliseconds(10)
  /// §7.2: how long an answer waits for more known answers.
  static let truncatedDelay = Duration.milliseconds(400)...Duration.milliseconds(500)
  /// §8.3: the interval between two announcements.
  static let announcementInterval = Duration.seconds(1)
  /// §8.3: the number of announcements.
  static let announcements = 2
  /// `Deviation.earlyAnnouncement`: the time after which avahi-daemon has announced a service itself. The daemon
  /// takes at most a random 250 ms, plus 120 ms to aggregate answers; the rest is a margin for a busy machine.
  public static let handOver = Duration.seconds(1)
  /// §10.4, §10.5: when a record in doubt expires.
  static let doubt = Duration.seconds(10)
  /// How long an answer to a question from the stack's own port is accepted.
  static let directAnswer = Duration.seconds(5)
  /// How many of the first questions are sent from the stack's own port.
  static let directQuestions = 4
  /// How many of the first questions are skipped if an earlier one was answered.
  static let optionalQuestions = 3
  /// How long the answer to the first question is awaited before the question is sent to all hosts.
  static let questionForAll = Duration.milliseconds(100)
  /// The interval in which one packet of questions may be sent on a link. A host that announces a thousand names makes
  /// this stack ask about all of them.
  static let questionInterval = Duration.milliseconds(100)
  /// How far ahead of that rate packets may be sent: twenty at once.
  static let questionCredit = questionInterval * 20
  /// How long no question is sent at most, however many were sent before.
  static let longestSilence = Duration.seconds(600)
  /// How long a quiet question waits after another host has asked it.
  static let quietDelay = Duration.seconds(1)...Duration.seconds(3)
  /// How long a sent packet is recognized when it comes back.
  static let echo = Duration.seconds(2)
}

/// The limits of sent packets, in bytes where nothing else is said.
enum PacketLimits {
  /// What fits into an Ethernet frame with IPv6 and UDP headers (§17), and a little less.
  static let usual = 1440
  /// A packet with a single record that needs more (§17).
  static let oneRecord = 8900
  /// How many bytes of questions may be sent on a link beyond what was received on it, at the usual rate.
  static let questionAllowance = 20_000
  /// The number of known answers (`Deviation.fewerKnownAnswers`).
  static let knownAnswers = 256
}
