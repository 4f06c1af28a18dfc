import BumpKit
import BumpWire
import Crypto

/// A whole session in mode open with fixed randomness, made by an independent implementation of the protocol.
/// Both ends ask their person, so both HOLD.
enum OpenVector {
  static let nonceR = bytes("ffdd9729deeb13e1c02fc2729207ed9a")
  static let nonceS = bytes("c869fbe0df59a4e249bb76a8dd072844")
  static let ephemeralR = bytes("8a87eb9bb6014c4350a9a6eeb80da10bf894ec3001ca652555cf3f7f1633d356")
  static let ephemeralS = bytes("df472ba14605cf80faad749cc5d8cd7843c34743d3c3981786af1103aa8a4a99")
  static let offer =
    #"{"v":1,"claimId":"bumpVectorClaim0000001","token":"USDC","amount":1.00,"expiry":1795300000,"from":"alice"}"#
  static let claim =
    #"{"v":1,"claimId":"bumpVectorClaim0000001","secret":"7BdsstEA8zBj4r1e4B9dcg==","token":"USDC","amount":1.00}"#
  static let handshakeHash = bytes("62fc9d37d0db316a09b4bf5589a12cec496476ae9016a36006b1f60014b8fb73")
  static let digits = "912767"
  static let claimMAC = bytes("532875d9d21689c5a3380a5dc078fe091e69083254fdecb04a96b59acc940fca")
  static let expiry: Int64 = 1_795_300_000
  static let link =
    "https://irl.app/claim/bumpVectorClaim0000001#s=7BdsstEA8zBj4r1e4B9dcg&a=1.00&t=USDC&x=1795300000&m=pRl0JreFBhnzudPF71_QEg"

  /// HELLO, WELCOME, NOISE_1, NOISE_2, OFFER, HOLD, ACCEPT, HOLD, CLAIM, STORED.
  static let frames = [
    bytes(
      "00160142554d5001ffdd9729deeb13e1c02fc2729207ed9a"),
    bytes(
      "003f0242554d500100c869fbe0df59a4e249bb76a8dd072844bf0d681d3f7ba25b0668d1223558c16f32ec9648957153bd77fe1a2f4a7b34c90000000000000000"
    ),
    bytes(
      "0021053fb43b3cebc7152d8605461bc74e2563ec5ac4145e48f49ee5c1d5042698767a"),
    bytes(
      "003106614c79035f2dbae7d3b7717d962b223b666f6a2fb5baa051d15f093476aacf2bf99175f7543483d899aeaeb05dec48eb"),
    bytes(
      "007c07e5719fa3d63d76b74f254fa5e02c17a66baf643261f508131e4173b3ea26e1f5bf86ab4118e1d43489416a05a177704b5b03edc968757854013a2866b3be241531ae0067cc3d76a487afb617c4eee299e6ea7c12348611ed2fc5d4a8d80bedb5249e0ad7d2cacff11667b31fd49c0a5822ec1b53f929723b3cac98"
    ),
    bytes(
      "0013071e3230c8e4980e49706444c35690fdfd7e08"),
    bytes(
      "001607b0dfc9215ac034ff517beca33c2b03c51e58f505fd"),
    bytes(
      "00130776e54c5cedce43e4091b5eb2b877500c7d4e"),
    bytes(
      "009d07d35a05a12f2181ca2b0d0a17626900f2ffc92c50d4481fb960dacb78a52879787329df892fa1dec41bf50015011639866df579d9ccbabf3afc91a92b3510525112fee9dac5494feb4616a2978313b839bcfa850490be5adcab4018b857c6d3068a2b55fcb8be858cbc6add1cdcbc7a894f6b6a09e3d81c4ee585a59552d1788ba071e026f635260c4c6f3d716f2fae97672bd4fdafd09857077942ec"
    ),
    bytes(
      "001307d7081378fe93b3e62ddce9d1d6b22eb46cb1"),
  ]

  static func keysR() throws -> SessionKeys {
    SessionKeys(nonce: nonceR, ephemeral: try .init(rawRepresentation: ephemeralR))
  }

  static func keysS() throws -> SessionKeys {
    SessionKeys(nonce: nonceS, ephemeral: try .init(rawRepresentation: ephemeralS))
  }
}

/// The bytes that hex digits stand for.
func bytes(_ hex: String) -> [UInt8] {
  let digits = Array(hex)
  return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) }
}
