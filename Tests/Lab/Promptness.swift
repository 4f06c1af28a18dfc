// What is promised of times. Processes on the laboratory's hosts run before what else a machine is busy with, and where
// bump's own clock tells (`Running.moment(of:)`), that is looked at: so the slack is for what bump itself does, and for
// the other live tests beside it.

extension Duration {
  /// What ends where it is told to, or where there is nothing to wait for, has ended within; the half of it is for the end
  /// of its process, and for goodbyes to the network.
  public static let atOnce = Duration.seconds(1)
  /// The same from the start of a process: a second more, in which a debug build is loaded on a busy machine.
  public static let atOnceFromStart = Duration.seconds(2)
  /// Both are on the network, and the claim is over there within a second or two (README): a question that was lost is
  /// asked again after one.
  public static let prompt = Duration.seconds(2.5)
}
