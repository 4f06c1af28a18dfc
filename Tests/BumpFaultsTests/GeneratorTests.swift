import BumpFaults
import Testing

@Suite struct GeneratorTests {
  /// The outputs of `SplittableRandom` of the Java platform, which is SplitMix64, for the seed 0; and those that the Rosetta
  /// Code task *Pseudo-random numbers/Splitmix64* publishes for the seed 1234567.
  @Test(
    arguments: [
      (0, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F, 0xF88B_B8A8_724C_81EC]),
      (
        1_234_567,
        [
          6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        ]
      ),
    ] as [(UInt64, [UInt64])])
  func `SplitMix64 draws what is published`(seed: UInt64, outputs: [UInt64]) {
    var generator = SplitMix64(seed: seed)
    #expect(outputs.map { _ in generator.next() } == outputs)
  }

  /// The test vectors of the Internet-Draft draft-eastlake-fnv.
  @Test(
    arguments: [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ] as [(String, UInt64)])
  func `streams are named by FNV-1a`(text: String, hash: UInt64) {
    #expect(fnv1a(text) == hash)
  }

  @Test func `each number of a range is drawn, and none beside it`() {
    var generator = SplitMix64(seed: 1)
    var counts = [Int](repeating: 0, count: 7)
    for _ in 0..<7000 { counts[generator.draw(3...9) - 3] += 1 }
    // Seven numbers have a thousand draws each; five standard deviations of that are 146.
    #expect(counts.allSatisfy { (854...1146).contains($0) })
    #expect(generator.draw(5...5) == 5)
  }
}
