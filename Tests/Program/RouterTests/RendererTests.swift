import OSC
import OSCSurface
import SessionModel
import Testing

@testable import Router

@Suite struct RendererTests {
  private func renderer() throws -> Renderer {
    try Renderer(
      events: { _ in Array(Show.ports.dropFirst()) + Show.session + [.session("show", .gain(.set(-20)))] },
      sources: [.stream("show", "band")], rate: 48_000, period: 256)
  }

  /// A message and its time in seconds.
  private typealias Cue = (time: Double, message: OSCMessage)

  /// The answers to cues.
  private let answers = Answers()

  private final class Answers {
    var messages: [OSCMessage] = []
  }

  private func play(_ renderer: inout Renderer, _ frames: Int, _ cues: [Cue] = []) -> [Float] {
    let surface = SurfaceService { [answers] in answers.messages += $0.messages }
    var heard: [Float] = []
    var cues = cues[...]
    while heard.count < frames {
      let end = Double(renderer.frames + 256) / 48_000
      let due = cues.prefix { $0.time < end }
      cues = cues.dropFirst(due.count)
      let commands = due.map { SurfaceCommand(.message($0.message), from: .local(1), to: surface) }
      let outputs = renderer.render(commands, frames: 256) { source, channel in
        source == .stream("show", "band") && channel == 1 ? Array(repeating: 1, count: 256) : nil
      }
      heard += outputs[.output("usb")]?[0] ?? []
    }
    return heard
  }

  @Test("Only streams with a file are heard, at the outputs to which the show sends them")
  func plays() throws {
    var renderer = try renderer()
    _ = play(&renderer, 2_048)
    let outputs = renderer.render([], frames: 256) { source, channel in
      source == .stream("show", "band") && channel == 1 ? Array(repeating: 1, count: 256) : nil
    }
    #expect(outputs[.output("usb")]?.map { $0.allSatisfy { $0 == 0.1 } } == [true, false, false, false])
    #expect(outputs[.output("usb")]?[1].allSatisfy { $0 == 0 } == true)
    #expect(outputs[.output("headphones")]?.allSatisfy { $0.allSatisfy { $0 == 0 } } == true)
  }

  @Test("A cue takes effect in the period that contains its time")
  func cues() throws {
    var renderer = try renderer()
    let heard = play(
      &renderer, 9_600,
      [(time: 5_000.0 / 48_000, message: OSCMessage("/output/usb/mute", .int32(1)))])
    let start = 5_000 / 256 * 256
    #expect(heard[start - 1] == 0.1)
    #expect(heard[start + 8] < 0.1)
    #expect(heard[start + 960] == 0)
    #expect(answers.messages.isEmpty)
  }

  @Test("A cue that the law refuses gets an error, and changes nothing")
  func refusals() throws {
    var renderer = try renderer()
    let heard = play(
      &renderer, 4_096, [(time: 0.05, message: OSCMessage("/output/usb/gain", .float(99)))])
    #expect(answers.messages.first?.address == "/error")
    #expect(heard.last == 0.1)
  }

  @Test(
    "A session of the category audioProcessing is heard when rendering, with its level, at its one output")
  func audioProcessing() throws {
    var renderer = try Renderer(
      events: { _ in
        Array(Show.ports.dropFirst()) + [
          .createSession("file", SessionConfiguration(category: .audioProcessing)),
          .createStream("file", "main", channels: 1, placed: false),
          .session("file", .preferredOutput("headphones")), .session("file", .gain(.set(-20))),
          .activate("file"),
        ]
      }, sources: [.stream("file", "main")], rate: 48_000, period: 256)
    var outputs: [RenderSink: [[Float]]] = [:]
    for _ in 0..<8 {
      outputs = renderer.render([], frames: 256) { _, _ in Array(repeating: 1, count: 256) }
    }
    #expect(outputs[.output("headphones")]?.allSatisfy { $0.allSatisfy { abs($0 - 0.1) < 1e-6 } } == true)
    #expect(outputs[.output("usb")]?.allSatisfy { $0.allSatisfy { $0 == 0 } } == true)
  }

  @Test("A file for an unknown stream is refused with the stream's name")
  func unknownStream() {
    let error = #expect(throws: SessionError.self) {
      try Renderer(
        events: { _ in Array(Show.ports.dropFirst()) + Show.session }, sources: [.stream("show", "choir")],
        rate: 48_000, period: 256)
    }
    #expect(error?.sentence.contains("choir") == true)
  }
}
