import BumpWallet
import Samples
import Testing

@Suite struct KeccakTests {
  /// Messages and their hashes.
  ///
  /// - The empty one, and those of 135, 136 and 137 bytes (a block without its last byte, a block, a byte more):
  ///   ShortMsgKAT_256.txt of the Keccak team's KeccakKAT-3, Len 0, 1080, 1088 and 1096.
  /// - `abc`: by XKCP and by Foundry's `cast keccak`. So are the letters, of the same lengths.
  static let vectors: [(message: [UInt8], hash: String)] = [
    ([], "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
    (Array("abc".utf8), "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
    (
      bytes(
        """
        2f3fb9e6321405869ff0e6271369357ee08c9c27837fe300adf3766a61979591d64e7809627e8f026e762982df5f00bf\
        eb9ce76f1ccb70c9bee6331f7dc8b15417295d7aa7ec7c1662a69842059901f136e96052b4d01b72b64f92331744872f\
        6de4a915d0262b33ccc375d25d77c3936023e514f30187a9501adc685e6497cc4841e119670d4d
        """), "0484f02cc16415e7e9f28f95b6bb77209e1b25ec35015de84facbc8f9605b39e"
    ),
    (
      bytes(
        """
        33d0c3052e3ac8c19beca6b0dfa73888f753655fb2c9f77e1238602c9f6d7ad33e3dd96c78a22e148ed4c46d7cfdf674\
        505bd40325cb813804e264a450de778f1c50fc94f32aa881fe6def7b6ae6efbb42c3be678f40a09322053773e3af0200\
        00fe94f3283c7527aa64a2144b92cf8d568df4e6cd957af09ab1637e61667e616412558d4fcab4f9
        """), "b30ad6fc320c0d70309dc39953895cb7cf3fbedec7d86a5f7aa9f2bb760f6dba"
    ),
    (
      bytes(
        """
        2f570e7aeadd07406bfc263992a0292c528daab4f32816573b6be58a36998465f192e0db70e81cdbe5431477e43ea437\
        cb4eebbe760116b26dfb3ca395c1098753e962c3d27f9fb8c2b32fa6f1d3debd22c97b99cb924b388d87db2348e5aa9c\
        cf0d60a18cff594eb389f5a55dd362809dde19687064a0feec7c213561cbd130d832d264312cb3e4b6
        """), "6cf9e0e9008f6b5b2d28fb38c47a0212e7b28f6a7f44815f10c53141c2f1c84d"
    ),
    (letters(135), "34367dc248bbd832f4e3e69dfaac2f92638bd0bbd18f2912ba4ef454919cf446"),
    (letters(136), "a6c4d403279fe3e0af03729caada8374b5ca54d8065329a3ebcaeb4b60aa386e"),
    (letters(137), "d869f639c7046b4929fc92a4d988a8b22c55fbadb802c0c66ebcd484f1915f39"),
    (letters(272), "cf7fcd4f705ee749930d19ca84561a9bf62516bd90a471545fa2f49fdc7e63c8"),
  ]

  private static func letters(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "a"), count: count) }

  @Test(arguments: vectors.indices) func `a message has its published hash`(index: Int) {
    let vector = Self.vectors[index]
    #expect(Keccak256.hash(vector.message).description == "0x" + vector.hash, "\(vector.message.count) bytes")
  }
}
