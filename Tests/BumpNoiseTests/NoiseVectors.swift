/// Noise_NN and Noise_NNpsk0 with 25519, ChaChaPoly and SHA-256 as other implementations made them: the test vectors of
/// cacophony (Haskell) and snow (Rust). Messages go initiator, responder, initiator, …
struct NoiseVector: Sendable, CustomStringConvertible {
  let description: String
  let prologue: String
  let initiatorEphemeral: String
  let responderEphemeral: String
  let psk: String?
  let messages: [(payload: String, ciphertext: String)]
  let handshakeHash: String?

  static let all = [
    NoiseVector(
      description: "NN, cacophony",
      prologue: "4a6f686e2047616c74",
      initiatorEphemeral: "893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a",
      responderEphemeral: "bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b",
      psk: nil,
      messages: [
        (
          "4c756477696720766f6e204d69736573",
          "ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c79444c756477696720766f6e204d69736573"
        ),
        (
          "4d757272617920526f746862617264",
          "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843a0ff96bdf86b579ef7dbf94e812a7470b903c20a85a87e3a1fe863264ae547"
        ),
        (
          "462e20412e20486179656b",
          "eb1a3e3d80c1792b1bb9cb0e1382f8d8322bfb1ca7c4c8517bb686"
        ),
        (
          "4361726c204d656e676572",
          "c781b198d2a974eb1da2c7d518c000cf6396de87ca540963c03713"
        ),
        (
          "4a65616e2d426170746973746520536179",
          "c77048eb6919fdfe8fe45842bfc5b8d1ff50d1e20c717453ccdfe6176d805b996d"
        ),
        (
          "457567656e2042f6686d20766f6e2042617765726b",
          "61834d7069dcfb7a1adf8d5ac910f83fa04c73a67789895c6f5f995c5db2ce88e49b124178"
        ),
      ],
      handshakeHash: "9223fec1b892ec9d0dc2fb3bbeb261f170d1ea679f9c44ccf34aa131b4f5d97e"),
    NoiseVector(
      description: "NNpsk0, cacophony",
      prologue: "4a6f686e2047616c74",
      initiatorEphemeral: "893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a",
      responderEphemeral: "bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b",
      psk: "54686973206973206d7920417573747269616e20706572737065637469766521",
      messages: [
        (
          "4c756477696720766f6e204d69736573",
          "ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c794479b962b8aff8485742ac32f905ba45369e2465fb59e138a93d67a0d1266b6a54"
        ),
        (
          "4d757272617920526f746862617264",
          "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843d6062704d5a9c422a8e834423f8c1feada7e8d0d910a1a2cd030fb584221e3"
        ),
        (
          "462e20412e20486179656b",
          "e632c3763d7669067383433197a3baddf146e9e70ad4b4e9e59e0f"
        ),
        (
          "4361726c204d656e676572",
          "64c6bee32ea91c8474bb4c21d7a700109ad45af77b29764ba5eb1e"
        ),
        (
          "4a65616e2d426170746973746520536179",
          "e2fa0bed0603b62d3ccac2ecabbf3fe33f3e86514909b323361626266cb2471cc8"
        ),
        (
          "457567656e2042f6686d20766f6e2042617765726b",
          "0c01dc9cec1fe4ddd692e8dd32188aa351088dc91183639a53b57aa4692b5ebdef8b8ca111"
        ),
      ],
      handshakeHash: "f4d03dc34495c95729ea6de9e1b59004b59733102488b3e24bc441e0be208eaf"),
    NoiseVector(
      description: "NN, snow",
      prologue:
        "5468657265206973206e6f20726967687420616e642077726f6e672e2054686572652773206f6e6c792066756e20616e6420626f72696e672e",
      initiatorEphemeral: "ba743ce40b65ad7ec0700dc2e57de4791022a8f42cd46517c6689c5c812b3b36",
      responderEphemeral: "d5cb9c3d9df2b6263f292f59099680ab2b523cf02b43a4c534b1fa94f9a80ed8",
      psk: nil,
      messages: [
        (
          "d369dc8436b80ad2936b4179ef262a0d174c06e3d452de5f22a7ca0326baaac7",
          "479a148ee78e18278f7716338574086a12bf8d90cc54c6c88ae6a4275dbd1478d369dc8436b80ad2936b4179ef262a0d174c06e3d452de5f22a7ca0326baaac7"
        ),
        (
          "87f4ce9acdcfe73e88f0d2b7e8b6009f07c5a42b3412909c1b7ce407a763ebd1",
          "5f1bc611a449717c2fc7c33a0f3976beae914c336d2a761c2f6e1ee2ab721f7c166608582f25b34bf5ebe478049971b64e5982d8b546b1cfa58fae828b7c8137562fdec5808f41fadeeee43013019277"
        ),
        (
          "bdc326451b8af9b6b82a2054643878d9eeaea4845c6b1e9ba616b2723c2ef272",
          "15f337bd32ddb96a17765a9499a4eb24b757d59c78d5366fdd56a2eab7eed11a0b6d4ed2947c0bf83d9d625ab90ee60b"
        ),
        (
          "a783aa12cefa403d1dff9d6ac924f860a15d1ba21c2c4976f8fa88d76e590fef",
          "6b676682c308c230a602d1997ff9e94b815dbc497346a4144fc4290021a2dbfcbee618798a8eb5042562a637927d4e98"
        ),
      ],
      handshakeHash: nil),
  ]
}
