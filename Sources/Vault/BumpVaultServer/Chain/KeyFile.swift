#if Vault
  import BumpText
  import BumpWallet

  /// A key of a vault on a chain in a file of its own, as `WalletFile` keeps one: only its owner may read it.
  enum KeyFile {
    /// Reads a key.
    ///
    /// - Throws: `Failure`.
    static func read(_ path: String) throws -> PrivateKey {
      do {
        return try WalletFile.read(path)
      } catch let error where error.code == .missingFile {
        throw Failure(
          "there is no key \(path). Make one: \(ShellCommand.text(["bump-vault", "chain", "key", path]))")
      } catch {
        throw failure(path, error)
      }
    }

    /// Reads a key, or draws one and makes its file, if there is none.
    ///
    /// - Throws: `Failure`.
    static func readOrMake(_ path: String) throws -> (key: PrivateKey, isNew: Bool) {
      do {
        return (try WalletFile.read(path), false)
      } catch let error where error.code == .missingFile {
        let key = PrivateKey.random()
        do {
          try WalletFile.create(path, key: key)
        } catch {
          throw failure(path, error)
        }
        return (key, true)
      } catch {
        throw failure(path, error)
      }
    }

    /// The files of keys have the form of a wallet's, and its words.
    private static func failure(_ path: String, _ error: WalletError) -> Failure {
      guard error.code != .privateKey else {
        return Failure("the file \(path) has no key in it, which is one line of 64 hex digits")
      }
      return Failure(error.description.replacing("the wallet ", with: "the key "))
    }
  }
#endif
