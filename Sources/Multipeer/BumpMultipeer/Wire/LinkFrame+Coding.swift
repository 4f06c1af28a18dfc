import Crypto

extension LinkFrame {
  private enum Kind: UInt8 {
    case invite = 0x10, answer, terms, verdict, roster, introduce
    case message = 0x20, lastMessage, unreliable, lastUnreliable
    case stream = 0x30, resource, sizedResource, part, end, cancel
    case stop = 0x38, credit, received
    case ping = 0x40, pong, goodbye
  }

  /// The encoded frame: a type byte, then its fields.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(kind.rawValue)
    switch self {
    case .invite(let invitation):
      bytes.append(invitation.from)
      bytes += invitation.to.bytes
      if let context = invitation.context { bytes += [1] + context } else { bytes.append(0) }
    case .answer(let flag), .verdict(let flag):
      bytes.append(flag ? 1 : 0)
    case .terms(let terms, let proof):
      bytes.append(terms.peer)
      bytes += terms.session.bytes
      bytes.append(terms.preference.rawValue)
      bytes.append(integer: terms.port)
      bytes += proof.key + proof.signature
      for certificate in terms.certificates {
        bytes.append(integer: UInt16(certificate.count))
        bytes += certificate
      }
    case .roster(let ids):
      bytes += ids.flatMap(\.bytes)
    case .introduce(let introduction):
      bytes.append(introduction.peer)
      bytes.append(UInt8(introduction.host.address.count))
      bytes += introduction.host.address
      bytes.append(integer: introduction.host.port)
      bytes += introduction.ticket.id
      introduction.ticket.key.withUnsafeBytes { bytes += $0 }
    case .message(_, _, let part):
      bytes += part
    case .transfer(let id, let frame):
      bytes.append(integer: id)
      frame.append(to: &bytes)
    case .ping, .pong: break
    case .goodbye(let reason):
      bytes.append(reason.rawValue)
    }
  }

  private var kind: Kind {
    switch self {
    case .invite: .invite
    case .answer: .answer
    case .terms: .terms
    case .verdict: .verdict
    case .roster: .roster
    case .introduce: .introduce
    case .message(isLast: false, isReliable: true, _): .message
    case .message(isLast: true, isReliable: true, _): .lastMessage
    case .message(isLast: false, isReliable: false, _): .unreliable
    case .message(isLast: true, isReliable: false, _): .lastUnreliable
    case .transfer(_, .stream): .stream
    case .transfer(_, .resource(_, size: nil)): .resource
    case .transfer(_, .resource): .sizedResource
    case .transfer(_, .part): .part
    case .transfer(_, .end): .end
    case .transfer(_, .cancel): .cancel
    case .transfer(_, .stop): .stop
    case .transfer(_, .credit): .credit
    case .transfer(_, .received): .received
    case .ping: .ping
    case .pong: .pong
    case .goodbye: .goodbye
    }
  }

  /// Reads a frame.
  ///
  /// - Throws: `MultipeerError.frame` for an unknown type, a wrong length or a value out of bounds.
  public init(_ bytes: [UInt8]) throws(MultipeerError) { try self.init(bytes[...]) }

  init(_ bytes: ArraySlice<UInt8>) throws(MultipeerError) {
    guard let kind = bytes.first.flatMap(Kind.init(rawValue:)) else { throw FrameReader.malformed }
    var reader = FrameReader(bytes.dropFirst())
    self = try Self.read(kind, from: &reader)
    try reader.end()
  }

  private static func read(_ kind: Kind, from reader: inout FrameReader) throws(MultipeerError) -> LinkFrame {
    switch kind {
    case .invite: return .invite(try reader.invitation())
    case .answer: return .answer(try reader.flag())
    case .terms: return try reader.terms()
    case .verdict: return .verdict(try reader.flag())
    case .roster: return .roster(try reader.roster())
    case .introduce: return .introduce(try reader.introduction())
    case .message: return .message(isLast: false, isReliable: true, part: try reader.part())
    case .lastMessage: return .message(isLast: true, isReliable: true, part: try reader.part())
    case .unreliable: return .message(isLast: false, isReliable: false, part: try reader.part())
    case .lastUnreliable: return .message(isLast: true, isReliable: false, part: try reader.part())
    case .stream: return .transfer(try reader.integer(), .stream(name: try reader.name()))
    case .resource: return .transfer(try reader.integer(), .resource(name: try reader.name(), size: nil))
    case .sizedResource:
      return .transfer(try reader.integer(), .resource(name: try reader.name(), size: try reader.integer()))
    case .part: return .transfer(try reader.integer(), .part(try reader.part()))
    case .end: return .transfer(try reader.integer(), .end)
    case .cancel: return .transfer(try reader.integer(), .cancel)
    case .stop: return .transfer(try reader.integer(), .stop)
    case .credit: return .transfer(try reader.integer(), .credit(try reader.integer()))
    case .received: return .transfer(try reader.integer(), .received)
    case .ping: return .ping
    case .pong: return .pong
    case .goodbye: return .goodbye(try reader.value())
    }
  }
}

extension TransferFrame {
  fileprivate func append(to bytes: inout [UInt8]) {
    switch self {
    case .stream(let name): bytes.append(name: name)
    case .resource(let name, let size):
      bytes.append(name: name)
      if let size { bytes.append(integer: size) }
    case .part(let part): bytes += part
    case .credit(let count): bytes.append(integer: count)
    case .end, .cancel, .stop, .received: break
    }
  }
}

extension FrameReader {
  fileprivate mutating func invitation() throws(MultipeerError) -> Invitation {
    let from = try peer()
    let to = try id()
    guard try flag() else { return Invitation(from: from, to: to) }
    let context = remainder()
    guard context.count <= MultipeerLimits.context else { throw Self.malformed }
    return Invitation(from: from, to: to, context: context)
  }

  fileprivate mutating func terms() throws(MultipeerError) -> LinkFrame {
    let peer = try peer()
    let session = try id()
    let preference: EncryptionPreference = try value()
    let port: UInt16 = try integer()
    let proof = IdentityProof(
      key: try bytes(IdentityProof.keyLength), signature: try bytes(IdentityProof.signatureLength))
    var certificates: [[UInt8]] = []
    while !isAtEnd {
      let length: UInt16 = try integer()
      certificates.append(try bytes(Int(length)))
      guard Terms.fit(certificates) else { throw Self.malformed }
    }
    return .terms(
      Terms(peer: peer, session: session, preference: preference, port: port, certificates: certificates), proof)
  }

  fileprivate mutating func roster() throws(MultipeerError) -> [PeerID] {
    var ids: [PeerID] = []
    while !isAtEnd {
      ids.append(try id())
      guard ids.count <= MultipeerLimits.peers, !ids.dropLast().contains(ids[ids.count - 1]) else {
        throw Self.malformed
      }
    }
    return ids
  }

  fileprivate mutating func introduction() throws(MultipeerError) -> Introduction {
    let peer = try peer()
    let length: UInt8 = try integer()
    guard let host = HostAddress(address: try bytes(Int(length)), port: try integer()), host.port != 0 else {
      throw Self.malformed
    }
    return Introduction(
      peer: peer, host: host,
      ticket: Ticket(id: try bytes(Ticket.idLength), key: SymmetricKey(data: try bytes(Ticket.keyLength))))
  }

  fileprivate mutating func part() throws(MultipeerError) -> [UInt8] {
    let part = remainder()
    guard part.count <= MultipeerLimits.part else { throw Self.malformed }
    return part
  }
}
