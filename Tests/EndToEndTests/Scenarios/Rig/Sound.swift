import Foundation
import TestKit
import Testing

/// What outputs heard for a while, sample by sample on one clock.
struct Sound {
  static let rate = 48_000
  /// Frames from one measurement of a level to the next; each looks at two such steps under a Hann window, in which all sines
  /// have whole cycles.
  static let step = 480

  private let channels: [Output: [[Float]]]

  init(_ channels: [Output: [[Float]]]) { self.channels = channels }

  /// What was listened to, in order.
  private var outputs: [Output] { Output.allCases.filter { channels[$0] != nil } }

  /// The levels of a session's sine at a place in dB relative to what is played, every hundredth of a second; silence is the
  /// level that counts as silent.
  func levels(_ id: String, at place: Output = .spk, channel: Int = 0) -> [Double] {
    let samples = channels[place]?[channel] ?? []
    guard !SignalCheck.isSilent(samples) else {
      return Array(repeating: Rig.silence - Rig.level, count: max(0, samples.count / Self.step - 1))
    }
    return Self.meters[id]?.amplitudes(in: samples).map {
      max(20 * log10(max($0, 1e-12)), Rig.silence) - Rig.level
    } ?? []
  }

  private static let meters = Rig.sines.mapValues { SineMeter(frequency: $0, rate: rate, step: step) }

  // MARK: Expectations

  /// Expects that a session is heard at one level all the time, without a gap; nil is silence.
  func expectSteady(
    _ id: String, at place: Output = .spk, _ level: Double?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let levels = levels(id, at: place)
    let isRight = levels.allSatisfy { Rig.matches($0, level) }
    let (lowest, highest) = (levels.min() ?? .nan, levels.max() ?? .nan)
    #expect(
      isRight && highest - lowest <= Self.steadiness && !levels.isEmpty,
      "\(id) at \(place): \(lowest)...\(highest) dB instead of \(level.map { "\($0) dB" } ?? "silence")",
      sourceLocation: sourceLocation)
  }

  /// Expects that every session is heard as it was at the beginning, and nothing clicks.
  func expectUnchanged(sourceLocation: SourceLocation = #_sourceLocation) {
    for place in outputs {
      for id in Rig.sines.keys.sorted() {
        let levels = levels(id, at: place)
        let (lowest, highest) = (levels.min() ?? .nan, levels.max() ?? .nan)
        #expect(
          highest - lowest <= Self.steadiness, "\(id) at \(place): \(lowest)...\(highest) dB",
          sourceLocation: sourceLocation)
      }
    }
    expectNoClick(sourceLocation: sourceLocation)
  }

  /// dB between the loudest and the softest hundredth of a second of an unbroken sine: six lost samples are more.
  private static let steadiness = 0.1

  /// Expects that nothing is louder than -60 dBFS outside 200 Hz about each sine.
  func expectNoClick(sourceLocation: SourceLocation = #_sourceLocation) {
    for (name, click) in clicks where click.level > Self.clickLimit {
      Issue.record(
        "a click of \(click.level) dBFS at \(name), frame \(click.frame)", sourceLocation: sourceLocation)
    }
  }

  /// dBFS.
  static let clickLimit = -60.0

  /// The loudest of what is no sine, by channel that anything was heard at: dBFS, and where.
  var clicks: [(name: String, click: (level: Double, frame: Int))] {
    outputs.flatMap { place in
      (channels[place] ?? []).enumerated().filter { !SignalCheck.isSilent($0.element) }.map {
        index, samples in
        let sines = Rig.sines.values.map(Double.init)
        return (
          "\(place) \(index + 1)", SignalCheck.worstClick(samples, besides: sines, sampleRate: Self.rate)
        )
      }
    }
  }

  /// Expects that a session goes from one level to another once, within `seconds`.
  func expectMove(
    _ id: String, at place: Output = .spk, from first: Double?, to last: Double?, within seconds: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let levels = levels(id, at: place)
    guard let begin = levels.first, let end = levels.last, Rig.matches(begin, first),
      Rig.matches(end, last)
    else {
      Issue.record(
        "\(id) goes from \(levels.first ?? .nan) to \(levels.last ?? .nan) dB instead of \(first ?? .nan) to \(last ?? .nan)",
        sourceLocation: sourceLocation)
      return
    }
    let start = levels.firstIndex { abs($0 - begin) > Self.steadiness } ?? 0
    let stop = levels.lastIndex { abs($0 - end) > Self.steadiness } ?? 0
    // The window hears a change up to two steps early.
    let length = Double(stop - start - 1) * Double(Self.step) / Double(Self.rate)
    #expect(
      length <= seconds * 1.1, "seconds from the first to the last change", sourceLocation: sourceLocation)
  }

  /// Expects that a session goes from one output to another with at most so many seconds in which it is heard at neither.
  func expectHandOver(
    _ id: String, from first: Output, to last: Output, within seconds: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isHeard = zip(levels(id, at: first), levels(id, at: last)).map { max($0, $1) > Self.audible }
    let gaps = isHeard.split(separator: true).map(\.count)
    let longest = Double(gaps.max() ?? 0) * Double(Self.step) / Double(Self.rate)
    #expect(
      isHeard.first == true && isHeard.last == true && longest <= seconds, "\(longest) s of silence",
      sourceLocation: sourceLocation)
  }

  /// dB relative to what is played; a raised cosine is softer than this for a fifth of its length.
  private static let audible = -20.0
}
