import BumpSignIn
import BumpText
import BumpVaultAPI
import BumpWallet

/// Reads the bodies of the requests of signing in. No message of an error repeats a value.
enum SignInBodies {
  /// Reads the address of a code.
  ///
  /// - Throws: `RequestError`, `Problem`.
  static func address(_ body: [UInt8]) throws -> SignInAddress {
    var fields = try JSONFields(body)
    let mail = try fields.optional("email") { value in SignInAddress.mail(try MailAddress(try value.string())) }
    let phone = try fields.optional("phone") { value in SignInAddress.phone(try PhoneNumber(try value.string())) }
    try fields.end()
    switch (mail, phone) {
    case (let address?, nil), (nil, let address?): return address
    case (nil, nil): throw Problem(.missingField, "the field \"email\" or \"phone\" is missing", field: "email")
    case (_?, _?): throw Problem(.badField, "the field \"phone\" is given beside \"email\"", field: "phone")
    }
  }

  /// Reads what was typed as a code.
  static func code(_ body: [UInt8]) throws(RequestError) -> String {
    var fields = try JSONFields(body)
    let code = try fields.required("code") { try $0.string() }
    try fields.end()
    return code
  }

  /// Reads whether all sessions of an account are to end.
  static func isEverywhere(_ body: [UInt8]) throws(RequestError) -> Bool {
    var fields = try JSONFields(body)
    let isEverywhere = try fields.optional("everywhere", Fields.flag)
    try fields.end()
    return isEverywhere ?? false
  }

  /// Reads the id of a passkey.
  static func credential(_ body: [UInt8]) throws(RequestError) -> CredentialID {
    var fields = try JSONFields(body)
    let credential = try fields.required("credential", credential)
    try fields.end()
    return credential
  }

  /// Reads a change that the wallet has signed.
  ///
  /// - Parameter route: the path, which says what kind of change it is; `nil` is returned for a path of none.
  static func change(_ body: [UInt8], _ route: SignInRoute) throws(RequestError) -> SignedWalletChange? {
    var fields = try JSONFields(body)
    let change: WalletChange
    switch route {
    case .add:
      change = .add(
        try fields.required("credential", credential), try fields.required("name", name),
        try fields.required("wrapped", wrapped))
    case .use(let device): change = .use(device)
    case .remove(let device): change = .remove(device)
    case .recovery: change = .recovery(try fields.optional("wrapped", wrapped))
    case .begin, .enter, .session, .signOut, .find: return nil
    }
    let signed = SignedWalletChange(
      change, wallet: try fields.required("wallet", Fields.address),
      validBefore: try fields.required("validBefore", time),
      signature: try fields.required("signature") { try Signature(try $0.string()) })
    try fields.end()
    return signed
  }

  private static func credential(_ value: JSONValue) throws -> CredentialID {
    guard let bytes = Base64.urlDecoded(try value.string()), let id = CredentialID(bytes) else {
      throw Fields.Mismatch("it is not 16 to 1023 bytes in base64url without padding")
    }
    return id
  }

  private static func wrapped(_ value: JSONValue) throws -> WrappedKey {
    guard let bytes = Base64.urlDecoded(try value.string()), let key = WrappedKey(bytes) else {
      throw Fields.Mismatch("it is not 60 bytes in base64url without padding")
    }
    return key
  }

  private static func name(_ value: JSONValue) throws -> DeviceName {
    guard let name = DeviceName(try value.string()) else {
      throw Fields.Mismatch("it is not 1 to 64 bytes of characters that are shown as they are")
    }
    return name
  }

  private static func time(_ value: JSONValue) throws -> Int64 {
    let time = try value.integer()
    guard time >= 0 else { throw Fields.Mismatch("it is before 1970") }
    return time
  }
}
