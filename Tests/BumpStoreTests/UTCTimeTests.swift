import BumpStore
import Testing

@Suite struct UTCTimeTests {
  @Test(arguments: [
    (0, "1970-01-01 00:00:00Z"), (253_402_300_799, "9999-12-31 23:59:59Z"), (253_402_300_800, "after the year 9999"),
    (Int64.max, "after the year 9999"),
  ])
  func `a time of day is RFC 3339, which ends with the year 9999`(seconds: Int64, text: String) {
    #expect(UTCTime.text(seconds) == text)
  }
}
