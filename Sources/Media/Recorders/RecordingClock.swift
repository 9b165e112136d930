import SystemCalls

/// The time of day of frames. All recordings of a writer take it from one moment, so that their time stamps fit to the sample.
struct RecordingClock {
  private var anchor: (frame: Int, seconds: Double)?

  /// Seconds by which the clocks of sound and day may differ before the moment is taken anew: after a restart of the server, or after hours.
  private static let tolerance = 0.5

  /// Seconds since 1970 of a frame in the plan's count.
  ///
  /// - Parameters:
  ///   - age: seconds since the frame was heard, as far as this thread knows.
  ///   - rate: frames per second.
  mutating func seconds(of frame: Int, age: Double, rate: Int) -> Double {
    let measured = System.realtime() - age
    if let anchor {
      let counted = anchor.seconds + Double(frame - anchor.frame) / Double(rate)
      if abs(counted - measured) < Self.tolerance { return counted }
    }
    anchor = (frame, measured)
    return measured
  }
}
