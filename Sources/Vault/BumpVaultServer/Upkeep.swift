#if Vault
  import BumpSignIn
  import BumpVault
  import BumpVaultHTTP
  import BumpVaultPostgres
  import BumpVaultSQLite
  import Logging
  import ServiceLifecycle

  /// The work beside the requests: seals the journal, deletes what has lapsed, and wakes watchers.
  struct Upkeep: Service {
    let opened: OpenedStore
    /// `nil` if nobody is to sign in.
    let people: OpenedSignIn?
    let post: CodePost?
    let service: VaultService
    let clock: ServerClock
    let limits: VaultLimits
    let logger: Logger
    let report: @Sendable (VaultStoreError) -> Void

    /// Works until the server ends, and then seals the remaining entries.
    func run() async throws {
      await cancelWhenGracefulShutdown {
        await withTaskGroup { group in
          group.addTask { await each(.seconds(1)) { service.watchers.tick(clock.now() / 1000) } }
          group.addTask {
            await each(.seconds(60)) { _ = try await opened.store.removeDrafts(lifetime: limits.draftLifetime) }
          }
          group.addTask { await each(.seconds(60)) { try await opened.store.keepTime() } }
          group.addTask {
            var isWarned = false
            await each(.seconds(5)) { tell(of: try await opened.store.currentTime(), &isWarned) }
          }
          if let post { group.addTask { await post.run() } }
          if let people {
            group.addTask {
              await each(.seconds(60)) {
                _ = try await people.store.accounts.removeLapsed(at: clock.now() / 1000, SignInLimits())
              }
            }
          }
          switch opened {
          case .sqlite(let store):
            group.addTask { await each(.seconds(1)) { while try await store.seal(limit: 1000) != nil {} } }
          case .postgres(let store):
            group.addTask { await store.keepSealing(report: report) }
            group.addTask { await each(.seconds(10)) { try await clock.adjust() } }
            group.addTask { await each(.seconds(60)) { try await store.removeChallenges() } }
            group.addTask { await each(.seconds(60)) { try await store.removeRequests() } }
            group.addTask {
              while !Task.isCancelled {
                do { try await store.watch(report: report) { service.watchers.moved($0) } } catch { tell(error) }
                try? await Task.sleep(for: .seconds(1))
              }
            }
          }
        }
      }
      do {
        while try await opened.store.seal(limit: 1000) != nil {}
        try await opened.store.keepTime()
      } catch {
        tell(error)
      }
    }

    /// Does something again and again, with a pause in between, until the task is cancelled. Reports failures, and goes
    /// on.
    private func each(_ pause: Duration, _ body: () async throws -> Void) async {
      while !Task.isCancelled {
        do { try await body() } catch { tell(error) }
        try? await Task.sleep(for: pause)
      }
    }

    /// Logs once that the clock is not believed, and once that it is again.
    private func tell(of time: StoreTime, _ isWarned: inout Bool) {
      guard isWarned != (time.warning != nil) else { return }
      isWarned.toggle()
      if let warning = time.warning {
        logger.warning("\(warning)", metadata: ["confirm": "bump-vault clock --confirm TIME"])
      } else {
        logger.notice("the clock is believed again")
      }
    }

    private func tell(_ error: any Error) {
      if error is CancellationError { return }
      if let error = error as? AccountStoreError { return report(VaultStoreError(.failed, error.description)) }
      report(error as? VaultStoreError ?? VaultStoreError(.failed, "the upkeep failed: \(type(of: error))"))
    }
  }
#endif
