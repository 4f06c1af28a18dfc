#if Vault
  import BumpSignIn
  import BumpSystem
  import BumpText
  import Crypto
  import Glibc

  /// The file of the key with which accounts are hashed: one line of 64 hex digits.
  ///
  /// Without it nobody has an account any more. With it and the store, somebody can look up who has one.
  struct AccountKeyFile {
    let path: String
    let keys: AccountKeys
    /// Whether the file was made just now.
    let isNew: Bool

    /// Reads the file. If there is none, makes it with mode 0600, and the directories above it with 0700.
    ///
    /// - Throws: `Failure`.
    init(at path: String) throws {
      self.path = path
      do {
        if try PrivatePath.resolved(path) == nil, try Self.make(path) {
          isNew = true
        } else {
          isNew = false
        }
        keys = try Self.read(try PrivatePath.resolved(path) ?? path)
      } catch let failure as PrivatePath.Failure {
        let remedy = failure.remedy(ShellCommand.text).map { ". \($0)" } ?? ""
        throw Failure("the accounts' key \(path) is not used: \(failure.reason)\(remedy)")
      } catch let failure as PrivateFile.Failure {
        let remedy = failure.remedy(for: path).map { ". Try: \(ShellCommand.text($0))" } ?? ""
        throw Failure("the accounts' key \(path) \(failure.refusal)\(remedy)")
      }
    }

    /// Draws a key, and makes the file.
    ///
    /// - Returns: whether it was made. Another process may have made it meanwhile.
    private static func make(_ path: String) throws -> Bool {
      guard Directories.make(Directories.folder(of: path)) else { throw PrivateFile.Failure.cannotMake(errno) }
      // Somebody else may have made one of the directories meanwhile.
      _ = try PrivatePath.resolved(path)
      let line = Hex.encode(SignIn.systemRandom(AccountKeys.secretCount)) + [UInt8(ascii: "\n")]
      do {
        try PrivateFile.create(path, line)
      } catch .cannotWrite(EEXIST) {
        return false
      }
      guard Directories.syncAll(above: path) else { throw PrivateFile.Failure.cannotWrite(errno) }
      return true
    }

    private static func read(_ path: String) throws -> AccountKeys {
      let bytes = try PrivateFile.read(path, limit: 128, isWhole: true)
      let digits = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
      guard digits.count == 2 * AccountKeys.secretCount, let secret = Hex.decode(digits) else {
        throw Failure("the accounts' key \(path) is not one line of 64 hex digits")
      }
      return AccountKeys(secret: SymmetricKey(data: secret))
    }

    /// Removes the file if it was made just now, since it is not the key of the store.
    func removeIfNew() {
      if isNew { unlink(path) }
    }
  }
#endif
