import BumpSignIn
import Samples
import SignInContract
import Testing

/// A guesser with as many browsers as it likes, against one address.
@Suite struct GuessTests {
  private static let day: Int64 = 86_400

  @Test func `the bound follows from what is counted`() {
    let limits = SignInLimits()
    #expect(limits.guessesPerDay == 50 && limits.codes == 1_000_000)
    #expect(Double(limits.guessesPerDay) / Double(limits.codes) <= 5e-5)
    let narrow = SignInLimits(digits: 4, triesPerCode: 3, codesPerDay: 2)
    #expect(narrow.guessesPerDay == 6 && narrow.codes == 10_000)
  }

  /// The times of the guesses that were compared with a code, of a guesser that asks for a code and guesses whenever that
  /// is allowed.
  ///
  /// - Parameter waits: returns how long it waits before its next step, and whether it holds its guesses back.
  private func guesses(
    days: Int64, _ waits: (Int64) -> (seconds: Int64, holdsBack: Bool)
  ) async throws -> [Int64] {
    let scene = try await SignInScene()
    let end = scene.now + days * Self.day
    var times: [Int64] = []
    var held: [(browser: Browser, code: OneTimeCode)] = []
    while scene.now < end {
      let browser = Browser()
      // The guesser cannot see whether a code was sent. The test can.
      if let code = try await scene.begin(browser, .alice) { held.append((browser, code)) }
      let (seconds, holdsBack) = waits(scene.now)
      if !holdsBack {
        for (browser, code) in held {
          while try await isCounted(code, browser, scene) { times.append(scene.now) }
        }
        held = []
      }
      scene.advance(by: seconds)
    }
    return times
  }

  private func isCounted(_ code: OneTimeCode, _ browser: Browser, _ scene: SignInScene) async throws -> Bool {
    do {
      try await scene.enter(code.wrong, browser)
    } catch let refusal as SignInRefusal {
      return refusal.code == .wrongCode
    }
    return true
  }

  private func mostInADay(_ times: [Int64]) -> Int {
    times.indices.map { first in times[first...].prefix { $0 < times[first] + Self.day }.count }.max() ?? 0
  }

  @Test func `in thirty days of guessing without a pause, no day has more than fifty guesses`() async throws {
    let times = try await guesses(days: 30) { _ in (600, false) }
    #expect(mostInADay(times) == 50)
    // The limit is used up, or the test would prove nothing.
    #expect(times.count > 29 * 45 && times.count <= 31 * 50)
  }

  /// Codes that were sent before a day begins, and are tried in it, beside all that the day itself allows.
  @Test(arguments: [0, 1, 599, 600, 601, 1200] as [Int64])
  func `no day has more guesses if they are held back until it begins`(before: Int64) async throws {
    let begin: Int64 = 1_800_000_000 + 3 * Self.day
    let times = try await guesses(days: 6) { now in
      // Nothing until shortly before the day; then codes without guesses until it begins.
      (now < begin - before ? min(3600, begin - before - now) : 60, now < begin)
    }
    #expect(mostInADay(times) <= 50)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `no day has more guesses at random times`(seed: UInt64) async throws {
    var generator = SplitMix64(seed: seed)
    let times = try await guesses(days: 8) { _ in
      (Int64.random(in: 1...1500, using: &generator), Bool.random(using: &generator))
    }
    #expect(mostInADay(times) <= 50 && times.count > 60)
  }

  /// With few digits a guess is likely enough to be counted: how often do all guesses of a day open an account?
  @Test func `guesses open an account as often as the formula says, and no wallet`() async throws {
    let limits = SignInLimits(digits: 4, codesPerHour: 10)
    var generator = SplitMix64(seed: 3)
    var opened = 0
    let scene = try await SignInScene(limits: limits, seed: 4)
    let accounts = 100
    for number in 0..<accounts {
      for _ in 0..<limits.codesPerDay {
        let browser = Browser()
        try #require(try await scene.begin(browser, .named("a\(number)")) != nil)
        // The best there is: different guesses.
        var guesses: Set<Int> = []
        while guesses.count < limits.triesPerCode { guesses.insert(Int.random(in: 0..<10_000, using: &generator)) }
        for guess in guesses {
          let text = String(10_000 + guess).dropFirst()
          guard let account = try? await scene.enter(String(text), browser) else { continue }
          opened += 1
          #expect(account.devices.isEmpty && account.recovery == nil)
          break
        }
      }
    }
    // 100 days of 50 guesses at 10,000 codes: one in two runs is expected to open one. Six have a probability of 1.4·10⁻⁵.
    #expect(opened < 6)
  }
}

@Suite struct DrawTests {
  private func code(_ numbers: UInt32...) -> String? {
    let drawn = Draws(numbers)
    return OneTimeCode(drawing: 6) { _ in drawn.next() }.digits
  }

  private final class Draws: @unchecked Sendable {
    private var numbers: [UInt32]
    init(_ numbers: [UInt32]) { self.numbers = numbers }
    func next() -> [UInt8] { withUnsafeBytes(of: numbers.removeFirst().bigEndian, Array.init) }
  }

  @Test func `each code is as likely as every other one`() {
    #expect(code(0) == "000000" && code(999_999) == "999999" && code(1_000_000) == "000000")
    // The last whole million. What is above it would make the lower codes more likely, and is drawn again.
    #expect(code(4_293_999_999) == "999999")
    #expect(code(4_294_000_000, 7) == "000007" && code(.max, 4_294_500_000, 42) == "000042")
  }
}
