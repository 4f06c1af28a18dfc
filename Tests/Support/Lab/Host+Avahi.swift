import Foundation
import Synchronization

/// What may run on a host to announce and find services.
public enum Daemons: Sendable {
  case none
  case onlyDBus
  case avahi
}

extension Host {
  /// Returns when they answer: Avahi too has then made sure that its host name is unique.
  public func start(_ daemons: Daemons) async throws {
    guard daemons != .none else { return }
    // It changes its user, and with that escapes being killed with the tests.
    let bus = try await spawn(
      ["dbus-daemon", "--system", "--nofork", "--nopidfile", "--print-address"], asItsOwn: true)
    try await bus.line { $0.hasPrefix("unix:") }
    if daemons == .avahi { try await startAvahi() }
  }

  /// Returns when Avahi answers.
  ///
  /// - Parameters:
  ///   - server: further lines of the section `[server]` of its configuration.
  ///   - logsAll: whether it logs each conflict too.
  public func startAvahi(server: String = "", logsAll: Bool = false) async throws {
    let configuration = """
      [server]
      host-name=\(name)
      use-ipv4=yes
      use-ipv6=yes
      \(server)
      [wide-area]
      enable-wide-area=no
      [publish]
      publish-workstation=no
      """
    try configuration.write(toFile: path("/run/avahi.conf"), atomically: false, encoding: .utf8)
    let daemon = try await spawn(
      ["avahi-daemon", "--file", "/run/avahi.conf", "--no-drop-root", "--no-chroot", "--no-rlimits"]
        + (logsAll ? ["--debug"] : []))
    try await daemon.line(on: .error) { $0.contains("Server startup complete") }
    avahi.withLock { $0 = daemon }
  }

  /// What Avahi has logged so far.
  public var avahiLog: [String] { avahi.withLock(\.self)?.standardError.lines ?? [] }

  /// Returns when Avahi has stopped, as one that hangs: it is there, and says nothing.
  public func freezeAvahi() async { await avahi.withLock(\.self)?.freeze() }

  /// Returns when Avahi is gone.
  ///
  /// - Parameter signal: SIGTERM lets it say goodbye to the network, SIGKILL leaves its records in the caches of others.
  public func killAvahi(_ signal: Int32) async throws {
    guard let daemon = avahi.withLock({ $0.take() }) else { return }
    daemon.signal(signal)
    _ = try await daemon.finish()
    try await shell("rm -f /run/avahi-daemon/pid")
  }
}
