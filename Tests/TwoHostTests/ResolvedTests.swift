import Glibc
import Lab
import Measures
import Testing

/// systemd-resolved, which answers and asks by multicast DNS too, and a host without a daemon.
@Suite(.live, .thorough, .needs(.systemdResolved)) struct ResolvedTests {
  @Test func `systemd-resolved and a host without a daemon find each other's services, and lose them`() async throws {
    try await withHosts(["left", "right"]) { hosts in
      let (left, right) = (hosts[0], hosts[1])
      let link = try await Link.join(left, right, .ipv4)
      let resolved = try await SystemdResolved(
        on: left, try #require(link.interface(of: left)), announcing: "carol-0123456789abcdef", port: 4242)
      let bob = try BumpCommand("bob", on: right)
      let browsing = try await bob.start("browse", "--discovery", "embedded", "--json")
      try await browsing.line { $0.contains("\"resolved\"") && $0.contains("carol-") && $0.contains("10.77.0.1:4242") }
      let sending = try await bob.start(
        "send", "--amount", "1.00", "--discovery", "embedded", "--discovery-timeout", "60", "--json")
      let advertising = try await sending.event("advertising")
      let (name, port) = (try #require(advertising.string("name")), Int(try #require(advertising.number("port"))))
      let found = try await resolved.service(name)
      #expect(found.status == 0 && found.standardOutput.contains("local:\(port) "), "\(found)")
      #expect(
        found.standardOutput.contains(Link.ipv4(host: 2)) && found.standardOutput.contains("mode=open"), "\(found)")
      sending.signal(SIGINT)
      _ = try await sending.finish()
      // Its cache may have the service for another second (RFC 6762 §10.1).
      while try await resolved.service(name).status == 0 {}
      try await resolved.stop()
      try await browsing.event("lost")
    }
  }
}

/// systemd-resolved on a host. Installed it would take over this machine's name service: so its package is only unpacked.
private struct SystemdResolved {
  private let host: Host
  private let folder: String
  private let process: RunningProcess
  /// As its host numbers it.
  private let processID: String

  /// Returns when it answers on an interface.
  init(on host: Host, _ interface: String, announcing name: String, port: Int) async throws {
    (self.host, folder) = (host, try #require(Feature.resolvedFolder))
    try await host.shell(
      """
      mkdir -p /run/systemd/resolve
      for file in passwd group; do cp /etc/$file /run/$file; done
      echo systemd-resolve:x:990:990::/:/usr/sbin/nologin >>/run/passwd
      echo systemd-resolve:x:990: >>/run/group
      chown 990:990 /run/systemd/resolve
      for file in passwd group; do mount --bind /run/$file /etc/$file; done
      mount -t tmpfs tmpfs /etc/dbus-1/system.d
      cp \(folder)/usr/share/dbus-1/system.d/*.conf /etc/dbus-1/system.d
      mount -t tmpfs tmpfs /etc/systemd
      mkdir /etc/systemd/dnssd
      printf '%s\\n' '[Resolve]' MulticastDNS=yes LLMNR=no DNSStubListener=no DNS= FallbackDNS= >/etc/systemd/resolved.conf
      printf '%s\\n' '[Service]' Name=\(name) Type=_irl-bump._tcp Port=\(port) \
        'TxtText=txtvers=1 v=1 mode=open' >/etc/systemd/dnssd/service.dnssd
      """)
    try await host.start(.onlyDBus)
    // It changes its user, and with that escapes being killed with the tests.
    process = try await host.spawn(
      ["sh", "-c", "echo $$; exec \(folder)/lib/systemd/systemd-resolved"], asItsOwn: true)
    processID = try await process.line { Int($0) != nil }
    // Nothing tells when it has its name on the bus.
    try await host.shell("until \(folder)/usr/bin/resolvectl mdns \(interface) yes 2>/run/refused; do sleep 0.05; done")
  }

  /// Asks it for a service.
  func service(_ name: String) async throws -> ProcessResult {
    try await host.run([
      "\(folder)/usr/bin/resolvectl", "--no-pager", "-p", "mdns", "service", name, "_irl-bump._tcp", "local",
    ])
  }

  /// Returns when it has said goodbye, and ended.
  func stop() async throws {
    _ = try await host.spawn(["kill", processID], asItsOwn: true).finish()
    _ = try await process.finish()
  }
}
