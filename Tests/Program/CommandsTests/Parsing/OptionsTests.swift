import EventLog
import Foundation
import OSC
import SessionModel
import Testing

@testable import Commands

@Suite("Options are typed")
struct OptionsTests {
  private func parsed(_ command: CommandName, _ arguments: [String]) throws(CommandFailure) -> ParsedArguments
  {
    try ArgumentReader.read(arguments[...], of: CommandTable.description(of: command))
  }

  @Test("run without anything has the defaults of the table")
  func bareRun() throws {
    let options = try RunOptions(parsed(.run, []))
    #expect(options.preset == nil && options.server == nil && options.osc.isEmpty)
    #expect(options.configuration == .usual)
    #expect(options.logLevel == .info)
    #expect(!options.startsServer && !options.waitsForServer && !options.isFresh)
  }

  @Test("run takes all of its flags")
  func fullRun() throws {
    let options = try RunOptions(
      parsed(
        .run,
        [
          "show", "--server", "stage", "--name", "desk", "--osc", "lo:0", "--osc", "eth0:9000", "--config",
          "none",
          "--presets", "p", "--media", "m", "--state", "s", "--wait", "--fresh", "--log", "debug", "--events",
          "e", "--allow-period-change",
        ]))
    #expect(options.preset == "show" && options.server == "stage" && options.clientName == "desk")
    #expect(options.osc == [Endpoint.udp(host: "lo", port: 0), Endpoint.udp(host: "eth0", port: 9_000)])
    #expect(options.configuration == .none)
    #expect(options.presetFolder == "p" && options.stateFolder == "s" && options.mediaFolder == "m")
    #expect(options.waitsForServer && options.isFresh && options.allowsPeriodChange)
    #expect(options.logLevel == .debug && options.eventFile == "e")
  }

  @Test("The options to start a server and to wait for one may be combined")
  func startedOrAwaited() throws {
    let options = try RunOptions(parsed(.run, ["--start-server", "--wait"]))
    #expect(options.startsServer && options.waitsForServer)
  }

  @Test("render knows which file is for what")
  func render() throws {
    let options = try RenderOptions(
      parsed(
        .render,
        ["show", "--in", "show.band=a=b.wav", "--out", "usb=out.wav", "--rate", "44100", "--seconds", "1.5"]))
    #expect(options.preset == "show" && options.period == 256 && options.rate == 44_100)
    #expect(options.seconds == 1.5)
    #expect(options.inputs == [SourceFile("show.band=a=b.wav")])
    #expect(
      options.inputs.first?.source == .stream("show", "band") && options.inputs.first?.path == "a=b.wav")
    #expect(options.outputs == [SinkFile("usb=out.wav")])
  }

  @Test("render takes each stream, output and written file once")
  func renderTwice() throws {
    let failure = #expect(throws: CommandFailure.self) {
      try RenderOptions(
        parsed(
          .render, ["x", "--in", "a.b=x", "--in", "a.b=y", "--out", "o=1", "--out", "o=2", "--out", "p=1"]))
    }
    #expect(
      failure?.lines.dropLast() == [
        "multiroute render: --in names a.b twice", "multiroute render: --out names o twice",
        "multiroute render: --out writes 1 twice",
      ])
  }

  @Test("render writes no file that it reads, and none twice, by whatever name")
  func renderOver() throws {
    let folder = try TemporaryFolder()
    let sound = try folder.file("a.wav", "sound")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.wav"), withDestinationPath: sound)
    func problems(_ outputs: String...) -> [String]? {
      let failure = #expect(throws: CommandFailure.self) {
        try RenderOptions(
          parsed(
            .render,
            ["x", "--in", "a.b=\(sound)"] + outputs.enumerated().flatMap { ["--out", "o\($0)=\($1)"] }))
      }
      return failure?.lines.dropLast()
    }
    for name in [sound, folder.path("./a.wav"), folder.path("link.wav")] {
      #expect(
        problems(name) == ["multiroute render: --out writes \(name), which --in reads; name another file"])
    }
    // Neither file exists yet.
    let twin = folder.path("./b.wav")
    #expect(problems(folder.path("b.wav"), twin) == ["multiroute render: --out writes \(twin) twice"])
  }

  @Test("render without input files needs a length")
  func renderEndless() throws {
    let failure = #expect(throws: CommandFailure.self) {
      try RenderOptions(parsed(.render, ["x", "--out", "o=1"]))
    }
    #expect(failure?.lines.first == "multiroute render: it needs --in or --seconds, or it would not end")
  }

  @Test(
    "A text that is neither SESSION.STREAM=FILE nor INPUT=FILE is refused",
    arguments: ["a.b", "a.b=", "A.b=f", "a.b.c=f", "=f", ".=f"])
  func badAssignments(_ text: String) { #expect(SourceFile(text) == nil) }

  @Test("render takes files for inputs, and writes captures")
  func renderCall() {
    #expect(SourceFile("mic=a.wav")?.source == .input("mic"))
    #expect(SinkFile("phone.capture=a.wav")?.sink == .capture("phone"))
    for text in ["phone.main=a.wav", "a.capture", "capture.=f", ".capture=f"] {
      #expect(SinkFile(text) == nil)
    }
  }
}
