import Testing
import Tokens

@Suite struct TokensTests {
  @Test("Secrets differ, and have the shape of a part of a link")
  func secrets() throws {
    let secrets = Set((0..<1_000).map { _ in TokenSecret.random() })
    #expect(secrets.count == 1_000)
    #expect(
      secrets.allSatisfy { $0.count == 24 && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } })
  }

  @Test("The hash is that of crypt(3), differs for each secret, and does not contain it")
  func hashes() throws {
    let hash = try #require(try TokenSecret.hash(of: "abc"))
    #expect(hash.hasPrefix("$5$rounds=1000$multiroute$"))
    #expect(try TokenSecret.hash(of: "abc") == hash)
    #expect(try TokenSecret.hash(of: "abd") != hash)
    #expect(!hash.contains("abc"))
    #expect(try TokenSecret.hash(of: String(repeating: "x", count: 600)) == nil)
  }

  @Test("A QR code has the three finder patterns, and what is too long has none")
  func codes() throws {
    let code = try #require(try QRCode("http://192.168.1.20:9441/mix/headphones#abcdefghijkmnopqrstuvwxy"))
    #expect(code.modules.count == code.size * code.size && (code.size - 17) % 4 == 0)
    let rows = (0..<code.size).map { row in
      String(code.modules.dropFirst(row * code.size).prefix(code.size))
    }
    #expect(
      rows[0].hasPrefix("1111111") && rows[0].hasSuffix("1111111") && rows[code.size - 1].hasPrefix("1111111")
    )
    #expect(rows[3].hasPrefix("1011101"))
    #expect(try QRCode("") == nil)
    #expect(try QRCode(String(repeating: "x", count: 501)) == nil)
  }
}
