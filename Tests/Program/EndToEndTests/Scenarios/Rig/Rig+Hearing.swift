import Foundation
import OSC
import TestKit
import Testing

/// Expectations about the sound at the devices.
extension Rig {
  /// The greatest level at which a sine counts as silent, in dBFS.
  static let silence = -80.0
  /// The greatest deviation of a level, in dB.
  static let tolerance = 0.5

  /// The attenuation of a duck in dB: D of the scenarios.
  func duck() throws -> Double { try number("/duck/level") }

  /// Frames after which every ramp and duck with the router's default lengths has ended.
  private static let settling = 60_000

  /// Expects that exactly these sessions are heard, at these levels in dB relative to their programs.
  ///
  /// - Parameters:
  ///   - outputs: by output, on its first two channels or its only one; the others are silent.
  ///   - channels: by channel.
  ///   - spk: at the speaker; `ear`: at the receiver.
  func expectHeard(
    _ outputs: [Output: [String: Double]] = [:], channels: [OutputChannel: [String: Double]] = [:],
    spk: [String: Double] = [:], ear: [String: Double] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var expected = channels
    for (output, sessions) in outputs.merging([.spk: spk, .ear: ear], uniquingKeysWith: { $1 }) {
      for number in 1...min(2, output.channels) where !sessions.isEmpty {
        expected[OutputChannel(output, number)] = sessions
      }
    }
    try surface.sync()
    var wrong: [String] = []
    // In freewheel every ramp is waited for; in real time the last one may still run for a while.
    for _ in 0..<(pace == .freewheel ? 3 : 12) {
      try frames(pace == .freewheel ? Self.settling : 4_800)
      wrong = Self.differences(try levels(), expected)
      if wrong.isEmpty { return }
    }
    let causes = Self.sines.keys.sorted().compactMap { id in
      (try? text("/session/\(id)/causes")).map { "\(id): \($0)" }
    }
    Issue.record("\((wrong + causes).joined(separator: "; "))", sourceLocation: sourceLocation)
  }

  /// The differences from the expected levels, and outputs that were not recorded.
  private static func differences(
    _ heard: [OutputChannel: [String: Double]], _ expected: [OutputChannel: [String: Double]]
  ) -> [String] {
    var wrong = expected.keys.filter { heard[$0] == nil }.map { "\($0) is not plugged in" }
    for (channel, levels) in heard {
      for (id, level) in levels where !matches(level, expected[channel]?[id]) {
        let wanted = expected[channel]?[id].map { "\($0) dB" } ?? "silence"
        wrong.append("\(channel): \(id) is heard at \(level) dB instead of \(wanted)")
      }
    }
    return wrong.sorted()
  }

  /// Whether a level relative to the source is as expected; nil is silence.
  static func matches(_ level: Double, _ expected: Double?) -> Bool {
    guard let expected else { return level + Self.level <= silence }
    return abs(level - expected) <= tolerance
  }

  /// The levels of all sines in dB relative to their sources, over a tenth of a second, at all devices at the same time.
  private func levels() throws -> [OutputChannel: [String: Double]] {
    let ears = ears()
    let channels = ears.flatMap(\.outputs).flatMap { output in
      (1...output.channels).map { OutputChannel(output, $0) }
    }
    return Dictionary(uniqueKeysWithValues: zip(channels, try tones(ears.map(\.client))))
  }

  /// The levels of all sines in dB relative to their sources, for each channel of some clients.
  private func tones(_ clients: [String]) throws -> [[String: Double]] {
    let ids = Self.sines.keys.sorted()
    let frequencies = ids.map { "\(Self.sines[$0] ?? 0)" }.joined(separator: ",")
    let rows = try stage.do("tones 0.1 \(frequencies) \(clients.joined(separator: " "))")
    return rows.split(separator: " ").map { row in
      let levels = row.split(separator: ",").map { (Double($0) ?? .nan) - Self.level }
      return Dictionary(uniqueKeysWithValues: zip(ids, levels))
    }
  }

