/// Notices that the whole router stood still: its policy thread came late although it had not worked. It has no clock of its own.
struct StandstillWatch {
  /// When the next look is due, and the processor time of the thread at the last one.
  private var expected: (time: Double, processor: Double)?
  /// The last standstill, and when it ended.
  private var last: (length: Double, end: Double) = (0, -.infinity)

  /// Notes a look of the policy thread.
  /// - Parameters:
  ///   - time: the present time in seconds.
  ///   - processor: seconds that the thread has run on a processor so far.
  mutating func look(at time: Double, processor: Double) {
    guard let expected else { return }
    let length = time - expected.time - (processor - expected.processor)
    if length > Self.least, length >= self.length(at: time) { last = (length, time) }
  }

  /// Notes when the next look is due.
  mutating func expect(at time: Double, processor: Double) { expected = (time, processor) }

  /// The length in seconds of a standstill that ended within the last second; 0 if there was none.
  func length(at time: Double) -> Double { time - last.end < Self.memory ? last.length : 0 }

  private static let (least, memory) = (0.01, 1.0)
}
