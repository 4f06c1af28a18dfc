// What is promised of times. Processes on the laboratory's hosts run before what else a machine is busy with, and where
// bump's own clock tells (`Running.moment(of:)`), that is looked at: so the slack is for what bump itself does, and for
// the other live tests beside it.

extension Duration {
  /// What ends where it is told to, or where there is nothing to wait for, has ended within. It takes a tenth of that, or
  /// two where a machine is busy; what waits for a time-out takes the double at least.
  public static let atOnce = Duration.seconds(3)
  /// Both are on the network, and the claim is over there within a second or two (README): a question that was lost is
  /// asked again after one.
  public static let prompt = Duration.seconds(2.5)
}
