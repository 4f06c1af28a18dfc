/// Removes the expired cards of a store: at the start, and every hour.
public struct CardUpkeep: Sendable {
  /// The time between two clean-ups.
  public static let interval: Duration = .seconds(3600)

  private let store: any SharedCardStore
  private let now: @Sendable () -> Int64

  /// Makes the upkeep of a store.
  ///
  /// - Parameter now: returns the seconds since 1970.
  public init(of store: any SharedCardStore, now: @escaping @Sendable () -> Int64) {
    (self.store, self.now) = (store, now)
  }

  /// Runs until the task is cancelled.
  ///
  /// - Parameter report: called after each clean-up with the number of removed cards, or with the error.
  public func run(
    on clock: some Clock<Duration>, _ report: @Sendable (Result<Int, SharedCardError>) -> Void
  ) async {
    repeat {
      do throws(SharedCardError) {
        report(.success(try await store.removeExpired(at: now())))
      } catch {
        report(.failure(error))
      }
    } while (try? await clock.sleep(for: Self.interval)) != nil
  }
}
