/// Where this stack does on purpose other than RFC 6762 says. The test of captured packets allows these and no more.
public enum Deviation: CaseIterable, Sendable {
  /// §5.2 delays the first question by 20 to 120 ms, so that hosts which start at one moment do not ask at one moment.
  /// A person who presses a key is no such moment: the first question is sent at once.
  case firstQuestionUndelayed
  /// §6 delays an answer that others may give too by 20 to 120 ms. Where nothing else waits to be sent, ours waits for
  /// 10 ms at most: a switch has room for the answers of a room full of hosts.
  case loneAnswerSoon
  /// §8.1 probes for unique names, which takes 750 ms. Names with 64 random bits need no proof.
  case unprobedNames
  /// Beside a first question, the same is asked from a port of our own (§5.1, §6.7): the answer comes to us alone, at once,
  /// whoever shares port 5353, and whatever was multicast within the last second.
  case secondQuestionFromAnotherPort
  /// §5.4 answers a question for a unicast answer by multicast where the record was not multicast of late. It is
  /// answered both ways.
  case unicastBesideMulticast
  /// §7.2 has all known answers sent. At most 256 are.
  case fewerKnownAnswers
  /// §8.3 lets a responder announce what is its own. avahi-daemon delays that by up to 250 ms: beside it, its unique
  /// records are asked for, and the pointer to them is announced for it once it has answered.
  case hastenedAnnouncement
}

/// The times of RFC 6762, and ours where they deviate.
public enum Timing {
  /// §5.2: the first interval between two questions; it doubles.
  static let firstInterval = Duration.seconds(1)
  /// §5.2: the longest interval.
  static let longestInterval = Duration.seconds(3600)
  /// §6: a record is multicast once within this on one link.
  public static let multicastInterval = Duration.seconds(1)
  /// §6: but in defence against a probe.
  static let defenceInterval = Duration.milliseconds(250)
  /// §6: what an answer waits for that others may give too.
  static let sharedDelay = Duration.milliseconds(20)...Duration.milliseconds(120)
  /// `Deviation.loneAnswerSoon`.
  public static let loneDelay = Duration.zero...Duration.milliseconds(10)
  /// §7.2: what an answer waits for more known answers.
  static let truncatedDelay = Duration.milliseconds(400)...Duration.milliseconds(500)
  /// §8.3: between two announcements.
  static let announcementInterval = Duration.seconds(1)
  /// §8.3: how often something is announced.
  static let announcements = 2
  /// `Deviation.hastenedAnnouncement`: when avahi-daemon has announced a service itself, after 250 ms at random and 120 ms
  /// of gathering at most, and some time for a busy machine.
  public static let handOver = Duration.seconds(1)
  /// §10.4, §10.5: what a record has left that is in doubt.
  static let doubt = Duration.seconds(10)
  /// How long an answer to a question from a port of our own is taken.
  static let directAnswer = Duration.seconds(5)
  /// How often a question is asked from a port of our own as well.
  static let directQuestions = 3
  /// How long a packet that comes back is known for ours.
  static let echo = Duration.seconds(2)
}

/// The sizes of what is sent.
enum PacketLimits {
  /// What fits into an Ethernet frame, with IPv6 and UDP headers (§17) and a little to spare.
  static let usual = 1440
  /// One record alone may need more (§17).
  static let oneRecord = 8900
  /// `Deviation.fewerKnownAnswers`.
  static let knownAnswers = 256
}
