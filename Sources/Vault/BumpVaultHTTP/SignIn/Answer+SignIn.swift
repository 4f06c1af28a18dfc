import BumpSignIn
import BumpText
import BumpVaultAPI
import BumpWallet

extension Answer {
  /// Returns the answer to a request for a code: the same whether or not the address has an account, and whether or not a
  /// code was sent.
  ///
  /// - Parameters:
  ///   - lifetime: how long a code lasts, in seconds.
  ///   - now: the time in seconds since 1970.
  static func begun(lasting lifetime: Int64, at now: Int64) -> Answer {
    Answer(202, ["expiresIn": .integer(lifetime), "now": .integer(now)])
  }

  /// Returns the answer with an account.
  ///
  /// - Parameters:
  ///   - lifetime: how much longer the session lasts, in seconds; `nil` where that is not said.
  ///   - now: the time in seconds since 1970.
  static func account(_ account: AccountView, lasting lifetime: Int64? = nil, at now: Int64) -> Answer {
    Answer(
      200,
      [
        "account": .text(account.id.value), "wallet": .text(account.wallet),
        "devices": .array(account.devices.map(\.json)), "device": .text(account.device?.value),
        "recovery": account.recovery.map(\.json), "expiresIn": lifetime.map { .integer($0) }, "now": .integer(now),
      ])
  }

  /// Returns the answer with a passkey's wrapped key.
  static func found(_ device: SignIn.FoundDevice, at now: Int64) -> Answer {
    Answer(
      200,
      [
        "account": .text(device.account.value), "wallet": .text(device.wallet), "wrapped": device.wrapped.json,
        "now": .integer(now),
      ])
  }
}

extension SignInDesk {
  /// The ways by which codes are sent, for `GET /api/vault`.
  var json: JSONValue { ["mail": .string(mail.rawValue), "phone": phone.map { .string($0.rawValue) }] }
}

extension Device {
  fileprivate var json: JSONValue {
    [
      "id": .text(key.value), "credential": .string(Base64.urlEncoded(credential.bytes)), "name": .string(name.text),
      "wrapped": wrapped.json, "added": .integer(added), "used": .integer(used),
    ]
  }
}

extension WrappedKey {
  fileprivate var json: JSONValue { .string(Base64.urlEncoded(bytes)) }
}
