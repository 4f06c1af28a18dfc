#if Vault
  import BumpVaultHTTP
  import HTTPTypes
  import Lab
  import NIOCore
  import NIOEmbedded
  import NIOHTTPTypes
  import Testing

  @testable import BumpVaultServer

  /// How long a connection may take for its requests, on a clock that the test sets.
  @Suite(.processes(2)) struct ConnectionLimitTests {
    private let loop = EmbeddedEventLoop()
    private let share = ConnectionShare(perNetwork: 2, proxies: Proxies())
    private let channel: EmbeddedChannel

    init() throws {
      channel = EmbeddedChannel(handler: ConnectionLimits(share), loop: loop)
      try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
    }

    private func begin() throws {
      try channel.writeInbound(
        HTTPRequestPart.head(HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/api/claims")))
    }

    private func end() throws { try channel.writeInbound(HTTPRequestPart.end(nil)) }

    private func answer() throws {
      try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
      try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    private func expectClosed(after seconds: Int64, at location: SourceLocation = #_sourceLocation) {
      loop.advanceTime(by: .seconds(seconds) - .milliseconds(1))
      #expect(channel.isActive, sourceLocation: location)
      loop.advanceTime(by: .milliseconds(1))
      #expect(!channel.isActive, sourceLocation: location)
    }

    @Test func `a connection beyond its network's share is closed, and one that ends makes room`() throws {
      func connect(_ address: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: ConnectionLimits(share), loop: loop)
        try channel.connect(to: SocketAddress(ipAddress: address, port: 1)).wait()
        return channel
      }
      #expect(try connect("192.0.2.1").isActive)
      #expect(try !connect("192.0.2.1").isActive)
      #expect(try connect("192.0.2.2").isActive, "another network has a share of its own")
      // One that was closed at once makes no room.
      #expect(try !connect("192.0.2.1").isActive)
      try channel.close().wait()
      #expect(try connect("192.0.2.1").isActive)
      #expect(try !connect("192.0.2.1").isActive)
    }

    @Test func `the head of the first request comes within ten seconds`() { expectClosed(after: 10) }

    @Test func `a body comes within fifteen seconds of its head, whatever comes of it`() throws {
      try begin()
      for _ in 0..<14 {
        loop.advanceTime(by: .seconds(1))
        try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: " ")))
      }
      expectClosed(after: 1)
    }

    @Test func `an answer may take its time, and the next head comes within a minute of it`() throws {
      try begin()
      try end()
      loop.advanceTime(by: .hours(30))
      #expect(channel.isActive)
      try answer()
      expectClosed(after: 60)
    }

    @Test func `while a second request waits for its answer the first one's answer begins no time`() throws {
      for _ in 0..<2 {
        try begin()
        try end()
      }
      try answer()
      loop.advanceTime(by: .hours(30))
      #expect(channel.isActive)
      try answer()
      expectClosed(after: 60)
    }
  }
#endif
