import Foundation
import Lab
import Testing

@testable import MultipeerConnectivity

/// Sessions of more than two, and peers that their programs find themselves.
@Suite(.processes(2)) struct SeveralPeersTests {
  private let stage = PlayerGroup()

  /// One peer invites all others, and all are connected to each other.
  private func mesh(_ count: Int) async throws -> [Player] {
    let players = (0..<count).map { stage.player("p\($0)") }
    for player in players.dropFirst() { player.advertiser.startAdvertisingPeer() }
    players[0].browser.startBrowsingForPeers()
    for player in players.dropFirst() { players[0].invite(try await players[0].found(player)) }
    for player in players {
      for other in players where other !== player { try await player.saw("\(other.name) connected") }
    }
    return players
  }

  @Test(arguments: [3, 8])
  func `whoever joins is connected to every member, and each pair sees its states once`(count: Int) async throws {
    let players = try await mesh(count)
    for player in players {
      for other in players where other !== player {
        #expect(
          player.states.filter { $0.hasPrefix("\(other.name) ") } == [
            "\(other.name) connecting", "\(other.name) connected",
          ])
      }
      #expect(Set(player.session.connectedPeers) == Set(players.map(\.id)).subtracting([player.id]))
    }
    // Each hears each.
    for player in players {
      try player.session.send(Data("hello".utf8), toPeers: player.session.connectedPeers, with: .reliable)
    }
    for player in players {
      for other in players where other !== player { try await player.saw("\(other.name) says hello") }
    }
    // One leaves: all others hear it, and stay.
    players[1].session.disconnect()
    for player in players where player !== players[1] {
      try await player.saw("p1 notConnected")
      #expect(player.session.connectedPeers.count == count - 2)
    }
  }

  @Test func `each of three sends each other a file`() async throws {
    let players = try await mesh(3)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mesh-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for player in players {
      let url = folder.appendingPathComponent(player.name)
      try Data(repeating: UInt8(player.name.utf8.last ?? 0), count: 200_000).write(to: url)
      for other in players where other !== player {
        player.session.sendResource(at: url, withName: player.name, toPeer: other.id) { error in
          player.note("\(other.name) has it: \(error == nil)")
        }
      }
    }
    for player in players {
      let others = players.filter { $0 !== player }
      for other in others { try await player.saw("\(other.name) has it: true") }
      var files: [String: [UInt8]] = [:]
      for _ in others {
        let file = try await player.file()
        files[file.name] = file.bytes
      }
      for other in others {
        #expect(files[other.name] == [UInt8](repeating: other.name.utf8.last ?? 0, count: 200_000))
      }
    }
  }

  @Test func `a member that encrypts nothing and one that requires it are each in session with the one between`()
    async throws
  {
    let (alice, bob, carol) = (
      stage.player("alice", .optional), stage.player("bob", .none), stage.player("carol", .required)
    )
    try await stage.connect(alice, bob)
    carol.advertiser.startAdvertisingPeer()
    alice.invite(try await alice.found(carol))
    try await alice.saw("carol connected")
    try await bob.saw("carol notConnected")
    try await carol.saw("bob notConnected")
    #expect(bob.session.connectedPeers == [alice.id] && carol.session.connectedPeers == [alice.id])
    try alice.send("both", to: bob, carol)
    for player in [bob, carol] { try await player.saw("alice says both") }
  }

  @Test func `a ninth peer is not taken`() async throws {
    let players = try await mesh(8)
    let ninth = stage.player("p8")
    ninth.advertiser.startAdvertisingPeer()
    players[0].invite(try await players[0].found(ninth))
    try await players[0].saw("p8 notConnected")
    try await ninth.saw("p0 notConnected")
    #expect(players[0].session.connectedPeers.count == 7 && ninth.session.connectedPeers.isEmpty)
  }

  @Test func `the one that let all in may leave, and the others stay together`() async throws {
    let players = try await mesh(3)
    players[0].session.disconnect()
    try await players[1].saw("p0 notConnected")
    try await players[2].saw("p0 notConnected")
    try players[1].send("alone", to: players[2])
    try await players[2].saw("p1 says alone")
  }

  @Test(arguments: [true, false])
  func `two programs that exchange their data are connected, whoever is first`(isInOrder: Bool) async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    let forBob = try await alice.session.nearbyConnectionData(forPeer: bob.id)
    let forAlice = try await bob.session.nearbyConnectionData(forPeer: alice.id)
    if isInOrder {
      alice.session.connectPeer(bob.id, withNearbyConnectionData: forAlice)
      bob.session.connectPeer(alice.id, withNearbyConnectionData: forBob)
    } else {
      bob.session.connectPeer(alice.id, withNearbyConnectionData: forBob)
      alice.session.connectPeer(bob.id, withNearbyConnectionData: forAlice)
    }
    try await alice.saw("bob connected")
    try await bob.saw("alice connected")
    #expect(alice.told == ["bob connecting", "bob shows nothing", "bob connected"])
    try alice.send("hello", to: bob)
    try await bob.saw("alice says hello")
  }

  @Test func `four programs, each of which exchanges its data with the three others, are one session`() async throws {
    let players = ["a", "b", "c", "d"].map { stage.player($0) }
    for (index, player) in players.enumerated() {
      for other in players.dropFirst(index + 1) {
        let data = try await player.session.nearbyConnectionData(forPeer: other.id)
        let otherData = try await other.session.nearbyConnectionData(forPeer: player.id)
        player.session.connectPeer(other.id, withNearbyConnectionData: otherData)
        other.session.connectPeer(player.id, withNearbyConnectionData: data)
      }
    }
    for player in players {
      for other in players where other !== player { try await player.saw("\(other.name) connected") }
    }
    for player in players {
      try player.session.send(Data("hello".utf8), toPeers: player.session.connectedPeers, with: .reliable)
      #expect(player.session.connectedPeers.count == 3)
    }
    for player in players {
      for other in players where other !== player { try await player.saw("\(other.name) says hello") }
      // Members introduce each other too: each pair is connected once all the same.
      #expect(player.states.count { $0.hasSuffix(" connected") } == 3)
    }
  }

  @Test func `data for another peer, data that was used and no data at all connect nobody`() async throws {
    let (alice, bob, carol) = (stage.player("alice"), stage.player("bob"), stage.player("carol"))
    _ = try await alice.session.nearbyConnectionData(forPeer: bob.id)
    let forCarol = try await bob.session.nearbyConnectionData(forPeer: carol.id)
    for (time, data) in [forCarol, Data(), Data("nonsense".utf8)].enumerated() {
      alice.session.connectPeer(bob.id, withNearbyConnectionData: data)
      try await alice.saw("bob notConnected", times: time + 1)
    }
    do {
      _ = try await alice.session.nearbyConnectionData(forPeer: alice.id)
      Issue.record("data for the own peer")
    } catch MCError.invalidParameter {}
  }

  @Test func `an attempt that is cancelled is told as not connected, and the data is worth nothing`() async throws {
    let (alice, bob) = (stage.player("alice"), stage.player("bob"))
    let forBob = try await alice.session.nearbyConnectionData(forPeer: bob.id)
    let forAlice = try await bob.session.nearbyConnectionData(forPeer: alice.id)
    alice.session.connectPeer(bob.id, withNearbyConnectionData: forAlice)
    alice.session.cancelConnectPeer(bob.id)
    try await alice.saw("bob notConnected")
    // Data that was got, and is given up before it is used.
    bob.session.cancelConnectPeer(alice.id)
    bob.session.connectPeer(alice.id, withNearbyConnectionData: forBob)
    try await bob.saw("alice notConnected")
    #expect(!alice.told.contains("bob connected"))
  }
}
