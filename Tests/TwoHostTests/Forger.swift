import Lab

/// Somebody on the link who makes up multicast DNS records.
enum Forger: String, CaseIterable {
  /// Ten thousand records of all kinds and names.
  case records
  /// A thousand instances of our type that nobody stands behind.
  case instances
  /// Instances that do resolve: to a host that is dead, refuses, is elsewhere, is the reader's own or says nothing; with
  /// TXT records that are empty, too long, without `=` and with NUL.
  case resolving
  /// CNAME records in chains and circles, of our type and of instances, which end libavahi-core 0.8.
  case aliases

  /// Packets of 9,000 bytes, 120 a second: each asks 700 times for our type, and knows 250 answers.
  case questions

  /// Those that whatever finds senders here survives. Packets of questions are a matter of our own multicast DNS.
  static let survived = allCases.filter { Backend.current != .daemon || $0 != .aliases && $0 != .questions }

  /// Goes on for 20 s at most, all over again every two seconds; aliases until the host ends, twice a second, so that some
  /// come in the moment for which a test waits.
  ///
  /// - Returns: once everything was sent for the first time.
  func forge(on host: Host) async throws {
    let forging = try await host.spawn([
      "python3", "-uc", Self.script, rawValue, Link.ipv4(host: 1),
    ])
    try await forging.line { $0 == "ready" }
  }

  /// Packets by RFC 1035 §4 and RFC 6762 §18, of as many records as go into one.
  private static let script = """
    import os, random, socket, struct, sys, time
    kind, address = sys.argv[1:]
    random.seed(7)

    def name(*labels):
        return b"".join(bytes([len(label)]) + label for label in labels) + b"\\0"

    def record(owner, number, data, unique=True):
        return owner + struct.pack(">HHIH", number, 0x8001 if unique else 1, 120, len(data)) + data

    def hexadecimal(count):
        return os.urandom(count // 2).hex().encode()

    PTR, A, TXT, SRV, CNAME = 12, 1, 16, 33, 5
    service = (b"_irl-bump", b"_tcp", b"local")

    def records():
        for _ in range(10000):
            owner = name(hexadecimal(16), b"local")
            yield random.choice([
                record(owner, A, os.urandom(4)), record(owner, TXT, b"\\x08" + os.urandom(8)),
                record(owner, SRV, bytes(6) + name(hexadecimal(8), b"local")),
                record(name(b"_" + hexadecimal(8), b"_tcp", b"local"), PTR, owner, False)])

    def instances():
        for number in range(1000):
            yield record(name(*service), PTR, name(b"forged-%016x" % number, *service), False)

    def resolving():
        targets = [("dead", "10.77.0.250", 4444), ("refusing", address, 1), ("foreign", "203.0.113.7", 4444),
                   ("own", "127.0.0.1", 9), ("mute", address, 4444)]
        texts = [b"", b"\\0", b"".join(b"\\xff" + os.urandom(255) for _ in range(4)), b"\\x04mode\\x01v", b"\\x06v=\\0\\0\\0\\0",
                 b"\\x09txtvers=1\\x03v=1\\x09mode=open"]
        number = 0
        for target, host, port in targets:
            owner = name(target.encode(), b"local")
            for text in texts:
                instance = name(b"forged-%016x" % number, *service)
                number += 1
                yield record(name(*service), PTR, instance, False)
                yield record(instance, SRV, struct.pack(">HHH", 0, 0, port) + owner)
                yield record(instance, TXT, text)
                yield record(owner, A, socket.inet_aton(host))

    def aliases():
        owners = [name(*service)] + [name(b"forged-%016x" % number, *service) for number in range(30)]
        owners.append(name(b"h", b"local"))
        for owner in owners:
            yield record(name(*service), PTR, owner, False)
        for number, owner in enumerate(owners):
            for target in [owner, owners[0], owners[(number + 1) % len(owners)], owners[number - 1]]:
                for unique in [True, False]:
                    yield record(owner, CNAME, target, unique)

    listener = socket.create_server((address, 4444), backlog=64)
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for option in [socket.SO_REUSEADDR, socket.SO_REUSEPORT]:
        link.setsockopt(socket.SOL_SOCKET, option, 1)
    link.bind(("", 5353))
    link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
    link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)

    def send(answers):
        packet = struct.pack(">6H", 0, 0x8400, 0, len(answers), 0, 0) + b"".join(answers)
        link.sendto(packet, ("224.0.0.251", 5353))

    end = time.monotonic() + (3600 if kind == "aliases" else 20)
    if kind == "questions":
        packet = struct.pack(">6H", 0, 0, 700, 250, 0, 0) + name(*service) + struct.pack(">HH", PTR, 1)
        packet += 699 * (b"\\xc0\\x0c" + struct.pack(">HH", PTR, 1))
        packet += b"".join(record(b"\\xc0\\x0c", PTR, b"\\x03a%02x\\xc0\\x0c" % (number % 256), False) for number in range(250))
        print("ready")
        while time.monotonic() < end:
            link.sendto(packet, ("224.0.0.251", 5353))
            time.sleep(1 / 120)
    isFirst = True
    while time.monotonic() < end:
        answers, size = [], 12
        for answer in globals()[kind]():
            if size + len(answer) > 1450:
                send(answers)
                answers, size = [], 12
            answers.append(answer)
            size += len(answer)
        send(answers)
        if isFirst:
            print("ready")
        isFirst = False
        time.sleep(0.5 if kind == "aliases" else 2)
    """
}
