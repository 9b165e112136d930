import Chance
import Foundation
import MixEngine
import MixKernel
import SessionModel
import SessionPolicy
import Testing

@testable import Router

/// The sound of the section of an output, and of polarity, width and trim, sample by sample at the engine.
@Suite struct ChannelControlSoundTests {
  /// A desk without an audio server: constants in, and all channels of outputs and captures out.
  private final class Desk {
    private(set) var state: RouterState
    private var keeper = MixKeeper(engine: MixEngine(sampleRate: 48_000), rate: 48_000)
    private var handles: [PortKey: PortHandle] = [:]
    private var liveness = Liveness()
    private var time = 0.0

    static let constants: [PortKey: Float] = [
      .stream("show", "band", 1): 0.011, .stream("show", "band", 2): 0.007,
      .stream("show", "click", 1): 0.003,
      .input("line", 1): 0.005, .input("line", 2): -0.013,
    ]

    private static let events: [Event] = [
      .server(Show.running),
      .declarePort(.output, Show.port("phones", .headphones, ["Phones:*"], channels: 2)),
      .declarePort(.output, Show.port("usb", .usbAudio, ["USB:*"], channels: 2)),
      .declarePort(.input, Show.port("line", .lineIn, ["Line:*"], channels: 2)),
      .portsPresent([
        PortPresence(.output, "phones", members: ["Phones:1", "Phones:2"]),
        PortPresence(.output, "usb", members: ["USB:1", "USB:2"]),
        PortPresence(.input, "line", members: ["Line:1", "Line:2"]),
      ]),
      .createSession("show", SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
      .session("show", .activation(.start)), .session("show", .permission(.granted)),
      .createStream("show", "band", channels: 2, placed: false),
      .stream("show", "band", .sources([.ports(ProgramPorts("Band:*")!)])),
      .createStream("show", "click", channels: 1, placed: false),
      .stream("show", "click", .sources([.ports(ProgramPorts("Click:*")!)])),
      .createStream("show", "line", channels: 2, placed: false),
      .stream("show", "line", .sources([.input("line", channels: nil)])),
      .destination("show", "band", "phones", .on(true)), .destination("show", "click", "phones", .on(true)),
      .destination("show", "line", "phones", .on(true)), .destination("show", "band", "usb", .on(true)),
      .destination("show", "band", "usb", .tap(.pre)), .destination("show", "click", "usb", .on(true)),
      .destination("show", "click", "usb", .tap(.input)),
      .session("show", .captureChannels(2)), .captureInput("show", "line", .on(true)),
      .activate("show"),
    ]

    init() throws {
      state = try Show.state(Self.events)
      liveness.outputs = ["phones", "usb"]
      liveness.inputs = ["line"]
      liveness.captures = ["show"]
      liveness.streams = Set(["band", "click", "line"].map { StreamAddress(session: "show", stream: $0) })
      update()
      _ = play(4_096)
    }

    private func provide(_ ports: [PortKey]) -> [PortKey: PortHandle] {
      for key in ports where handles[key] == nil {
        handles[key] = PortHandle(rawValue: UInt(handles.count + 1))
      }
      return handles
    }

    private func update() {
      _ = keeper.update(state, liveness, at: time, margin: 0, provide: provide)
    }

    /// Carries out an event, and plays some frames from then on. Nil if the law refuses it.
    func play(_ frames: Int, after event: Event) -> [PortKey: [Float]]? {
      guard (try? Policy.reduce(&state, event, at: time)) != nil else { return nil }
      update()
      return play(frames)
    }

    func play(_ frames: Int) -> [PortKey: [Float]] {
      let (sources, sinks) = (keeper.ports.filter(\.isSource), keeper.ports.filter { !$0.isSource })
      let buffers = sources.map { key in
        let buffer = UnsafeMutablePointer<Float>.allocate(capacity: frames)
        buffer.initialize(repeating: Self.constants[key] ?? 0, count: frames)
        return buffer
      }
      let heard = sinks.map { _ in UnsafeMutablePointer<Float>.allocate(capacity: frames) }
      defer { for buffer in buffers + heard { buffer.deallocate() } }
      keeper.engine.process(frames: frames, sources: buffers.map { UnsafePointer($0) }, sinks: heard)
      time += Double(frames) / 48_000
      var result: [PortKey: [Float]] = [:]
      for (key, buffer) in zip(sinks, heard) {
        result[key] = Array(UnsafeBufferPointer(start: buffer, count: frames))
      }
      _ = keeper.release(at: time, provide: provide)
      return result
    }
  }

