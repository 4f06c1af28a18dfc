import BumpMDNS
import Foundation
import Glibc
import Lab
import Synchronization

@testable import BumpDNSSD

/// A dbus-daemon and an avahi-daemon on network interfaces of their own, in namespaces that end with it.
///
/// This process reaches them through a Unix socket, which crosses namespaces. Needs root.
final class PrivateDaemon: Sendable {
  struct Failure: Error {}

  /// Stands for the socket of the system bus. libdbus reads the address only once a process, so the address is that
  /// of this link, which leads to one daemon after the other and in between is missing.
  private static let link: String = {
    let link = FileManager.default.temporaryDirectory.appending(path: "bump-bus-\(getpid())").path
    setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(link)", 1)
    return link
  }()

  /// The network of the one that there is at this moment.
  private static let current = Mutex<NetworkNamespace?>(nil)

  /// Discovery by the daemon that there is when something is announced, and beside it on its network.
  ///
  /// - Parameter handOver: how long it is announced beside the daemon.
  static func discovery(interface: UInt32 = 0, handOver: Duration = Timing.handOver) -> DNSSDDiscovery {
    // Where there is none, nothing is to be said on the network of these tests' process.
    DNSSDDiscovery(interface: interface, handOver: handOver) { body in current.withLock(\.self)?.enter(body) }
  }

  let network: NetworkNamespace
  private let process: RunningProcess

  /// Runs a body beside a daemon of its own.
  ///
  /// - Parameters:
  ///   - avahi: Whether there is an avahi-daemon on the bus.
  ///   - refusingRecords: Whether the bus lets nobody add single records, but whole services.
  @discardableResult
  static func with<T>(avahi: Bool = true, refusingRecords: Bool = false, _ body: (PrivateDaemon) async throws -> T)
    async throws -> T
  {
    let daemon = try await PrivateDaemon(avahi: avahi, refusingRecords: refusingRecords)
    defer { daemon.stop() }
    return try await body(daemon)
  }

  /// Runs a body where there is no system bus.
  static func without<T>(_ body: () async throws -> T) async throws -> T {
    unlink(link)
    return try await body()
  }

  private init(avahi: Bool, refusingRecords: Bool) async throws {
    let policy = refusingRecords ? Self.refuseRecords : ""
    let startDaemons = policy + (avahi ? Self.startBus + Self.startAvahi(host: "near") : Self.startBus)
    process = try await RunningProcess.start([
      "unshare", "--mount", "--net", "--pid", "--fork", "--kill-child",
      "sh", "-ec", Self.makeNetwork + startDaemons + Self.takeCommands,
    ])
    let line = try await process.line { Int($0) != nil }
    guard let pid = Int(line) else { throw Failure() }
    network = NetworkNamespace(ofProcess: pid)
    Self.current.withLock { [network] in $0 = network }
    unlink(Self.link)
    guard symlink("/proc/\(pid)/root/run/dbus/system_bus_socket", Self.link) == 0 else { throw Failure() }
  }

  private func stop() {
    unlink(Self.link)
    Self.current.withLock { $0 = nil }
    // unshare ignores SIGTERM while it waits; what is inside dies with it.
    process.signal(SIGKILL)
  }

  func killAvahi() throws { try run("kill -KILL $(cat /run/avahi-daemon/pid)") }

  /// Adds another host, which announces a service to this one.
  func addNeighbour(announcing name: String, _ type: String) throws {
    try run(
      """
      ip netns add neighbour
      ip link add here type veth peer name there
      ip link set there netns neighbour
      ip address add 198.51.100.1/24 dev here
      ip link set here up
      ip netns exec neighbour sh -ec '
        ip address add 198.51.100.2/24 dev there
        ip link set there up
        \(Self.startBus)
        \(Self.startAvahi(host: "neighbour"))
        exec avahi-publish -s "$0" "$1" 1
      ' '\(name)' '\(type)' &
      """)
  }

  /// Has the shell inside run a line.
  func run(_ line: String) throws {
    guard process.ended == nil else { throw Failure() }
    process.type("\(line)\n")
  }
}

// MARK: What the shell inside runs

extension PrivateDaemon {
  /// Two interfaces that are each other's neighbour, with IPv4 and link-local IPv6. The kernel would add the latter once
  /// it has seen the cable, and then look for a duplicate of it (RFC 4862 §5.4): these are there at once.
  private static let makeNetwork = """
    ip link set lo up
    ip link add near type veth peer name far
    for i in near far; do ip link set $i addrgenmode none up; done
    ip address add 192.0.2.1/24 dev near
    ip address add 192.0.2.2/24 dev far
    ip address add fe80::1/64 dev near nodad
    ip address add fe80::2/64 dev far nodad

    """

  /// A policy of the bus (dbus-daemon(1)), which is read beside the ones installed.
  private static let refuseRecords = """
    mount -t tmpfs tmpfs /etc/dbus-1/system.d
    echo '<busconfig><policy context="mandatory"><deny send_interface="org.freedesktop.Avahi.EntryGroup" \
      send_member="AddRecord"/></policy></busconfig>' > /etc/dbus-1/system.d/refuse.conf

    """

  private static let startBus = """
    mount -t tmpfs tmpfs /run
    mkdir -p /run/dbus
    dbus-daemon --system --fork --nopidfile

    """

  private static func startAvahi(host: String) -> String {
    """
    mkdir -p /run/avahi-daemon
    printf "%s\\n" "[server]" host-name=\(host) use-ipv4=yes use-ipv6=yes \
      "[wide-area]" enable-wide-area=no "[publish]" publish-workstation=no > /run/avahi.conf
    avahi-daemon -f /run/avahi.conf --no-drop-root --no-chroot --no-rlimits -D

    """
  }

  /// The outer /proc tells the shell's pid as this process knows it. Its input ends with this process, and so does it.
  private static let takeCommands = "read -r pid rest < /proc/self/stat; echo $pid; exec sh"
}

extension PrivateDaemon {
  /// The kernel's index of one of its interfaces; `nil` where there is none of that name.
  func interfaceIndex(_ name: String) -> UInt32? {
    var index: UInt32 = 0
    network.enter { index = if_nametoindex(name) }
    return index == 0 ? nil : index
  }
}
