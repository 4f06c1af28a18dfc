#if Vault
  import ArgumentParser
  import BumpVault
  import Foundation

  /// Shows whether a vault's clock is believed, and confirms it.
  struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clock",
      abstract: "Shows whether the vault believes its clock, and confirms a clock that is right.",
      discussion: """
        The vault measures the time since boot, from a moment whose time is proven. It does not believe a clock that is \
        more than five minutes ahead of that: nothing expires by such a clock. Look at your own watch before you confirm \
        the clock. The command may run beside the server.
        """)

    @OptionGroup var options: StoreOptions

    @Option(
      help: ArgumentHelp(
        "The time now, in UTC, by your own watch: the clock must be within five minutes of it.",
        valueName: "2026-01-31T12:00"))
    var confirm: String?

    func run() async throws {
      let watch = try confirm.map { text in
        guard let time = Self.time(text) else {
          throw Failure.usage("--confirm is a time in UTC, such as 2026-01-31T12:00")
        }
        return time
      }
      let opened = try await options.open(makes: false)
      var time = try await opened.store.currentTime()
      if let watch {
        guard abs(time.clock - watch) <= ClockAnchor.tolerance else {
          await opened.close()
          throw Failure("the clock says \(Self.text(time.clock)). Set the clock, or look again at your watch")
        }
        time = try await opened.store.confirmClock()
      }
      await opened.close()
      print("The vault's time is \(Self.text(time.now)), its clock says \(Self.text(time.clock)).")
      print(time.warning.map { "Not believed: \($0)." } ?? "The clock is believed.")
    }

    /// Reads a time in UTC, with or without seconds and a Z. Returns seconds since 1970.
    static func time(_ text: String) -> Int64? {
      guard
        let match = text.wholeMatch(of: /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?Z?/),
        let date = try? Date("\(match.1)T\(match.2)\(match.3 ?? ":00")Z", strategy: .iso8601)
      else { return nil }
      return Int64(date.timeIntervalSince1970)
    }

    private static func text(_ time: Int64) -> String {
      Date(timeIntervalSince1970: TimeInterval(time)).formatted(.iso8601)
    }
  }
#endif
