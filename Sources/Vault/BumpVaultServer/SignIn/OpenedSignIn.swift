#if Vault
  import BumpMail
  import BumpSignIn
  import BumpVaultPostgres
  import BumpVaultSQLite

  /// The open store of accounts, its key, and the way by which codes are sent.
  struct OpenedSignIn: Sendable {
    enum Store: Sendable {
      case sqlite(SQLiteAccountStore)
      case postgres(PostgresAccountStore)

      var accounts: any AccountStore {
        switch self {
        case .sqlite(let store): store
        case .postgres(let store): store
        }
      }
    }

    let store: Store
    let keys: AccountKeys
    let plan: SignInPlan
    let sender: any MailSender
    /// The path of the key's file.
    let keyPath: String

    /// Opens all of it. What is missing is made.
    ///
    /// - Parameter options: where the vault is kept: its accounts are beside it.
    /// - Throws: `Failure`, `MailFailure`, `AccountStoreError`.
    init(_ plan: SignInPlan, _ options: StoreOptions) async throws {
      let place = try options.accounts()
      sender = try plan.way.open()
      let file = try AccountKeyFile(at: plan.key ?? place.key)
      do {
        switch place.store {
        case .file(let path): store = .sqlite(try await .open(at: path, keys: file.keys))
        case .database(let database): store = .postgres(try await .open(database, keys: file.keys))
        }
      } catch let error as AccountStoreError {
        if error.code == .otherKeys { file.removeIfNew() }
        throw error
      }
      (keys, self.plan, keyPath) = (file.keys, plan, file.path)
    }

    /// Where the accounts are kept, for a person.
    var place: String {
      switch store {
      case .sqlite(let store): store.path
      case .postgres: "the schema bump_accounts of the database"
      }
    }

    func close() async {
      if case .postgres(let store) = store { await store.close() }
    }
  }
#endif
