import Glibc
import Lab
import Measures
import Testing

/// Somebody on the link who advertises many names at many addresses, takes the key of every receiver that comes, and hangs
/// up, as nobody's digits suit.
@Suite(.live, .serialized) struct GrindingTests {
  @Test
  func `a receiver shows its key three times to any number of names and addresses, and says that somebody interferes`()
    async throws
  {
    try await withHosts(["left", "right", "switch"]) { hosts in
      let mallory = try await Self.grind(on: hosts[0], cables: 3, beside: hosts[1], hosts[2])
      let received = try await BumpCommand("bob", on: hosts[1]).start(
        "receive", "--from", "mallory", "--decide", "--json"
      ).finish()
      #expect(received.status == 3 && received.standardError.contains("somebody may interfere"), "\(received)")
      #expect(try await Self.attempts(of: mallory) == 3, "\(received)")
    }
  }

  @Test func `all names and addresses of one neighbour are shown the key twice`() async throws {
    try await withHosts(["left", "right", "switch"]) { hosts in
      let mallory = try await Self.grind(on: hosts[0], cables: 1, beside: hosts[1], hosts[2])
      let receiving = try await BumpCommand("bob", on: hosts[1]).start(
        "receive", "--from", "mallory", "--decide", "--json")
      try await mallory.lines(2) { $0 == "shown" }
      // Time enough for more, since a receiver is told more names ten times a second.
      try await Task.sleep(for: .seconds(4))
      receiving.signal(SIGINT)
      let received = try await receiving.finish()
      #expect(received.status == 130 && !received.standardError.contains("somebody may interfere"), "\(received)")
      #expect(try await Self.attempts(of: mallory) == 2, "\(received)")
    }
  }

  @Test(.thorough) func `a receiver that goes on shows its key three times in seventy seconds`() async throws {
    try await withHosts(["left", "right", "switch"]) { hosts in
      let mallory = try await Self.grind(on: hosts[0], cables: 3, beside: hosts[1], hosts[2], for: 75)
      let receiving = try await BumpCommand("bob", on: hosts[1]).start(
        "receive", "--keep", "--verify", "--json", streams: .terminalButOutput)
      let seconds = try #require(try await receiving.event("interference").number("seconds"))
      #expect((120...130).contains(seconds))
      // It says how many there were once its own time is up.
      let attempts = try await mallory.line { $0.hasPrefix("drew") }
      #expect(attempts == "drew 3")
      receiving.signal(SIGINT)
      #expect(try await receiving.finish().status == 0)
    }
  }

  /// - Parameter cables: how many hardware addresses the thirty addresses are spread over. Each interface answers for its
  ///   own alone.
  private static func grind(
    on host: Host, cables: Int, beside victim: Host, _ hub: Host, for seconds: Int? = nil
  ) async throws -> RunningProcess {
    let hub = try await Switch(at: hub)
    try await hub.join(victim, number: 2)
    try await victim.start(.needed)
    for cable in 0..<cables {
      try await hub.join(host, number: 1 + 10 * cable, cable: cable)
    }
    try await host.shell(
      """
      cd /proc/sys/net/ipv4/conf
      for of in *; do echo 1 >$of/arp_ignore; echo 2 >$of/arp_announce; echo 0 >$of/rp_filter; done
      for number in $(seq 0 29); do
        interface=to-switch-$((number % \(cables)))
        ip address add 10.77.0.$((100 + number))/24 dev ${interface%-0}
      done
      """)
    let grinding = try await host.spawn(["python3", "-uc", script, Link.ipv4(host: 1), String(seconds ?? 0)])
    try await grinding.line { $0 == "ready" }
    return grinding
  }

  private static func attempts(of grinding: RunningProcess) async throws -> Int? {
    grinding.closeInput()
    let line = try await grinding.line { $0.hasPrefix("drew") }
    return Int(line.dropFirst("drew ".count))
  }

  /// Packets by RFC 1035 §4 and RFC 6762 §18; WELCOME in mode open with a commitment, as Docs/protocol.md has it.
  private static let script = """
    import os, select, socket, struct, sys, threading, time
    address, seconds = sys.argv[1], int(sys.argv[2])
    drawn = []

    def name(*labels):
        return b"".join(bytes([len(label)]) + label for label in labels) + b"\\0"

    def record(owner, number, data, unique=True):
        return owner + struct.pack(">HHIH", number, 0x8001 if unique else 1, 120, len(data)) + data

    def read(connection, count):
        data = b""
        while len(data) < count:
            piece = connection.recv(count - len(data))
            if not piece:
                raise OSError
            data += piece
        return data

    def meet(connection):
        try:
            connection.settimeout(5)
            read(connection, 24)
            connection.sendall(b"\\x00\\x3f\\x02BUMP\\x01\\x00" + os.urandom(48) + bytes(8))
            # A receiver that goes on may say first that it serves others.
            kind = 8
            while kind == 8:
                head = read(connection, 3)
                kind = head[2]
                read(connection, int.from_bytes(head[:2], "big") - 1)
            if kind == 5:
                drawn.append(time.monotonic())
                print("shown")
        except OSError:
            pass
        connection.close()

    def serve(listener):
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=meet, args=(connection,), daemon=True).start()

    listener = socket.create_server(("", 4444), backlog=64)
    threading.Thread(target=serve, args=(listener,), daemon=True).start()
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for option in [socket.SO_REUSEADDR, socket.SO_REUSEPORT]:
        link.setsockopt(socket.SOL_SOCKET, option, 1)
    link.bind(("", 5353))
    link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
    link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
    service = (b"_irl-bump", b"_tcp", b"local")

    def announce(number):
        host = "10.77.0.%d" % (100 + number % 30)
        owner, instance = name(b"host-%d" % (number % 30), b"local"), name(b"mallory-%016x" % number, *service)
        answers = [
            record(name(*service), 12, instance, False), record(instance, 33, struct.pack(">HHH", 0, 0, 4444) + owner),
            record(instance, 16, b"\\x09txtvers=1\\x03v=1\\x09mode=open"), record(owner, 1, socket.inet_aton(host))]
        packet = struct.pack(">6H", 0, 0x8400, 0, len(answers), 0, 0) + b"".join(answers)
        link.sendto(packet, ("224.0.0.251", 5353))

    end = time.monotonic() + seconds
    count = 0
    # For so long, or else until the input ends.
    while time.monotonic() < end or seconds == 0 and not select.select([sys.stdin], [], [], 0)[0]:
        # Those from before are told again, and each time there are more.
        count += 3
        for number in range(max(0, count - 60), count):
            announce(number)
        if count == 30:
            print("ready")
        time.sleep(0.1)
    print("drew", len(drawn))
    """
}
