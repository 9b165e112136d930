import Foundation
import OSC
import TestKit
import Testing

/// What is heard at the devices.
extension Rig {
  /// At or below this a sine is silent, in dBFS.
  static let silence = -80.0
  /// How far a level may be from what is expected, in dB.
  static let tolerance = 0.5

  /// The attenuation of a duck in dB: D of the scenarios.
  func duck() throws -> Double { try number("/duck/level") }

  /// Frames after which every ramp and every duck of the router's defaults is over.
  private static let settling = 60_000

  /// Expects that exactly these sessions are heard, at these levels in dB relative to what their programs play.
  func expectHeard(
    spk: [String: Double] = [:], ear: [String: Double] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try surface.sync()
    var wrong: [String] = []
    // In freewheel every ramp is waited for; in real time the last one may still run for a while.
    for _ in 0..<(pace == .freewheel ? 3 : 12) {
      try frames(pace == .freewheel ? Self.settling : 4_800)
      wrong = try differences(spk: spk, ear: ear)
      if wrong.isEmpty { return }
    }
    Issue.record("\(wrong.joined(separator: "; "))", sourceLocation: sourceLocation)
  }

  /// What is heard otherwise than expected.
  private func differences(spk: [String: Double], ear: [String: Double]) throws -> [String] {
    let heard = try levels()
    var wrong: [String] = []
    for (channel, expected) in [("spk left", spk), ("spk right", spk), ("ear", ear)] {
      for (id, level) in heard[channel] ?? [:] where !Self.matches(level, expected[id]) {
        let wanted = expected[id].map { "\($0) dB" } ?? "silence"
        wrong.append("\(channel): \(id) is heard at \(level) dB instead of \(wanted)")
      }
    }
    return wrong.sorted()
  }

  /// Whether a level relative to what is played is as expected; nil is silence.
  static func matches(_ level: Double, _ expected: Double?) -> Bool {
    guard let expected else { return level + Self.level <= silence }
    return abs(level - expected) <= tolerance
  }

  /// The levels of all sines in dB relative to what is played, over a tenth of a second at all devices together.
  private func levels() throws -> [String: [String: Double]] {
    let ids = Self.sines.keys.sorted()
    let frequencies = ids.map { "\(Self.sines[$0] ?? 0)" }.joined(separator: ",")
    let rows = try stage.do("tones 0.1 \(frequencies) spk ear").split(separator: " ").map { row in
      zip(ids, row.split(separator: ",").map { (Double($0) ?? .nan) - Self.level })
    }
    return Dictionary(
      uniqueKeysWithValues: zip(
        ["spk left", "spk right", "ear"], rows.map { Dictionary(uniqueKeysWithValues: $0) }))
  }

  /// What is heard while something is done, and until the ramps that it starts are over.
  ///
  /// - Parameter tail: frames to listen for behind it; nil is until every ramp is over.
  func listen(tail: Int? = nil, while body: () throws -> Void) throws -> Sound {
    // What was done before must not be heard as a change.
    try surface.sync()
    try frames(pace == .freewheel ? Self.settling : 9_600)
    let recorder = DeviceRecorder(stage: stage, folder: folder)
    let heard = try recorder.hear(["spk", "ear"], allowingJumps: pace == .realTime) {
      try frames(9_600)
      try body()
      try surface.sync()
      try frames(tail ?? Self.settling)
    }
    return Sound([.spk: heard[0], .ear: heard[1]])
  }

  /// The gain of session `a`'s program at the speaker, frame by frame, while something is done. It plays a counter then.
  func trace(tail: Int = 60_000, while body: () throws -> Void) throws -> GainTrace {
    try program("a", plays: "ramp")
    try hearDirectly("a")
    // Past the first samples of the counter, which are too close to silence to tell a gain.
    try frames(4_800)
    let recorder = DeviceRecorder(stage: stage, folder: folder)
    let heard = try recorder.hear(["spk", "Recorder"], allowingJumps: pace == .realTime) {
      try frames(4_800)
      try body()
      try surface.sync()
      try frames(tail)
    }
    return GainTrace(heard[0][0], of: heard[1][0])
  }

  /// Cables a program to the recorder, past the router, until the end of the scenario.
  func hearDirectly(_ id: String) throws {
    let (source, sink) = ("App-\(id):out_1", "Recorder:in_1")
    guard try !stage.names("connections \(source)").contains(sink) else { return }
    afterwards { [unowned self] in try stage.do("disconnect \(source) \(sink)") }
    try stage.do("connect \(source) \(sink)")
    try stage.do("await-connection \(source) \(sink)")
  }
}
