import Chance
import Foundation
import JSON5
import Testing

@Suite("JSON is written in order and with line breaks, and reads back the same")
struct JSONValueTests {
  @Test("Objects keep their order, and lists of simple values stay in one line")
  func layout() {
    let value: JSONValue = [
      "multiroute": 1, "title": "Show", "empty": [:], "none": [],
      "ports": ["pa": ["outputs": ["a:1", "a:2"], "gain": -6.5]], "list": [["a": true], .null],
    ]
    #expect(
      value.text == """
        {
          "multiroute": 1,
          "title": "Show",
          "empty": {},
          "none": [],
          "ports": {
            "pa": {
              "outputs": ["a:1", "a:2"],
              "gain": -6.5
            }
          },
          "list": [
            {
              "a": true
            },
            null
          ]
        }

        """)
  }

  @Test(
    "Text and numbers of every kind read back the same, with our reader and with the strict reader of the toolchain"
  )
  func roundTrip() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      let scalars = (0..<8).map { _ in
        Unicode.Scalar(UInt32.random(in: 0...(Bool.random(using: &random) ? 0x7F : 0x10FFFF), using: &random))
          ?? "\u{2028}"
      }
      var string = ""
      string.unicodeScalars.append(contentsOf: scalars)
      let number = Double(bitPattern: UInt64.random(in: 0...(.max), using: &random))
      let written = JSONValue.array([.string(string), .number(number.isFinite ? number : -0.1)])
      let (value, problems) = JSON5Reader.read(written.text, file: "t")
      guard problems.isEmpty, case .array(let elements)? = value?.kind, elements.count == 2,
        case .string(let readString) = elements[0].kind, case .number(let readNumber, _) = elements[1].kind
      else {
        Issue.record("refused: \(written.text) \(problems)")
        return
      }
      #expect(readString.unicodeScalars.elementsEqual(string.unicodeScalars))
      #expect(JSONValue.number(readNumber) == .number(number.isFinite ? number : -0.1))
      let strict = try JSONSerialization.jsonObject(with: Data(written.text.utf8)) as? [Any]
      #expect((strict?.first as? String)?.unicodeScalars.elementsEqual(string.unicodeScalars) == true)
    }
  }
}
