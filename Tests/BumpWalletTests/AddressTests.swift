import BumpWallet
import Foundation
import Samples
import Testing

@Suite struct AddressTests {
  /// The test cases of EIP-55.
  static let checked = [
    "0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
    "0xde709f2102306220921060314715629080e2fb77", "0x27b1fdb04752bbc536007a920d24acb045561c26",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
  ]

  @Test(arguments: checked) func `an address is read with its checksum or in one case, and printed with it`(
    text: String
  ) throws {
    let address = try Address(text)
    #expect(address.description == text)
    #expect(address.bytes == bytes(String(text.dropFirst(2))))
    #expect(try Address("0x" + text.dropFirst(2).lowercased()) == address)
    #expect(try Address("0x" + text.dropFirst(2).uppercased()) == address)
    #expect(Address(address.bytes) == address)
  }

  @Test(arguments: checked.suffix(4)) func `a letter of the wrong case is refused`(text: String) {
    for place in text.indices.dropFirst(2) where text[place].isLetter {
      let letter = String(text[place])
      let other = letter == letter.lowercased() ? letter.uppercased() : letter.lowercased()
      let wrong = text.replacingCharacters(in: place...place, with: other)
      #expect(throws: WalletError.self) { try Address(wrong) }
    }
  }

  @Test(arguments: [
    "", "0x", "0x52908400098527886E0F7030069857D2E4169EE", "0x52908400098527886E0F7030069857D2E4169EE70",
    "52908400098527886E0F7030069857D2E4169EE7", "0X52908400098527886E0F7030069857D2E4169EE7",
    " 0x52908400098527886E0F7030069857D2E4169EE7", "0x52908400098527886E0F7030069857D2E4169EE7\n",
    "0x52908400098527886E0F7030069857D2E4169EEG", "0x5290840009852788-E0F7030069857D2E4169EE7",
    "0x52908400098527886E0F7030069857D2E4169E\u{212A}",
  ])
  func `what is no address is refused`(text: String) {
    let error = #expect(throws: WalletError.self) { try Address(text) }
    #expect(error?.code == .address)
  }

  @Test func `an address is twenty bytes`() {
    for count in [0, 19, 21, 32] { #expect(Address([UInt8](repeating: 1, count: count)) == nil) }
    #expect(Address([UInt8](repeating: 0, count: 20)) == .zero)
  }

  @Test func `every address reads as it prints`() throws {
    for number in 0..<200 {
      let address = try #require(Address(Seeded.bytes(number).prefix(20)))
      #expect(try Address(address.description) == address)
    }
  }
}