  /// Expects that what a session captures is the sine of this input alone; nil is silence. From the first look on it is recorded.
  func expectCaptured(
    _ id: String, _ sine: String?, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    if try text("/session/\(id)/capture/to") != "Tape:in_*" {
      try surface.send("/session/\(id)/capture/to", "Tape:in_*")
      try stage.do("await-connection \(router.clientName):\(id).capture_1 Tape:in_1")
    }
    try surface.sync()
    var heard: [String: Double] = [:]
    let end = ContinuousClock.now + .seconds(2)
    // Another data source is connected when the gate has closed, which takes its time in freewheel, too.
    while ContinuousClock.now < end {
      try frames(4_800)
      heard = try tones(["Tape"])[0].filter { !Self.matches($0.value, nil) }
      // The channels of an input are summed into one at equal power, and only the first of four has the sine.
      if heard.keys.sorted() == [sine].compactMap({ $0 }), heard.values.allSatisfy({ $0 >= -6.5 }) { return }
    }
    Issue.record("\(id) captures \(heard) instead of \(sine ?? "silence")", sourceLocation: sourceLocation)
  }

  /// Records the outputs while `body` runs, and until the ramps that it starts have ended.
  ///
  /// - Parameters:
  ///   - tail: frames to record after `body`; nil records until every ramp has ended.
  ///   - outputs: the outputs to record; nil records all that are plugged in.
  func listen(tail: Int? = nil, at outputs: [Output]? = nil, while body: () throws -> Void) throws -> Sound {
    // Ramps of earlier commands must not count as changes.
    try surface.sync()
    try frames(pace == .freewheel ? Self.settling : 9_600)
    let ears = ears(at: outputs)
    let recorder = DeviceRecorder(stage: stage, folder: folder)
    let heard = try recorder.hear(ears.map(\.client), clock: clock) {
      try frames(9_600)
      try body()
      try surface.sync()
      try frames(tail ?? Self.settling)
    }
    var sound: [Output: [[Float]]] = [:]
    for (ear, device) in zip(ears, heard) {
      var channels = device.channels
      for output in ear.outputs {
        sound[output] = Array(channels.prefix(output.channels))
        channels.removeFirst(output.channels)
      }
    }
    let continuity = Dictionary(
      uniqueKeysWithValues: zip(ears, heard).flatMap { ear, device in
        ear.outputs.map { ($0, device.continuity) }
      })
    return Sound(sound.filter { outputs?.contains($0.key) ?? true }, continuity: continuity)
  }

  /// The meaning of a jump of the server's clock in a recording.
  var clock: DeviceRecorder.Clock { pace == .freewheel ? .freewheel : .realTime }

  /// The gain of session `a`'s program at the speaker, frame by frame, while `body` runs. The program plays a counter then.
  func trace(tail: Int = 60_000, while body: () throws -> Void) throws -> GainTrace {
    try program("a", plays: "ramp")
    try hearDirectly("a")
    // Past the first samples of the counter, which are too close to silence to tell a gain.
    try frames(4_800)
    let recorder = DeviceRecorder(stage: stage, folder: folder)
    let heard = try recorder.hear(["spk", "Tape"], clock: clock) {
      try frames(4_800)
      try body()
      try surface.sync()
      try frames(tail)
    }
    return GainTrace(heard[0][0], of: heard[1][0])
  }

  /// Connects a program to the recorder, past the router, until the end of the scenario.
  func hearDirectly(_ id: String) throws {
    let (source, sink) = ("App-\(id):out_1", "Tape:in_1")
    guard try !stage.names("connections \(source)").contains(sink) else { return }
    afterwards { [unowned self] in try stage.do("disconnect \(source) \(sink)") }
    try stage.do("connect \(source) \(sink)")
    try stage.do("await-connection \(source) \(sink)")
  }
}
