import Foundation
import TestKit
import Testing

/// A recording of several outputs on one clock.
struct Sound {
  static let rate = 48_000
  /// Frames from one measurement of a level to the next; each looks at two such steps under a Hann window, in which all sines
  /// have whole cycles.
  static let step = 480

  private let channels: [Output: [[Float]]]
  /// The places where the server itself may have broken the sound of an output.
  private let continuity: [Output: Continuity]

  init(_ channels: [Output: [[Float]]], continuity: [Output: Continuity]) {
    (self.channels, self.continuity) = (channels, continuity)
  }

  /// The recorded outputs, in order.
  private var outputs: [Output] { Output.allCases.filter { channels[$0] != nil } }

  /// The levels of a session's sine at a place in dB relative to its source, every hundredth of a second; silence is the
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

  /// Expects that nothing is louder than -60 dBFS outside 200 Hz about each sine, but for breaks that the server made.
  func expectNoClick(sourceLocation: SourceLocation = #_sourceLocation) {
    let clicks = clicks
    for fault in clicks.faults { Issue.record("\(fault)", sourceLocation: sourceLocation) }
    for stretch in clicks.excused {
      TestNotes.excuse("a click in frames \(stretch), where the server's time jumped")
    }
  }

  /// Clicks without an excuse, in words, and the stretches of the server's jumps in which a click is excused.
  var clicks: (faults: [String], excused: [Range<Int>]) {
    var (faults, excused): ([String], [Range<Int>]) = ([], [])
    for place in outputs {
      let continuity = continuity[place]
      for (index, samples) in (channels[place] ?? []).enumerated() {
        guard let click = Self.click(in: samples[...]) else { continue }
        // Each piece between the server's breaks is looked at by itself: a click in one has no excuse.
        let pieces = continuity?.pieces(of: samples.count) ?? []
        guard pieces.count > 1, pieces.allSatisfy({ Self.click(in: samples[$0]) == nil }) else {
          faults.append("a click of \(click.level) dBFS at \(place) \(index + 1), frame \(click.frame)")
          continue
        }
        for stretch in continuity?.stretches ?? [] where !excused.contains(stretch) {
          let surroundings = Self.surroundings(of: stretch, in: samples)
          if Self.click(in: samples[surroundings]) != nil { excused.append(stretch) }
        }
      }
    }
    return (faults, excused)
  }

  /// A stretch with the frames on both sides that the click detector needs.
  private static func surroundings(of stretch: Range<Int>, in samples: [Float]) -> Range<Int> {
    let room = 2 * rate / 10
    return (stretch.lowerBound - room..<stretch.upperBound + room).clamped(to: samples.indices)
  }

  /// dBFS.
  private static let clickLimit = -60.0

  /// The loudest sound that is not a sine, in dBFS, and its place; nil if that is not a click.
  private static func click(in samples: ArraySlice<Float>) -> (level: Double, frame: Int)? {
    guard !samples.allSatisfy({ $0 == 0 }) else { return nil }
    let sines = Rig.sines.values.map(Double.init)
    let click = SignalCheck.worstClick(Array(samples), besides: sines, sampleRate: rate)
    return click.level > clickLimit ? (click.level, samples.startIndex + click.frame) : nil
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

  /// dB relative to the source. A raised cosine is below this level for a fifth of its length.
  private static let audible = -20.0
}
