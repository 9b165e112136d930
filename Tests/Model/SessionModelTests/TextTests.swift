import Foundation
import SessionModel
import Testing

@Suite("Names and texts")
struct TextTests {
  @Test(
    "Only a slug is an id",
    arguments: [
      ("a", true), ("9-b_c", true), ("", false), ("-a", false), ("_a", false), ("A", false), ("a b", false),
      ("ä", false), (String(repeating: "x", count: 32), true), (String(repeating: "x", count: 33), false),
    ])
  func slugs(_ text: String, _ isSlug: Bool) { #expect((SessionID(text) != nil) == isSlug) }

  @Test(
    "Characters that a terminal obeys are shown escaped, and all others as they are",
    arguments: [
      ("Band:out_1", "Band:out_1"), ("Kölnisch 東京 é 👋", "Kölnisch 東京 é 👋"), ("a\tb\nc", "a\\u{9}b\\u{A}c"),
      ("\u{1B}]0;title\u{7}", "\\u{1B}]0;title\\u{7}"), ("x\u{202E}gnp", "x\\u{202E}gnp"),
      ("\u{9B}31m\u{200B}", "\\u{9B}31m\\u{200B}"), ("\u{2028}", "\\u{2028}"),
    ])
  func printable(_ text: String, _ shown: String) { #expect(text.printable == shown) }

  @Test(
    "Every text has a nearest slug",
    arguments: [
      ("Scarlett 2i2 USB", "scarlett-2i2-usb"), ("Ünïcode!", "n-code"), ("---", "port"), ("", "port"),
      (String(repeating: "Ab ", count: 20), "ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab"),
    ])
  func slugging(_ text: String, _ slug: String) {
    #expect(PortID(slugging: text).name == slug)
    #expect(PortID.isSlug(PortID(slugging: text).name))
  }

  @Test(
    "A glob matches whole names; capitals count, and only * and ? are wildcards, unless a backslash quotes them",
    arguments: [
      ("a*", "ab:c/d", true), ("*:out_?", "x:out_1", true), ("*:out_?", "x:out_10", false), ("a", "A", false),
      ("a[b]", "a[b]", true), ("a[b]", "ab", false), ("*", "", true), ("?", "é", true), ("*a*a", "aa", true),
      ("*a*a", "a", false), (#"a\*"#, "a*", true), (#"a\*"#, "ab", false), (#"\?"#, "?", true),
      (#"\?"#, "a", false),
      (#"a\b"#, #"a\b"#, true), (#"a\\*"#, #"a\bc"#, true), (#"*\*"#, "a*b*", true), (#"*\*"#, #"a\"#, false),
    ])
  func globs(_ pattern: String, _ name: String, _ matches: Bool) throws {
    #expect(try #require(PortGlob(pattern)).matches(name) == matches)
  }

  @Test("A quoted name is a glob that matches it alone, whatever characters it has")
  func quoting() throws {
    let letters = ["*", "?", #"\"#, "[", "]", "a", ":", "é"]
    for length in 1...4 {
      for number in 0..<Int(pow(Double(letters.count), Double(length))) {
        let name = (0..<length).map { letters[number >> (3 * $0) & 7] }.joined()
        let glob = try #require(PortGlob(literal: name))
        #expect(!glob.isPattern && glob.literal == name && glob.matches(name))
        let others = [name + "a", "a" + name, String(name.dropLast()), name.replacing("*", with: "b")]
        #expect(others.allSatisfy { $0 == name || !glob.matches($0) }, "\(name)")
        let entry = try #require(ProgramPorts(ports: nil, names: [.media: glob]))
        #expect(ProgramPorts(entry.text) == entry)
      }
    }
    #expect(PortGlob(#"mpv\*:out_*"#)?.client == "mpv*" && PortGlob("mpv*:out_1")?.client == nil)
    #expect(ProgramPorts(#"{media=What\?}"#)?.names[.media]?.literal == "What?")
  }

  @Test("Channels are ordered by their numbers")
  func channelOrder() {
    let names = ["p:out_10", "p:out_9", "p:out_1", "a:out_2", "p:out", "p:out_09"]
    #expect(names.sorted(by: PortGlob.inChannelOrder).first == "a:out_2")
    #expect(["o10", "o9", "o1"].sorted(by: PortGlob.inChannelOrder) == ["o1", "o9", "o10"])
  }

  @Test(
    "Options are named in ascending order; 0x11 has one name",
    arguments: [
      (0, "none"), (1, "mixWithOthers"), (3, "mixWithOthers+duckOthers"),
      (0x11, "interruptSpokenAudioAndMixWithOthers"),
      (0x13, "duckOthers+interruptSpokenAudioAndMixWithOthers"), (4, "allowBluetoothHFP"),
    ])
  func options(_ mask: Int, _ text: String) { #expect(SessionOptions(rawValue: mask).text == text) }

  @Test("An error's symbol is AVAudioSession's four characters, or the router's name")
  func symbols() {
    let session: [ErrorCode: String] = [
      .insufficientPriority: "!pri", .cannotInterruptOthers: "!int", .cannotStartPlaying: "!pla",
      .cannotStartRecording: "!rec", .incompatibleCategory: "!cat", .resourceNotAvailable: "!res",
      .isBusy: "!act",
      .sessionNotActive: "inac", .mediaServicesFailed: "msrv", .expiredSession: "!ses",
      .missingEntitlement: "ent?",
      .siriIsRecording: "siri", .unspecified: "what",
    ]
    for (code, symbol) in session { #expect(code.symbol == symbol) }
    #expect(ErrorCode.badParam.symbol == "badParam" && ErrorCode.badParam.rawValue == -50)
    #expect(ErrorCode.notYet.symbol == "notYet" && ErrorCode.notYet.rawValue == 16)
    #expect((1...16).compactMap(ErrorCode.init).map(\.symbol).count == 16)
  }

  @Test("A hint names the nearest name, or the first few")
  func hints() {
    #expect(NearestName.hint(for: "gian", among: ["gain", "mute"]) == "did you mean 'gain'?")
    #expect(NearestName.hint(for: "x", among: []) == "there is none")
    let many = (1...100).map { "session-\($0)" }
    let hint = NearestName.hint(for: "nothing", among: many)
    #expect(hint.hasSuffix("and 84 more") && hint.utf8.count < 300)
  }
}

@Suite("Channels")
struct ChannelTests {
  private func pairs(_ selection: ChannelSelection, _ width: Int, _ channels: Int) -> [String]? {
    (try? selection.crosspoints(width: width, channels: channels, at: "usb"))?.map {
      "\($0.stream):\($0.port)*\($0.scale)"
    }
  }

  @Test(
    "Without a range a stream of n channels is sent to the first n channels, at least two; stereo into mono is summed with 1/sqrt(2)"
  )
  func defaults() {
    #expect(pairs(.default, 1, 4) == ["1:1*1.0", "1:2*1.0"])
    #expect(pairs(.default, 1, 1) == ["1:1*1.0"])
    #expect(pairs(.default, 2, 4) == ["1:1*1.0", "2:2*1.0"])
    #expect(pairs(.default, 4, 4)?.count == 4)
    #expect(pairs(.default, 2, 1) == ["1:1*0.70710677", "2:1*0.70710677"])
    #expect(pairs(.default, 3, 2) == nil)
    #expect(pairs(.default, 3, 1) == nil)
  }

  @Test(
    "A mono stream is sent to every channel of a range; otherwise the range must be as wide as the stream")
  func ranges() {
    #expect(pairs(.range(2...4), 1, 4) == ["1:2*1.0", "1:3*1.0", "1:4*1.0"])
    #expect(pairs(.range(3...4), 2, 4) == ["1:3*1.0", "2:4*1.0"])
    #expect(pairs(.range(3...3), 2, 4) == nil)
    #expect(pairs(.range(1...3), 2, 4) == nil)
    #expect(pairs(.range(4...5), 2, 4) == nil)
  }

  @Test("A map names each crosspoint once, within the channels of stream and port")
  func maps() throws {
    let map = try #require(ChannelSelection(map: "1:3,2:4,1:1"))
    #expect(pairs(map, 2, 4) == ["1:3*1.0", "2:4*1.0", "1:1*1.0"])
    #expect(pairs(map, 1, 4) == nil && pairs(map, 2, 3) == nil)
    for text in ["", "1", "1:", "1:0", "1:2,1:2", "a:b", "1:2:3", "+1:2", "1:2,", "1:9999"] {
      #expect(ChannelSelection(map: text) == nil, "\(text)")
    }
  }

  @Test("The text of a map can be read again, for every width")
  func mapTexts() {
    #expect(ChannelSelection.range(3...4).mapText(width: 2) == "1:3,2:4")
    #expect(ChannelSelection.range(3...4).mapText(width: 1) == "1:3,1:4")
    #expect(ChannelSelection.default.mapText(width: 2) == "default")
  }
}
