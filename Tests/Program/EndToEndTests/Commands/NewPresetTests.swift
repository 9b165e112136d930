import Foundation
import TestKit
import Testing

@Suite("presets new writes a preset of what is connected, without a router")
struct NewPresetTests {
  /// A stage as commands, and what its preset must name.
  struct Evening: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var stage: [String]
    /// The JACK ports of all inputs, which must be in comments alone.
    var inputs: [String] = []
    /// What the preset must contain.
    var named: [String]
  }

  private static let evenings = [
    Evening(
      testDescription: "a USB interface, headphones and two players",
      stage: [
        "device \"USB Interface\" 4 2", "device Headphones 2 0", "source Band 2 sine 1000 -6",
        "player Deck 2 sine 500 -6 Headphones",
      ],
      inputs: ["USB Interface:capture_1", "USB Interface:capture_2"],
      named: [
        "\"usb-interface\"", "\"headphones\"", "\"Band:out_1\"", "\"Deck:out_2\"", "\"exclusive\": true",
      ]),
    Evening(
      testDescription: "microphones alone", stage: ["device Microphone 0 1", "source Band 1 silence"],
      inputs: ["Microphone:capture_1"], named: ["\"Band:out_1\"", "no output is connected"]),
    Evening(
      testDescription: "odd names",
      stage: [
        "device \"Card [HDMI 1] *\" 2 1", "device \"Say \\\"cheese\\\"\" 1 0", "source 音楽 1 silence",
        "source \"what? {x}\" 2 silence", "source input 1 silence",
      ],
      inputs: [#"Card [HDMI 1] \\*:capture_1"#],
      named: [
        #"Card [HDMI 1] \\*:playback_2"#, #"Say \"cheese\":playback_1"#, "音楽:out_1", #"what\\? {x}:out_2"#,
        "\"?nput:out_1\"",
      ]),
  ]

  @Test(
    "on three stages: it passes the check, also the one with --live, and routes no input", arguments: evenings
  )
  func stages(_ evening: Evening) async throws {
    let server = try await PrivateServer()
    let stage = try server.stage()
    for command in evening.stage { try stage.do(command) }
    let program = try ProgramHome()
    let made = try program.run("presets", "new", "mine", "--server", server.name, "--title", "Mine")
    #expect(made.code == 0 && made.output.isEmpty && made.error.contains("mine.json"), "\(made)")
    let text = try program.run("presets", "show", "mine").output
    for name in evening.named { #expect(text.contains(name), "\(name) in \(text)") }
    for line in text.split(separator: "\n") where line.contains("capture") || line.contains("input:") {
      #expect(line.drop { $0 == " " }.hasPrefix("//"), "\(line)")
    }
    for input in evening.inputs { #expect(text.contains(input)) }
    for arguments in [["check", "mine"], ["check", "mine", "--live", "--server", server.name]] {
      let check = try program.run(arguments)
      #expect(check.code == 0 && check.error.isEmpty, "\(check.error)\n\(text)")
    }
    #expect(try program.run("presets").output.contains("Mine"))
    // A second one does not take the place of the first.
    let again = try program.run("presets", "new", "mine", "--server", server.name)
    #expect(again.code == 1 && again.error.contains("exists already"))
    #expect(try program.run("presets", "show", "mine").output == text)
  }

  @Test("Its programs are heard at the first output 20 dB down, and a loud microphone nowhere")
  func heard() async throws {
    let server = try await PrivateServer()
    let stage = try server.stage()
    for command in Self.evenings[0].stage { try stage.do(command) }
    // A singer before the microphone, and a guitar amplifier that it feeds.
    try stage.do("play \"USB Interface\" 1 sine 2000 -6")
    try stage.do("duplex Amp 1")
    try stage.do("connect \"USB Interface:capture_1\" Amp:in_1")
    let folder = try TemporaryFolder()
    let made = try Program.run(["presets", "new", "mine", "--server", server.name], in: folder)
    #expect(made.code == 0, "\(made.errors)")
    let router = try RouterProcess(preset: "mine", server: server.name, in: folder, owners: [stage, server])
    let surface = try ControlSurface(port: router.port)
    #expect(try surface.number("/session/amp/active") == 0)
    for channel in 1...2 {
      for tone in [1_000, 500] { try stage.awaitTone(tone, -26, at: "USB Interface", channel) }
    }
    for level in try stage.tones(2_000, at: ["USB Interface", "Headphones"]).joined() { #expect(level < -90) }
    // The player is not heard past the router any more.
    for level in try stage.tones(500, at: ["Headphones"]).joined() { #expect(level < -90) }
  }

  @Test("Without a server, with a wrong id or with flags of other jobs it says what to do")
  func mistakes() throws {
    let program = try ProgramHome()
    let absent = try program.run("presets", "new", "mine", "--server", "mrtest-no-such-server")
    #expect(absent.code == 69 && absent.error.contains("--server"))
    for words in [
      ["new", "Mine!"], ["new", "current"], ["new", "../mine"], ["new"], ["list", "--server", "x"],
    ] {
      #expect(try program.run(["presets"] + words).code == 64, "\(words)")
    }
  }
}
