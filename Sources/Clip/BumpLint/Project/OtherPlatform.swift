/// Targets for the Mac, Watch, TV or Vision. None of them has an App Clip, which iOS and iPadOS alone have (Apple,
/// Creating an App Clip with Xcode), and their property lists are not those of the app.
enum OtherPlatform {
  /// Words that name a platform by themselves.
  private static let names = ["macos", "osx", "catalyst", "maccatalyst", "watchos", "watchkit", "tvos", "visionos"]
  /// Words that name one where they are last, or one of `endings` follows: `Watch App`, but not `WatchStore`.
  private static let devices = ["mac", "watch", "tv", "vision"]
  private static let endings = ["os", "app", "kit", "entitlements", "info", "debug", "release", "profile"]

  /// Returns whether the words of a file's or a folder's name are those of such a target.
  static func isNamed(by words: [String]) -> Bool {
    words.enumerated().contains { index, word in
      names.contains(word)
        || devices.contains(word) && words.dropFirst(index + 1).first.map(endings.contains) != false
    }
  }

  /// Returns whether an Info.plist is one of such a target, by keys that only those have.
  static func isInfo(_ plist: Plist) -> Bool {
    let watch = ["WKApplication", "WKWatchKitApp", "WKWatchOnly", "WKCompanionAppBundleIdentifier"]
    if watch.contains(where: { plist[$0] != nil }) { return true }
    let isMac = plist["NSPrincipalClass"]?.string == "NSApplication" || plist["LSMinimumSystemVersion"] != nil
    // Mac Catalyst makes a Mac app from that of iOS.
    return isMac && plist["LSRequiresIPhoneOS"]?.bool != true
  }

  /// Returns entitlements without those of a sandboxed Mac app. They may be all that there is: an app of iOS that is
  /// one of the Mac too has one file for both, with the sandbox in it.
  static func without(_ files: [PlistFile]) -> [PlistFile] {
    let others = files.filter { $0.plist["com.apple.security.app-sandbox"] == nil || Project.role(byKeysOf: $0) != nil }
    return others.isEmpty ? files : others
  }
}
