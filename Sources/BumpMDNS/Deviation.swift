/// The deliberate deviations from RFC 6762. The test of captured packets allows these and no others.
public enum Deviation: CaseIterable, Sendable {
  /// §5.2 delays the first question by 20 to 120 ms at random, so that hosts which start at the same time do not ask at
  /// the same time. A person starts this program, so the first question is sent at once.
  case firstQuestionUndelayed
  /// §6 delays an answer with shared records by 20 to 120 ms. Where no other answer is pending, the delay is 10 ms at
  /// most: a switch can buffer the answers of a room full of hosts.
  case loneAnswerSoon
  /// §8.1 probes for unique names, which takes 750 ms. Names with 64 random bits are not probed for.
  case unprobedNames
  /// §5.4 has the first question ask for answers by unicast, since most of them are known to all others. Port 5353 is
  /// shared with other processes, so this stack sends the first question from an own port (§5.1, §6.7), and by IPv4 alone
  /// where the interface has both families. The answers arrive at once, even where the record was multicast within the
  /// last second. Where none has come after 100 ms all are asked, by both families; while nothing is known, from the own port too.
  case firstQuestionFromAnotherPort
  /// §5.4 answers a QU question by multicast instead where the record was not multicast recently. This stack answers
  /// both ways then.
  case unicastBesideMulticast
  /// §7.2 sends all known answers. This stack sends at most 256.
  case fewerKnownAnswers
  /// §8.3 has a responder announce its own records only. avahi-daemon delays that by up to 250 ms, so this stack asks
  /// for the daemon's unique records of a service, and announces the pointer to them once the daemon has answered.
  case hastenedAnnouncement
}

/// The intervals of RFC 6762, and those of the deviations.
public enum Timing {
  /// §5.2: the first interval between two questions, which doubles each time.
  static let firstInterval = Duration.seconds(1)
  /// §5.2: the longest interval between two questions.
  static let longestInterval = Duration.seconds(3600)
  /// §6: the shortest interval between two multicasts of a record on one link.
  public static let multicastInterval = Duration.seconds(1)
  /// §6: the same in defence against a probe.
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
  /// `Deviation.hastenedAnnouncement`: the time after which avahi-daemon has announced a service itself. It takes at
  /// most 250 ms at random and 120 ms to gather answers; the rest is slack for a busy machine.
  public static let handOver = Duration.seconds(1)
  /// §10.4, §10.5: when a record in doubt expires.
  static let doubt = Duration.seconds(10)
  /// How long an answer to a question from the own port is accepted.
  static let directAnswer = Duration.seconds(5)
  /// How many of the first questions are sent from the own port.
  static let directQuestions = 4
  /// How many of the first questions are left out where an earlier one was answered.
  static let optionalQuestions = 3
  /// How long the answer to the first question is waited for before all are asked.
  static let questionForAll = Duration.milliseconds(100)
  /// One packet of questions may be sent on a link in this time. Who says a thousand names has us ask about all of them.
  static let questionInterval = Duration.milliseconds(100)
  /// How much of that time packets may be sent ahead: twenty at once.
  static let questionCredit = questionInterval * 20
  /// How long a quiet question waits after another host has asked it.
  static let quietDelay = Duration.seconds(1)...Duration.seconds(3)
  /// How long an own packet that comes back is recognised.
  static let echo = Duration.seconds(2)
}

/// The limits of sent packets, in bytes.
enum PacketLimits {
  /// What fits into an Ethernet frame with IPv6 and UDP headers (§17), and a little less.
  static let usual = 1440
  /// A packet with a single record that needs more (§17).
  static let oneRecord = 8900
  /// The number of known answers (`Deviation.fewerKnownAnswers`).
  static let knownAnswers = 256
}
