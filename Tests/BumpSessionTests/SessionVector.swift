import BumpClaims
import BumpSession
import BumpWire
import Crypto
import Samples

/// Whole sessions with fixed randomness, one per mode, made by an independent implementation of the protocol.
/// Both ends ask their person, so both HOLD.
struct SessionVector: Sendable, CustomStringConvertible {
  let description: String
  let credential: Credential
  let keysR: SessionKeys
  let keysS: SessionKeys
  let claim: Claim
  let offer: Offer
  let handshakeHash: [UInt8]
  /// Both screens', in two groups.
  let digits: String
  let claimMAC: [UInt8]
  let link: String
  /// Every frame, in order, exactly as on the wire.
  let frames: [[UInt8]]

  static func all() throws -> [SessionVector] { [try open(), try code(), try key()] }

  static func open() throws -> SessionVector {
    SessionVector(
      description: "open",
      credential: .none,
      keysR: try keys(
        nonce: "ffdd9729deeb13e1c02fc2729207ed9a",
        ephemeral: "8a87eb9bb6014c4350a9a6eeb80da10bf894ec3001ca652555cf3f7f1633d356",
        scalar: "0100000000000000000000000000000000000000000000000000000000000000"),
      keysS: try keys(
        nonce: "c869fbe0df59a4e249bb76a8dd072844",
        ephemeral: "df472ba14605cf80faad749cc5d8cd7843c34743d3c3981786af1103aa8a4a99",
        scalar: "0100000000000000000000000000000000000000000000000000000000000000"),
      claim: try Claim(
        payload: Array(
          #"{"v":1,"claimId":"bumpVectorClaim0000001","secret":"7BdsstEA8zBj4r1e4B9dcg==","token":"USDC","amount":1.00}"#
            .utf8)),
      offer: try Offer(
        json: Array(
          #"{"v":1,"claimId":"bumpVectorClaim0000001","token":"USDC","amount":1.00,"expiry":1795300000,"from":"alice"}"#
            .utf8)),
      handshakeHash: bytes("62fc9d37d0db316a09b4bf5589a12cec496476ae9016a36006b1f60014b8fb73"),
      digits: "912 767",
      claimMAC: bytes("532875d9d21689c5a3380a5dc078fe091e69083254fdecb04a96b59acc940fca"),
      link:
        "https://irl.app/claim/bumpVectorClaim0000001#s=7BdsstEA8zBj4r1e4B9dcg&a=1.00&t=USDC&x=1795300000&m=pRl0JreFBhnzudPF71_QEg",
      frames: [
        bytes("00160142554d5001ffdd9729deeb13e1c02fc2729207ed9a"),
        bytes(
          "003f0242554d500100c869fbe0df59a4e249bb76a8dd072844bf0d681d3f7ba25b0668d1223558c16f32ec9648957153bd77fe1a2f4a7b34c90000000000000000"
        ),
        bytes("0021053fb43b3cebc7152d8605461bc74e2563ec5ac4145e48f49ee5c1d5042698767a"),
        bytes("003106614c79035f2dbae7d3b7717d962b223b666f6a2fb5baa051d15f093476aacf2bf99175f7543483d899aeaeb05dec48eb"),
        bytes(
          "007c07e5719fa3d63d76b74f254fa5e02c17a66baf643261f508131e4173b3ea26e1f5bf86ab4118e1d43489416a05a177704b5b03edc968757854013a2866b3be241531ae0067cc3d76a487afb617c4eee299e6ea7c12348611ed2fc5d4a8d80bedb5249e0ad7d2cacff11667b31fd49c0a5822ec1b53f929723b3cac98"
        ),
        bytes("0013071e3230c8e4980e49706444c35690fdfd7e08"),
        bytes("001607b0dfc9215ac034ff517beca33c2b03c51e58f505fd"),
        bytes("00130776e54c5cedce43e4091b5eb2b877500c7d4e"),
        bytes(
          "009d07d35a05a12f2181ca2b0d0a17626900f2ffc92c50d4481fb960dacb78a52879787329df892fa1dec41bf50015011639866df579d9ccbabf3afc91a92b3510525112fee9dac5494feb4616a2978313b839bcfa850490be5adcab4018b857c6d3068a2b55fcb8be858cbc6add1cdcbc7a894f6b6a09e3d81c4ee585a59552d1788ba071e026f635260c4c6f3d716f2fae97672bd4fdafd09857077942ec"
        ),
        bytes("001307d7081378fe93b3e62ddce9d1d6b22eb46cb1"),
      ])
  }

