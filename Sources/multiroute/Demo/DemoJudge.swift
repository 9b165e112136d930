import Glibc

/// Listens to the simulated devices window by window: says what is heard as it changes, and what is not as it should be.
struct DemoJudge {
  private let stage: DemoStage
  /// Frame time at which the script began: when it was first listened to.
  private var start: Int?
  private var next = 0
  private var said = ""
  /// What the window before the present one showed: a change is said when a second window confirms it, since a click is
  /// not in every window.
  private var seen = ""
  /// What each device is heard to have, by sound; a sound that is silent itself changes nothing for a while.
  private var picture: [String: [Sound: String]] = [:]
  /// For how many windows each sound has been silent itself.
  private var pauses: [Sound: Int] = [:]
  private var losses = 0
  /// What was wrong, in the order it was heard.
  private(set) var faults: [String] = []
  /// Windows that were compared with what the script says.
  private(set) var judged = 0

  /// Frames of a window: half a beat of the shipped music, so that each second one holds a click.
  private static let window = 12_000
  private static let rate = 48_000.0
  /// Windows after which a sound that is silent itself is no longer said to be heard: longer than between two clicks.
  private static let longPause = 2
  /// Seconds after a step in which ramps, ducks and cables may still move.
  private static let settling = 1.0

  init(_ stage: DemoStage) { self.stage = stage }

  /// Seconds of audio since the script began.
  var time: Double { start.map { Double((stage.referenceEar.end ?? $0) - $0) / Self.rate } ?? 0 }

  /// Seconds of audio until now, whatever of it was already analysed.
  var now: Double {
    stage.listen()
    return time
  }

  /// Analyses the windows that are complete.
  /// - Parameters:
  ///   - steps: the script so far, each with the time it was really carried out.
  ///   - tell: says a line.
  mutating func listen(_ steps: [(time: Double, heard: DemoScript.Heard)], tell: (String) -> Void) {
    stage.listen()
    guard let end = stage.referenceEar.end else { return }
    if start == nil { (start, next) = (end, end) }
    while next + Self.window <= end {
      let sources = stage.referenceEar.samples(from: next, count: Self.window)
      if let sources, noteLosses() { judge(sources, steps, tell: tell) }
      next += Self.window
    }
  }

  /// Whether the server kept time in this window; a machine that stutters proves nothing about the router.
  private mutating func noteLosses() -> Bool {
    let now = stage.referenceEar.losses + stage.ears.values.reduce(0) { $0 + $1.losses }
    defer { losses = now }
    return now == losses
  }

  private mutating func judge(
    _ samples: [[Float]], _ steps: [(time: Double, heard: DemoScript.Heard)], tell: (String) -> Void
  ) {
    let begin = Double(next - (start ?? 0)) / Self.rate
    let sources = Dictionary(uniqueKeysWithValues: zip(Sound.allCases, samples))
    forgetPauses(in: sources)
    let step = steps.last { $0.time <= begin }
    let end = begin + Double(Self.window) / Self.rate
    guard let step, !steps.contains(where: { $0.time > begin - Self.settling && $0.time < end + 0.1 }) else {
      return
    }
    for device in DemoStage.devices {
      guard let ear = stage.ears[device.id] else {
        picture[device.id] = nil
        continue
      }
      guard let channels = ear.samples(from: next, count: Self.window) else { return }
      let heard = channels.map { Hearing($0, sources: sources) }
      note(heard, at: device.id)
      if let expected = step.heard[device.id] {
        compare(heard, with: expected, at: device.name, seconds: begin)
      }
    }
    judged += 1
    let text = DemoStage.devices.map { "    \($0.name): \(summary(of: $0))" }.joined(separator: "\n")
    defer { seen = text }
    if text != said, text == seen {
      tell("  heard at \(Self.seconds(begin)):\n\(text)")
      said = text
    }
  }

  /// Takes sounds out of the picture that nobody has played for a while.
  private mutating func forgetPauses(in sources: [Sound: [Float]]) {
    for (sound, samples) in sources {
      let isSilent = samples.allSatisfy { abs($0) < 1e-4 }
      pauses[sound] = isSilent ? pauses[sound, default: 0] + 1 : 0
      guard pauses[sound, default: 0] >= Self.longPause else { continue }
      for device in picture.keys { picture[device]?[sound] = nil }
    }
  }

  /// Updates the picture of a device by the sounds that can be told in this window.
  private mutating func note(_ heard: [Hearing], at device: String) {
    for sound in Sound.allCases {
      let levels = heard.map { $0.level(of: sound) }
      guard levels.contains(where: { $0 != nil }) else { continue }
      let present = levels.enumerated().compactMap { index, level in
        level.flatMap { $0 > -80 ? (index + 1, $0) : nil }
      }
      let channels = present.map { "\($0.0)" }.joined(separator: "+")
      picture[device, default: [:]][sound] = present.first.map {
        "\(sound.name) \(Self.decibels($0.1)) on \(channels)"
      }
    }
  }

  private func summary(of device: DemoStage.Device) -> String {
    guard stage.ears[device.id] != nil else { return "unplugged" }
    let parts = Sound.allCases.compactMap { picture[device.id]?[$0] }
    return parts.isEmpty ? "silence" : parts.joined(separator: ", ")
  }

  /// Compares what is heard with the script.
  private mutating func compare(
    _ heard: [Hearing], with expected: [[Sound: Double]], at device: String, seconds: Double
  ) {
    for (index, hearing) in heard.enumerated() {
      let wanted = expected.indices.contains(index) ? expected[index] : [:]
      for sound in Sound.allCases {
        guard let level = hearing.level(of: sound) else { continue }
        let isRight = wanted[sound].map { abs(level - $0) < 0.1 } ?? (level < -80)
        if !isRight {
          let should = wanted[sound].map { "\(Self.decibels($0))" } ?? "not at all"
          faults.append(
            "\(Self.seconds(seconds)): \(device) \(index + 1) has the \(sound.name) at \(Self.decibels(level)), should be \(should)"
          )
        }
      }
      if hearing.peak > 1e-4, hearing.rest > -60 {
        faults.append(
          "\(Self.seconds(seconds)): \(device) \(index + 1) has something that nobody plays, or lost samples")
      }
    }
  }

  private static func decibels(_ level: Double) -> String {
    guard level > -150 else { return "silence" }
    let tenths = Int((level * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10) dB"
  }

  private static func seconds(_ time: Double) -> String {
    let tenths = Int((time * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
