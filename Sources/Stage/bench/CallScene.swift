import Glibc
import StageKit

/// Everything around the cancellers of calls: the far ends, a room with a loudspeaker and a microphone that hears it, and the programs
/// that receive the calls.
///
/// It is a child process, because a process can be a client of one kind of JACK server only, and PipeWire has a libjack of its own.
enum CallScene {
  /// The flag that makes this program such a scene.
  static let flag = "--call"
  static let (room, far, line) = ("Room", "Far", "Line")

  /// What the calls should be like before the scene counts as ready.
  enum Expectation: String {
    /// The echo is lower than in the microphone.
    case cancelled
    /// The calls get the microphone as it is.
    case plain
  }

  /// Runs the scene until the process gets a signal to end, or standard input closes; returns the exit code. Prints a line when all calls are as
  /// they should be.
  ///
  /// - Parameter words: server, frames of its period, number of calls, what to expect, and pairs of ports to connect.
  static func work(_ words: [String]) -> Int32 {
    guard words.count >= 4, let period = Int(words[1]), let calls = Int(words[2]),
      let expectation = Expectation(rawValue: words[3])
    else { return 70 }
    do {
      let stage = try Stage(server: words[0])
      guard stage.period == period else {
        throw BenchError("the server has a period of \(stage.period) frames instead of \(period)")
      }
      try build(stage, calls: calls)
      for index in stride(from: 4, to: words.count - 1, by: 2) {
        try stage.awaitPort(words[index])
        try stage.awaitPort(words[index + 1])
        try stage.connect(words[index], words[index + 1])
      }
      for call in 1...calls { try awaitCall(call, of: calls, expectation, stage) }
      tell("\(BareClient.ready)0")
      var byte: UInt8 = 0
      while read(STDIN_FILENO, &byte, 1) == 1 {}
      return withExtendedLifetime(stage) { 0 }
    } catch {
      tell("\(error)")
      return 70
    }
  }

  private static func build(_ stage: Stage, calls: Int) throws(StageError) {
    try stage.addDevice(
      room, playback: 1, capture: [.loop(CallSounds.near)], captureLatency: 200, playbackLatency: 200)
    try stage.makeRoom(microphones: room, loudspeakers: room, delay: 512, gain: -6)
    // All say the same, so that a canceller that knows only one of them can cancel all.
    try stage.addSource(far, signals: Array(repeating: .loop(CallSounds.far), count: calls))
    // The last channel hears the microphone itself.
    try stage.addDevice(line, playback: calls + 1)
    try stage.connect("\(room):capture_1", "\(line):playback_\(calls + 1)")
  }

  /// Waits until a call is as it should be.
  private static func awaitCall(
    _ call: Int, of calls: Int, _ expectation: Expectation, _ stage: Stage
  ) throws {
    // All sounds repeat each second, so that each second has the same level.
    func level(_ channel: Int) throws -> Double {
      SignalLevel(try stage.hear(line, channel: channel, frames: 48_000)).rms
    }
    var (heard, microphone) = (0.0, 0.0)
    for _ in 0..<10 {
      (heard, microphone) = (try level(call), try level(calls + 1))
      let isRight =
        switch expectation {
        case .cancelled: heard < microphone - 10
        case .plain: abs(heard - microphone) < 3
        }
      if isRight, microphone > -50 { return }
    }
    throw BenchError(
      "call \(call) is not \(expectation.rawValue): \(heard.text) dBFS, the microphone \(microphone.text) dBFS"
    )
  }
}