  static func code() throws -> SessionVector {
    SessionVector(
      description: "code",
      credential: .code(try OneTimeCode("27-482915")),
      keysR: try keys(
        nonce: "6181206487f37666be6db2e26a7a290e",
        ephemeral: "ed67d2ba3669d20ec6a0ca13d5287b39f1e83d371550cbb06abd1dcd680a820c",
        scalar: "72468cea5cc5c77940f45a9c7cdce288feb1ffd7ec062953159257ecc15b2903"),
      keysS: try keys(
        nonce: "3e16902d7530a0b4869ad0730c640306",
        ephemeral: "3a9568f089830672757984106bcd1aaa1fb486fac95af918fab244d2ed5e2632",
        scalar: "6d71935ccb6ee7e88d784bd7a3781b6cf374bef60684e062566c8307cd27ee0a"),
      claim: try Claim(
        payload: Array(
          #"{"v":1,"claimId":"bumpVectorClaim0000001","secret":"1tx8xuI+QidbBACxcv8BLA==","token":"USDC","amount":1.00}"#
            .utf8)),
      offer: try Offer(
        json: Array(
          #"{"v":1,"claimId":"bumpVectorClaim0000001","token":"USDC","amount":1.00,"expiry":1795300000,"from":"alice"}"#
            .utf8)),
      handshakeHash: bytes("17b77b7dd8d32f9e41f93d892f5b83f09f590107e3f07339d3c648e504bdc64d"),
      digits: "428 721",
      claimMAC: bytes("688c4c893ebb11cdc4c0381e988e6d3fc487ddfff907fc29f48fcd6daba7bea3"),
      link:
        "https://irl.app/claim/bumpVectorClaim0000001#s=1tx8xuI-QidbBACxcv8BLA&a=1.00&t=USDC&x=1795300000&m=BWkvV1gy5dllR0AiopbdWw",
      frames: [
        bytes("00160142554d50016181206487f37666be6db2e26a7a290e"),
        bytes(
          "003f0242554d5001013e16902d7530a0b4869ad0730c64030683cf40b2f5548b883dc58adb8eab171bcf7b17a4f4bad22aae9832f91fcfd77b0000000000000000"
        ),
        bytes("00210362eee6a4742888652a9afe87ffcf3835eea11acc4fc8328bec45d76690ce8f6c"),
        bytes("002104b2f69a436a421fc308b9eac2e9da8eb451907609a222c01c41d137915fee101b"),
        bytes("0031058fd939940bc4ea1e64e77c468bec6be949013ed9992a4fbffb4ca016dd80813fa6da4ffbaaa7e0f2631ccf0eb0316068"),
        bytes("003106c0f3d5310cb86581b1e9bc71d6b837a42c2ade450af34f408920171f456a42004ed3e3eca6687ec0edce3fc24f1de526"),
        bytes(
          "007c0768f9efcf4b3669c8e4371199bd143a41d6551f45c53c0da3056e623ef75cb0c70c69cb694a4f9ab415728e2a93658845b57389a30f5399851ba62a12db5d3be135f419a0ec9ef3162a3a58acfc602cdb00f5fd3a36b0df34a92d4a8e062448e71adbe1f2933e23f050e9dd3a6dd61743b0d300f35b8768e21a0b49"
        ),
        bytes("00130713848b48f93f476f72385e5c454228f6432a"),
        bytes("00160702d7b51414e941436bec0be70c0612697e55898827"),
        bytes("00130729977d44c91a627ccc028dce3e40dec2f88f"),
        bytes(
          "009d07acaed9a1093bfb05ef18204d1a9c2d8ae329c41613b5705121390124bfefdee9481127ab1b674c6d65a3e8528cae9a7cab3718296c0858b2f483cd9f229110cbff5137c9ba65367be2f96978387e40a085200a71c9157a07d492f110e0e14125f9a0adf5c0c02e038c6f23e9251106d7d60e0fb016e52ca7546b9981337f096fce17102b4d0c2a53c6843862ca45f4fcf044eb4453e8780deb2b31f4"
        ),
        bytes("00130764059f424eba5f6918b926f1f6bad4954e54"),
      ])
  }