  // MARK: The reference

  /// What the desk plays at rest, written down once in the plainest way.
  private struct Reference {
    let state: RouterState

    private func amplitude(_ level: Double) -> Double { level <= -90 ? 0 : pow(10, level / 20) }

    private func widened(_ x: [Double], _ width: Double) -> [Double] {
      let (own, other) = ((1 + width) / 2, (1 - width) / 2)
      return [x[0] * own + x[1] * other, x[1] * own + x[0] * other]
    }

    private func constant(_ key: PortKey) -> Double { Double(Desk.constants[key] ?? 0) }

    private func inverted(_ x: [Double], _ channels: [ChannelNumber]) -> [Double] {
      x.enumerated().map { channels.map(\.value).contains($0.offset + 1) ? -$0.element : $0.element }
    }

    var line: [Double] {
      let port = state.inputs["line"]!
      let x = inverted([constant(.input("line", 1)), constant(.input("line", 2))], port.inverted)
      let gain = port.isMuted ? 0 : amplitude(port.gain.target) * amplitude(port.trim.target)
      return widened(x, port.width.target).map { $0 * gain }
    }

    private func balanced(_ x: [Double], _ position: Double) -> [Double] {
      [x[0] * min(1, 1 - position), x[1] * min(1, 1 + position)]
    }

    private func sent(_ stream: SessionStream, _ tap: Tap) -> [Double] {
      var x: [Double]
      switch stream.id {
      case "line": x = line
      case "band": x = [1, 2].map { constant(.stream("show", "band", $0)) }
      default: x = [constant(.stream("show", "click", 1))]
      }
      x = inverted(x, stream.inverted)
      if tap == .post, x.count == 2 { x = widened(x, stream.width.target) }
      if x.count == 1 { x = [x[0], x[0]] }
      if tap == .post { x = balanced(x, stream.pan.target).map { $0 * amplitude(stream.gain.target) } }
      if tap != .input, stream.isMuted { x = [0, 0] }
      return x
    }

    func output(_ id: PortID) -> [Double] {
      let port = state.outputs[id]!
      var mix = [0.0, 0.0]
      for stream in state.sessions["show"]!.streams.values {
        guard let destination = stream.destinations[id], destination.isOn else { continue }
        let x = balanced(sent(stream, destination.tap), destination.pan.target)
        for channel in 0...1 { mix[channel] += x[channel] * amplitude(destination.gain.target) }
      }
      if port.section.isSwapped { mix = [mix[1], mix[0]] }
      if port.section.isMono { mix = [mix[0] + mix[1], mix[0] + mix[1]].map { $0 * 0.5.squareRoot() } }
      mix = balanced(inverted(mix, port.inverted), port.section.balance.target)
      let level = amplitude(port.gain.target) * (port.section.isDimmed ? amplitude(port.section.dimLevel) : 1)
      return mix.map { port.isMuted ? 0 : $0 * level }
    }
  }

  private func expectRest(_ desk: Desk, _ heard: [PortKey: [Float]], after event: Event? = nil) {
    let reference = Reference(state: desk.state)
    let wanted = [("phones", reference.output("phones")), ("usb", reference.output("usb"))].flatMap {
      name, values in values.enumerated().map { (PortKey.output(PortID(name)!, $0.offset + 1), $0.element) }
    }
    let captured = reference.line.enumerated().map { (PortKey.capture("show", $0.offset + 1), $0.element) }
    for (key, value) in wanted + captured {
      let last = Double(heard[key]?.last ?? .nan)
      #expect(
        abs(last - value) < 2e-6, "\(key.name) \(last), wanted \(value), after \(String(describing: event))")
    }
  }

  // MARK: Tests

  private static let ramp = 960

  /// A raised cosine from one value to another.
  private func curve(_ frame: Int, _ first: Float, _ last: Float) -> Float {
    let way = min(1, Double(frame + 1) / Double(Self.ramp))
    return first + (last - first) * Float(0.5 - 0.5 * cos(.pi * way))
  }

