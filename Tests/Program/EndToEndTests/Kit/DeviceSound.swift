import StageKit
import TestKit
import Testing

/// The sound of one device in one recording. Channels count from 0.
struct DeviceSound: RandomAccessCollection {
  /// The name of the device or other client that was recorded.
  let name: String
  let channels: [[Float]]
  /// The places where the server itself may have broken the sound.
  let continuity: Continuity
  /// The same with the frames before and behind that are not judged.
  private let recorded: (channels: [[Float]], continuity: Continuity)
  /// The frames of the recording that are judged.
  private let judged: Range<Int>

  /// - Parameters:
  ///   - margin: the frames at either end of the recording that are not judged.
  ///   - jumps: of the server's frame time, by frames of the recording.
  init(name: String, recorded: [[Float]], margin: Int, jumps: [ClockJump], period: Int) {
    self.name = name
    self.recorded = (recorded, Continuity(jumps: jumps, period: period))
    judged = margin..<Swift.max(margin, (recorded.first?.count ?? 0) - margin)
    channels = recorded.map { Array($0.dropFirst(margin).dropLast(margin)) }
    continuity = Continuity(
      jumps: jumps.map { ClockJump(frame: $0.frame - margin, missing: $0.missing) }, period: period)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { channels.count }
  subscript(channel: Int) -> [Float] { channels[channel] }

  // MARK: Expectations

  /// Expects that a channel equals another bit for bit, except for breaks that the server made.
  ///
  /// - Parameter reference: a channel that hears the same program past the router.
  func expectSame(
    _ channel: Int, as reference: Int, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (heard, played) = (recorded.channels[channel], recorded.channels[reference])
    let verdict = recorded.continuity.compare(heard, with: played, in: judged)
    guard let fault = verdict.fault else {
      return excuse(verdict.excused, "other samples in channel \(channel + 1)")
    }
    let frames = fault..<Swift.min(fault + 4, heard.count, played.count)
    Issue.record(
      "\(comment.map { "\($0): " } ?? "")from frame \(fault - judged.lowerBound) on channel \(channel + 1) is \(heard[frames]), and not \(played[frames])",
      sourceLocation: sourceLocation)
  }

  /// Expects that a channel that counts frames leaves out no frame, except for breaks that the server made.
  func expectUnbrokenRamp(_ channel: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    let verdict = continuity.breaks(inRamp: channels[channel])
    #expect(verdict.fault == nil, "first frame that is out of order", sourceLocation: sourceLocation)
    if verdict.fault == nil { excuse(verdict.excused, "frames out of order in channel \(channel + 1)") }
  }

  /// Expects that a channel plays a sound that counts frames (`CountedSound`) once and whole, except for breaks that the server made.
  func expectCounted(
    _ counts: Range<Int>, in channel: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let heard = channels[channel].map { Int(($0 * 8_388_608).rounded()) }
    let end = heard.lastIndex { $0 != 0 } ?? -1
    var (last, excused): (Int, [Range<Int>]) = (counts.lowerBound - 1, [])
    for frame in heard.indices where heard[frame] != 0 || last >= counts.lowerBound && frame < end {
      if heard[frame] != last + 1 {
        let stretch = continuity.stretches.first { $0.contains(frame) }
        #expect(
          stretch != nil, "frame \(frame): \(heard[frame]) after \(last)", sourceLocation: sourceLocation)
        guard let stretch else { return }
        if excused.last != stretch { excused.append(stretch) }
      }
      last = heard[frame]
    }
    #expect(last == counts.upperBound - 1, sourceLocation: sourceLocation)
    excuse(excused, "other counts in channel \(channel + 1)")
  }

  /// The gain of a channel against another one, without breaks that the server made while the gain stood still.
  func gain(of channel: Int, against reference: Int) -> GainTrace {
    let (trace, excused) = recorded.continuity.mended(
      GainTrace(recorded.channels[channel], of: recorded.channels[reference]))
    excuse(excused.filter(judged.overlaps), "another gain in channel \(channel + 1)")
    return GainTrace(gains: Array(trace.gains[judged]))
  }

  private func excuse(_ stretches: [Range<Int>], _ what: String) {
    for stretch in stretches {
      TestNotes.excuse("\(what) of \(name), frames \(stretch), where the server's time jumped")
    }
  }
}