  static func key() throws -> SessionVector {
    SessionVector(
      description: "key",
      credential: .key(
        try required(SharedKey(bytes("c889d552b7a9dc82e98c3e9ebd0bd8ab09be5ef46b8d837a8674627befcd8ebd")))),
      keysR: try keys(
        nonce: "92ea8abb3fb4e2f4b5d2c6da2ffcc806",
        ephemeral: "3ea43188d1f82bd9a257aa4693f52619e296005086fcb1d3a5a2226b324b2dac",
        scalar: "0100000000000000000000000000000000000000000000000000000000000000"),
      keysS: try keys(
        nonce: "a2b2ce04aec4229b805028eb1dcc1f53",
        ephemeral: "b8f1e93cedc437a9d1414bc05b7dedd8029f339198590af0d0279631603a154f",
        scalar: "0100000000000000000000000000000000000000000000000000000000000000"),
      claim: try Claim(
        payload: Array(
          #"{"v":1,"claimId":"bumpVectorClaim0000001","secret":"DUTtoLIBghqnyFrzcfZHyQ==","token":"USDC","amount":1.00}"#
            .utf8)),
      offer: try Offer(
        json: Array(
          #"{"v":1,"claimId":"bumpVectorClaim0000001","token":"USDC","amount":1.00,"expiry":1795300000,"from":"alice"}"#
            .utf8)),
      handshakeHash: bytes("d4732cf04b305ac9f950e2fb1fa3f351e71556693e3cf85ec6afec3c095136e0"),
      digits: "087 186",
      claimMAC: bytes("ff0c8c5a94bf47f994166d9da32dc782bbcfea2ebd3049687cb96c07190bf166"),
      link:
        "https://irl.app/claim/bumpVectorClaim0000001#s=DUTtoLIBghqnyFrzcfZHyQ&a=1.00&t=USDC&x=1795300000&m=ymyUcmN4C_YhkIhU6BrE8w",
      frames: [
        bytes("00160142554d500192ea8abb3fb4e2f4b5d2c6da2ffcc806"),
        bytes(
          "003f0242554d500102a2b2ce04aec4229b805028eb1dcc1f53515183e950d341d37abac1384b9e02bfcf9d2a1de78bba76f29b1b8ecc3b8eb1814b7108ac4560af"
        ),
        bytes("003105372096f0206209609a70d1a140df006a9e54cbfd8d064a6a1439ffd5dafc053a93477978eca1621d0d9429a2191ebfa3"),
        bytes("0031065a895d8f3ea18729b008e82d84858db0e3ed98c0261cc277186808845379260df0f02dd5005acb3e07602842e1040622"),
        bytes(
          "007c0714d15b8c9169bbc4508b568fc22b9fc396e3be2ebb614aecf81a946d1f2fe0108ee2df44ab114d1a4369fb16a2ba435d7b303a42ff300ec51c8dbc4a7ac793dcd3b4bd347229b5bd6f2c34d9b11199995432772f087d32ebe0d364866c558349ba962d5ee657c0bb16fa95730736baad6200f737eb0ce61fda4db0"
        ),
        bytes("001307da2b8e0802cb48cf9dc61514ae92029521a9"),
        bytes("0016076af7fa7f7ffc53f77742f9b2f6b0f0f38a458d616f"),
        bytes("0013079e6e4429979f0ec5436074a63d58accca5db"),
        bytes(
          "009d07059cdf5ef404caa6a2e99a5124ab9d5177d70a3375afe728a5371f6044a0560a4cf1300800f31aff6e4920b3cbc9e7128cfe61ce2924903a5c6d7e4a2125cd63595e0795db4869ef7144bd42b69edfde5bacee273ff9a9c2a83e970e713c37c92b5453245ea3b57211e04e6ab6e64057e33839f4e210bd8bef368d14bbc5baa1d6eb9e0ef4037079ed44bef9ad59f3322e954b00ee7db21a0ae9abaa"
        ),
        bytes("001307990c49fef809ae431616f9908936d3784a58"),
      ])
  }

  private static func keys(nonce: String, ephemeral: String, scalar: String) throws -> SessionKeys {
    SessionKeys(
      nonce: bytes(nonce), ephemeral: try .init(rawRepresentation: bytes(ephemeral)),
      scalar: SymmetricKey(data: bytes(scalar)))
  }

  private static func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw WireError(.frame, "a vector that does not parse") }
    return value
  }
}