  @Test(
    "Each control moves along a raised cosine to its formula",
    arguments: [
      (.port(.output, "phones", .section(.dim(true))), 0.1, 0),
      (.port(.output, "phones", .inverted([ChannelNumber(1)!])), -1, 0),
      (.port(.output, "phones", .section(.balance(.set(0.75)))), 0.25, 0),
      (.port(.output, "phones", .section(.swap(true))), 0, 1),
      (.port(.output, "phones", .section(.mono(true))), 0.707_106_8, 0.707_106_8),
      (.stream("show", "band", .inverted([ChannelNumber(1)!])), -1, 0),
      (.stream("show", "band", .width(.set(0))), 0.5, 0.5),
      (.stream("show", "band", .width(.set(2))), 1.5, -0.5),
    ] as [(Event, Float, Float)])
  func formula(event: Event, own: Float, other: Float) throws {
    let desk = try Desk()
    // Only the band is heard.
    for stream: StreamID in ["click", "line"] {
      _ = desk.play(4_096, after: .destination("show", stream, "phones", .on(false)))
    }
    let heard = try #require(desk.play(2_048, after: event)?[.output("phones", 1)])
    let (left, right): (Float, Float) = (0.011, 0.007)
    let (first, last) = (left, left * own + right * other)
    for (frame, sample) in heard.enumerated() {
      #expect(abs(sample - curve(frame, first, last)) < 4e-5, "frame \(frame)")
    }
    #expect(abs(heard[2_047] - last) < 1e-8)
  }

  @Test("Trim and the width of an input move the input's sound in outputs and captures")
  func input() throws {
    let desk = try Desk()
    expectRest(desk, desk.play(64))
    for event: Event in [
      .port(.input, "line", .trim(.set(12))), .port(.input, "line", .width(.set(0.5))),
      .port(.input, "line", .inverted([ChannelNumber(2)!])),
      .port(.input, "line", .trim(.set(-18, over: 0.05))),
      .port(.input, "line", .width(.set(2, over: 0.05))),
    ] {
      let heard = try #require(desk.play(4_096, after: event))
      expectRest(desk, heard, after: event)
    }
  }

  @Test(
    "Random changes of all controls agree with the reference sum, and nothing ever steps",
    arguments: 0..<Soak.count(2, of: 12))
  func random(seed: UInt64) throws {
    let desk = try Desk()
    var chance = SeededGenerator(seed: seed)
    var last = desk.play(64)
    for _ in 0..<120 {
      let event = Self.event(&chance)
      guard let heard = desk.play(4_096, after: event) else { continue }
      expectRest(desk, heard, after: event)
      for (key, samples) in heard {
        // All sources together are below 0.04, 18 dB and a width of 2 are 12 times that, and a ramp has at least 960 frames.
        let step = zip([last[key]?.last ?? samples[0]] + samples, samples).map { abs($0 - $1) }.max() ?? 0
        #expect(step < 0.04 * 12 * 2 * 1.6 / 960, "\(key.name) steps by \(step) after \(event)")
      }
      last = heard
    }
  }

  private static func event(_ chance: inout SeededGenerator) -> Event {
    func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &chance)! }
    let output: PortID = pick(["phones", "usb"])
    let stream: StreamID = pick(["band", "click", "line"])
    let inverted = pick([[], [1], [2], [1, 2]]).compactMap { ChannelNumber($0) }
    let isOn = pick([true, false])
    func move(_ values: [Double]) -> ControlMove {
      .set(pick(values), over: pick([0, 0, 0.05]))
    }
    return switch Int.random(in: 0..<17, using: &chance) {
    case 0: .port(.output, output, .section(.dim(isOn)))
    case 1: .port(.output, output, .section(.dimLevel(pick([-60, -20, -6, 0]))))
    case 2, 3: .port(.output, output, .section(.mono(isOn)))
    case 4, 5: .port(.output, output, .section(.swap(isOn)))
    case 6: .port(.output, output, .section(.balance(move([-1, -0.5, 0, 0.25, 1]))))
    case 7: .port(.output, output, .inverted(inverted))
    case 8: .port(.output, output, .muted(isOn))
    case 9: .stream("show", stream, .inverted(inverted))
    case 10: .stream("show", stream, .width(move([0, 0.5, 1, 2])))
    case 11: .stream("show", stream, .pan(move([-1, 0, 0.5])))
    case 12: .port(.input, "line", .trim(move([-18, -6, 0, 12, 18])))
    case 13: .port(.input, "line", .inverted(inverted))
    case 14: .port(.input, "line", .width(move([0, 1, 1.5, 2])))
    case 15: .destination("show", stream, output, .pan(move([-1, -0.5, 0, 1])))
    default: .destination("show", stream, output, .gain(move([-20, -6, 0])))
    }
  }
}
