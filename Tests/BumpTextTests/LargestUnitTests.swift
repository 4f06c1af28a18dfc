import BumpText
import Testing

@Suite struct LargestUnitTests {
  @Test(arguments: [
    (0, "0 seconds"), (1, "1 second"), (59, "59 seconds"), (60, "1 minute"), (3599, "59 minutes"), (7200, "2 hours"),
    (86_402, "1 day"), (172_800, "2 days"),
  ])
  func `a time is written in its largest unit`(seconds: Int64, text: String) {
    #expect(LargestUnit.text(seconds: seconds) == text)
  }
}
