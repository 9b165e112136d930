public import StageKit

/// The stage's report at the end of a recording.
public struct RecordingReport: Sendable {
  /// Thrown for a recording that lacks frames which the device received.
  public struct Incomplete: Error, CustomStringConvertible {
    public var description: String
  }

  /// The server's frame time of the first frame.
  public let start: Int
  /// The jumps of the server's frame time, in order.
  public let jumps: [ClockJump]

  /// - Parameter answer: the answer of the stage's command `stop-record`.
  /// - Throws: `Incomplete` if the recording dropped frames, or if there were more jumps than the stage
  ///   keeps.
  init(_ answer: String) throws(Incomplete) {
    func value(_ name: String) -> Substring {
      answer.split(separator: " ").first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1) ?? ""
    }
    start = Int(value("start")) ?? 0
    jumps = value("at").split(separator: ",").compactMap { jump in
      let numbers = jump.split(separator: ":").compactMap { Int($0) }
      return numbers.count == 2 ? ClockJump(frame: numbers[0], missing: numbers[1]) : nil
    }
    guard value("dropped") == "0", value("jumps") == "\(jumps.count)" else {
      throw Incomplete(description: "a recording lacks frames: \(answer)")
    }
  }

  /// The frame of the recording at a frame time of the server; the first frame after that time if the server
  /// left it out.
  public func frame(at time: Int) -> Int {
    var frame = time - start
    for jump in jumps where jump.frame <= frame { frame = max(jump.frame, frame - jump.missing) }
    return frame
  }
}

extension StageProcess {
  /// Ends a recording.
  ///
  /// - Throws: `Failure`, `RecordingReport.Incomplete`.
  public func stopRecording(_ device: String) throws -> RecordingReport {
    try RecordingReport(self.do("stop-record \"\(device)\""))
  }
}
