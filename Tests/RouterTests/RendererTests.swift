import OSC
import SessionModel
import Testing

@testable import Router

@Suite struct RendererTests {
  private func renderer() throws -> Renderer {
    try Renderer(
      events: { _ in Array(Show.ports.dropFirst()) + Show.session + [.session("show", .gain(.set(-20)))] },
      sources: [("show", "band")], rate: 48_000, period: 256)
  }

  private func play(_ renderer: inout Renderer, _ frames: Int, _ cues: [Renderer.Cue] = []) -> [Float] {
    var heard: [Float] = []
    var cues = cues[...]
    while heard.count < frames {
      let end = Double(renderer.frames + 256) / 48_000
      let due = cues.prefix { $0.time < end }
      cues = cues.dropFirst(due.count)
      let outputs = renderer.render(Array(due), frames: 256) { _, stream, channel in
        stream == "band" && channel == 1 ? Array(repeating: 1, count: 256) : nil
      }
      heard += outputs["usb"]?[0] ?? []
    }
    return heard
  }

  @Test("What has a file is heard where the show sends it, and nothing else is")
  func plays() throws {
    var renderer = try renderer()
    _ = play(&renderer, 2_048)
    let outputs = renderer.render([], frames: 256) { _, stream, channel in
      stream == "band" && channel == 1 ? Array(repeating: 1, count: 256) : nil
    }
    #expect(outputs["usb"]?.map { $0.allSatisfy { $0 == 0.1 } } == [true, false, false, false])
    #expect(outputs["usb"]?[1].allSatisfy { $0 == 0 } == true)
    #expect(outputs["headphones"]?.allSatisfy { $0.allSatisfy { $0 == 0 } } == true)
  }

  @Test("A cue is in force in the period that contains its time")
  func cues() throws {
    var renderer = try renderer()
    let heard = play(
      &renderer, 9_600,
      [Renderer.Cue(time: 5_000.0 / 48_000, message: OSCMessage("/output/usb/mute", .int32(1)))])
    let start = 5_000 / 256 * 256
    #expect(heard[start - 1] == 0.1)
    #expect(heard[start + 8] < 0.1)
    #expect(heard[start + 960] == 0)
    #expect(renderer.answers.isEmpty)
  }

  @Test("A cue that is refused is answered, and changes nothing")
  func refusals() throws {
    var renderer = try renderer()
    let heard = play(
      &renderer, 4_096, [Renderer.Cue(time: 0.05, message: OSCMessage("/output/usb/gain", .float(99)))])
    #expect(renderer.answers.first?.address == "/error")
    #expect(heard.last == 0.1)
  }

  @Test("The category audioProcessing is heard here: through its stream, its level and its one output")
  func audioProcessing() throws {
    var renderer = try Renderer(
      events: { _ in
        Array(Show.ports.dropFirst()) + [
          .createSession("file", SessionConfiguration(category: .audioProcessing)),
          .createStream("file", "main", channels: 1, placed: false),
          .session("file", .preferredOutput("headphones")), .session("file", .gain(.set(-20))),
          .activate("file"),
        ]
      }, sources: [("file", "main")], rate: 48_000, period: 256)
    var outputs: [PortID: [[Float]]] = [:]
    for _ in 0..<8 {
      outputs = renderer.render([], frames: 256) { _, _, _ in Array(repeating: 1, count: 256) }
    }
    #expect(outputs["headphones"]?.allSatisfy { $0.allSatisfy { abs($0 - 0.1) < 1e-6 } } == true)
    #expect(outputs["usb"]?.allSatisfy { $0.allSatisfy { $0 == 0 } } == true)
  }

  @Test("A file for a stream that the show does not have is refused by name")
  func unknownStream() {
    let error = #expect(throws: SessionError.self) {
      try Renderer(
        events: { _ in Array(Show.ports.dropFirst()) + Show.session }, sources: [("show", "choir")],
        rate: 48_000, period: 256)
    }
    #expect(error?.sentence.contains("choir") == true)
  }
}
