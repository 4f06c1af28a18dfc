import ArgumentParser
import BumpKit
import BumpSharedCards
import BumpTerminal

/// The options of all commands of `bump-clip card`.
struct CardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The directory that cards are kept in (default: $XDG_DATA_HOME/bump/cards), or s3://BUCKET/PREFIX, with the keys of \
      AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
      """, valueName: "directory"),
    completion: .directory)
  var store: String?

  @Flag(help: "Write one JSON object a line to stdout, and nothing else.")
  var json = false

  @Flag(help: "Say nothing on stderr but errors.")
  var quiet = false

  /// Runs a command with the store, and ends with its exit status.
  func run(_ body: (any SharedCardStore, CardReport) async throws -> ExitStatus) async throws {
    let json = JSONLines(json)
    throw try await json.concluding {
      let report = CardReport(console: Console(quiet: quiet), json: json, store: store)
      let status = try await body(try chosenStore(), report)
      try Console.checkResult()
      return status
    }
  }

  private func chosenStore() throws -> any SharedCardStore {
    if let store, store.hasPrefix(BucketLocation.scheme) { return S3CardStore(at: try bucket(store)) }
    try CommandError.checkFolder(of: store, the: "cards' directory", named: "--store")
    return DirectoryCardStore(at: store ?? Environment.dataFolder + "/cards")
  }

  /// Reads the environment variables that other programs use for such a bucket too.
  private func bucket(_ text: String) throws -> BucketLocation {
    guard let accessKey = Environment.value("AWS_ACCESS_KEY_ID"),
      let secretKey = Environment.value("AWS_SECRET_ACCESS_KEY")
    else {
      throw CommandError(
        .usage, "a bucket needs keys", remedy: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
    }
    let place = BucketLocation(
      text, endpoint: Environment.value("AWS_ENDPOINT_URL"), region: Environment.value("AWS_REGION") ?? "us-east-1",
      accessKey: accessKey, secretKey: secretKey, token: Environment.value("AWS_SESSION_TOKEN"),
      roots: Environment.value("AWS_CA_BUNDLE"))
    guard let place else {
      throw CommandError(
        .usage, "a bucket is s3://BUCKET/PREFIX, of letters, digits and - _ . alone",
        remedy: "Check --store, AWS_REGION, and AWS_ENDPOINT_URL, which is https://HOST")
    }
    return place
  }
}
