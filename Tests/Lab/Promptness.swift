extension Duration {
  /// What whoever waits for nothing has ended within, on a machine that is busy otherwise too. It is half of what a search
  /// takes, so whoever waits one out is caught.
  public static let prompt = Duration.seconds(5)
}
