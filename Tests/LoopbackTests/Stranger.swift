import Lab

/// Somebody on the network who connects to a sender's port and does not keep to the protocol.
enum Stranger: String, CaseIterable {
  case sendsGarbage = "garbage"
  case announcesTheLongestFrame = "long"
  case sendsAByteASecond = "slow"
  case opensTwoHundredConnections = "crowd"
  case stopsAfterConnecting = "connected"
  case stopsAfterHello = "hello"
  case stopsAfterNoise1 = "noise1"

  /// How many bytes of answers it must have had: WELCOME is 65, NOISE_2 51, OFFER at least 20.
  var answer: Int {
    switch self {
    case .stopsAfterHello: 65
    case .stopsAfterNoise1: 65 + 51 + 20
    default: 0
    }
  }

  /// Prints `ready` when it has done what it does, and, once the sender has closed every connection,
  /// `closed SECONDS BYTES`: how long the longest stayed open, and how much it was told in all.
  func visit(_ host: Host, port: Int) async throws -> RunningProcess {
    let visit = try await host.spawn(["python3", "-c", Self.script, rawValue, String(port)])
    try await visit.line { $0 == "ready" }
    return visit
  }

  private static let script = """
    import os, socket, sys, threading, time
    kind, port = sys.argv[1], int(sys.argv[2])
    hello = b"\\x00\\x16\\x01BUMP\\x01" + os.urandom(16)
    noise1 = b"\\x00\\x21\\x05" + os.urandom(32)
    pieces = {
        "garbage": [os.urandom(4096)],
        "long": [b"\\xff\\xff" + b"\\x01" * 65535],
        "slow": [hello[i:i + 1] for i in range(len(hello))],
        "crowd": [], "connected": [], "hello": [hello], "noise1": [hello, noise1],
    }[kind]
    count = 200 if kind == "crowd" else 1
    connections, opened = [], []
    for _ in range(count):
        opened.append(time.monotonic())
        connections.append(socket.create_connection(("127.0.0.1", port)))

    def talk():
        for number, piece in enumerate(pieces):
            if kind == "slow" and number > 0:
                time.sleep(1)
            try:
                connections[0].sendall(piece)
            except OSError:
                return

    talking = threading.Thread(target=talk, daemon=True)
    talking.start()
    if kind != "slow":
        talking.join()
    print("ready", flush=True)
    longest = told = 0
    for connection, since in zip(connections, opened):
        try:
            while data := connection.recv(65536):
                told += len(data)
        except OSError:
            pass
        longest = max(longest, time.monotonic() - since)
    print("closed", longest, told, flush=True)
    """
}
