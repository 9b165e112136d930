import TestKit
import Testing

extension StageProcess {
  /// Asks the router until the answer is right, for at most so many periods, and returns the last answer. The router sends no event about
  /// cables of other programs, so it is asked after each period.
  func ask<Answer>(
    _ question: () throws -> Answer, periods: Int = 600, until isRight: (Answer) -> Bool
  ) throws -> Answer {
    var answer = try question()
    for _ in 0..<periods where !isRight(answer) {
      try self.do("frames 1024")
      answer = try question()
    }
    return answer
  }

  /// Expects the connections of a port behind the end of a router, whose ports a server removes a moment later.
  func expectLeft(_ expected: [String], at port: String, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let left = try ask({ try names("connections \(port)") }) { $0 == expected }
    #expect(left == expected, sourceLocation: sourceLocation)
  }

  /// The levels of a tone in dBFS, for each channel of each device.
  func tones(_ frequency: Int, at devices: [String]) throws -> [[Double]] {
    try devices.map { device in
      try self.do("tones 0.2 \(frequency) \"\(device)\"").split(separator: " ").compactMap { Double($0) }
    }
  }

  /// Waits until 20 ms of a channel have a tone at its level, within 0.1 dB.
  func awaitTone(_ frequency: Int, _ level: Double, at device: String, _ channel: Int) throws {
    try self.do("wait-tone \"\(device)\" \(channel) \(frequency) \(level)")
  }
}
