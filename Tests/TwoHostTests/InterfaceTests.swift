import Lab
import Testing

/// `--interface` at the sockets of TCP.
@Suite(.live) struct InterfaceTests {
  private static let connect = """
    import socket, sys
    address, port = sys.argv[1:]
    try:
        socket.create_connection((address, int(port)), timeout=5).close()
        print("connected")
    except OSError as error:
        print(error.strerror)
    """

  private func connect(_ address: String, _ port: Int, from host: Host) async throws -> String {
    try await host.run(["python3", "-c", Self.connect, address, String(port)]).standardOutput
  }

  @Test func `a sender with an interface listens on it alone, in both families, and not on lo`() async throws {
    try await withHosts(["left", "right"]) { hosts in
      let (left, right) = (hosts[0], hosts[1])
      for number in 0...1 { _ = try await Link.join(left, right, number: number) }
      let arguments = ["send", "--amount", "1", "--discovery", "none", "--discovery-timeout", "60", "--json"]
      let bound = try await BumpCommand("alice", on: left).start(arguments + ["--interface", "to-right"])
      let free = try await BumpCommand("carol", on: left).start(arguments)
      let port = Int(try #require(try await bound.event("advertising").number("port")))
      let other = Int(try #require(try await free.event("advertising").number("port")))

      let far = [("10.77.0.1", true), ("fd77::1", true), ("10.77.1.1", false), ("fd77:1::1", false)]
      // A host's own packets to an address of its own count as its interface's; those to lo's do not.
      let near = [("10.77.0.1", true), ("fd77::1", true), ("127.0.0.1", false), ("::1", false), ("10.77.1.1", false)]
      for (host, cases) in [(right, far), (left, near)] {
        for (address, isThere) in cases {
          let answer = try await connect(address, port, from: host)
          #expect(answer == (isThere ? "connected\n" : "Connection refused\n"), "\(address) from \(host.name)")
          #expect(try await connect(address, other, from: host) == "connected\n", "\(address) from \(host.name)")
        }
      }
    }
  }

  /// Says HELLO to a sender, and whether that answers or has closed.
  private static let greet = """
    import os, socket, sys
    address, port = sys.argv[1:]
    connection = socket.create_connection((address, int(port)))
    try:
        connection.sendall(b"\\0\\x16\\x01BUMP\\x01" + os.urandom(16))
        print("closed" if connection.recv(1) == b"" else "answered")
    except ConnectionError:
        print("closed")
    """

  /// A tunnel's other end can be anywhere. Discovery uses no such interface.
  @Test func `a sender that is found by discovery takes no connection over a tunnel, and one without discovery does`()
    async throws
  {
    try await withTwoHosts { left, right, _ in
      _ = try await left.run(
        ["sh", "-ec", "ip tuntap add dev tun0 mode tun; ip address add 10.99.0.1/30 dev tun0; ip link set tun0 up"])
      _ = try await right.run(["ip", "route", "add", "10.99.0.1", "via", "10.77.0.1"])
      let arguments = ["send", "--amount", "1", "--discovery-timeout", "60", "--json", "--discovery"]
      let found = try await BumpCommand("alice", on: left).start(arguments + ["embedded"])
      let free = try await BumpCommand("carol", on: left).start(arguments + ["none"])
      for (sending, isTaken) in [(found, false), (free, true)] {
        let port = Int(try #require(try await sending.event("advertising").number("port")))
        for (address, isTunnel) in [("10.99.0.1", true), ("10.77.0.1", false)] {
          for host in [left, right] {
            let answer = try await host.run(["python3", "-c", Self.greet, address, String(port)]).standardOutput
            #expect(answer == (isTaken || !isTunnel ? "answered\n" : "closed\n"), "\(address) from \(host.name)")
          }
        }
      }
    }
  }

  @Test(arguments: [("to-left", "10.77.0.2"), ("to-left-1", "10.77.1.2")])
  func `a receiver with an interface connects by it alone`(interface: String, source: String) async throws {
    try await withHosts(["left", "right"]) { hosts in
      let (left, right) = (hosts[0], hosts[1])
      for number in 0...1 { _ = try await Link.join(left, right, number: number) }
      let sending = try await BumpCommand("alice", on: left).start(
        "send", "--amount", "1", "--discovery", "none", "--json")
      let port = Int(try #require(try await sending.event("advertising").number("port")))
      // By the routes alone it would go over the first cable.
      let received = try await BumpCommand("bob", on: right).run(
        "receive", "--interface", interface, "--peer", "10.77.0.1:\(port)")
      #expect(received.status == 0, "\(received)")
      let peer = try await sending.event("connected").string("peer")
      #expect(peer?.hasPrefix("\(source):") == true, "\(peer ?? "")")
      #expect(try await sending.finish().status == 0)
    }
  }

  @Test func `two on one machine meet by the interface that both name`() async throws {
    try await withTwoHosts { left, _, _ in
      let sending = try await BumpCommand("alice", on: left).start(
        "send", "--amount", "1", "--interface", "to-right", "--json")
      try await sending.event("advertising")
      let received = try await BumpCommand("bob", on: left).run("receive", "--interface", "to-right")
      #expect(received.status == 0, "\(received)")
      #expect(try await sending.finish().status == 0)
    }
  }
}
