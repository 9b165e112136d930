import Maths
import Numbers

/// Analyses the sound at the simulated devices in windows of half a second, one every quarter of a second. It prints each change, and collects what differs from the script.
struct DemoJudge {
  private let stage: DemoStage
  private var files: PlayedFiles
  /// The number of steps after which the files were sought.
  private var begun = 0
  /// Frame time at which the script began, which is the time of the first analysis.
  private var start: Int?
  private var next = 0
  private var said = ""
  /// The summary of the previous window. A change is printed only if a second window confirms it: speech has pauses.
  private var seen = ""
  /// What each device receives, by sound. A pause in a sound leaves its entry for `longPause` windows.
  private var picture: [String: [Sound: String]] = [:]
  /// The number of windows for which each source has been silent.
  private var pauses: [Sound: Int] = [:]
  private var losses = 0
  /// Differences from the script, in the order of time.
  private(set) var faults: [String] = []
  /// The number of windows that were compared with the script, by the number of the step.
  private var judgedOfStep: [Int: Int] = [:]
  /// The sounds that were not in a pause in these windows.
  private var playedInStep: [Int: Set<Sound>] = [:]
  /// The steps of which two windows in a row gave the same picture, with every sound that the step expects.
  private var shownSteps: Set<Int> = []

  /// Frames of a window: a whole beat of the shipped music, so that every window contains a click.
  private static let window = 24_000
  /// Frames from one window to the next.
  private static let hop = 12_000
  private static let rate = 48_000.0
  /// Windows after which a silent source is no longer listed. This is longer than the pauses of the announcement.
  private static let longPause = 2
  /// Windows that must be compared after each step, so that the demonstration proves something.
  static let neededWindows = 3

  /// - Parameter files: the sounds of the router's players.
  init(_ stage: DemoStage, _ files: PlayedFiles) { (self.stage, self.files) = (stage, files) }

  /// The number of windows that were compared with the script.
  var judged: Int { judgedOfStep.values.reduce(0, +) }

  /// The number of windows that were compared with a step of the script, which counts from 0.
  func judged(ofStep step: Int) -> Int { judgedOfStep[step] ?? 0 }

  /// Whether a step of the script, which counts from 0, was compared with enough windows, and shown with every sound that it expects: speech has
  /// pauses.
  func isProven(_ number: Int) -> Bool {
    judged(ofStep: number) >= Self.neededWindows && shownSteps.contains(number)
  }

  private func isComplete(_ number: Int, _ step: DemoScript.Step) -> Bool {
    let expected = step.heard.values.reduce(into: Set<Sound>()) { $0.formUnion($1.flatMap(\.keys)) }
    return expected.isSubset(of: playedInStep[number] ?? [])
  }

  /// Seconds of audio since the script began.
  var time: Double { start.map { Double((stage.referenceEar.end ?? $0) - $0) / Self.rate } ?? 0 }

  /// Seconds of audio until now, including audio that is not analysed yet.
  var now: Double {
    stage.listen()
    return time
  }

  /// Analyses all complete windows.
  /// - Parameters:
  ///   - steps: the steps that were performed, with the times at which that happened.
  ///   - tell: prints a line.
  mutating func listen(_ steps: [(time: Double, step: DemoScript.Step)], tell: (String) -> Void) {
    stage.listen()
    guard let end = stage.referenceEar.end else { return }
    if start == nil { (start, next) = (end, end) }
    while next + Self.window <= end {
      let program = stage.referenceEar.samples(from: next, count: Self.window)
      if !noteLosses() {
        // The server counts frames that nobody has played.
        files.noteLoss()
      } else if let voice = program?.first {
        judge(voice, steps, tell: tell)
      }
      next += Self.hop
    }
  }

  /// Whether no frames were lost in this window. A window with losses caused by the machine says nothing about the router.
  private mutating func noteLosses() -> Bool {
    let now = stage.referenceEar.losses + stage.ears.values.reduce(0) { $0 + $1.losses }
    defer { losses = now }
    return now == losses
  }

  private mutating func judge(
    _ voice: [Float], _ steps: [(time: Double, step: DemoScript.Step)], tell: (String) -> Void
  ) {
    for done in steps.dropFirst(begun) { files.forget(done.step.begins) }
    begun = steps.count
    let begin = Double(next - (start ?? 0)) / Self.rate
    let index = steps.lastIndex { $0.time <= begin }
    let end = begin + Double(Self.window) / Self.rate
    guard let index, !steps.contains(where: { $0.time > begin - $0.step.settling && $0.time < end + 0.1 })
    else { return }
    var channels: [String: [[Float]]] = [:]
    for (device, ear) in stage.ears {
      guard let samples = ear.samples(from: next, count: Self.window) else { return }
      channels[device] = samples
    }
    seek(in: channels, of: steps[index].step.heard, voice, seconds: begin)
    let sources = self.sources(voice)
    forgetPauses(in: sources)
    for device in DemoStage.devices {
      guard let samples = channels[device.id] else {
        picture[device.id] = nil
        continue
      }
      let heard = samples.map { Hearing($0, sources: sources) }
      note(heard, at: device.id)
      if let expected = steps[index].step.heard[device.id] {
        compare(heard, with: expected, at: device.name, seconds: begin)
      }
    }
    judgedOfStep[index, default: 0] += 1
    playedInStep[index, default: []].formUnion(sources.filter { !Self.isPause($0.value) }.map(\.key))
    let text = DemoStage.devices.map { "    \($0.name): \(summary(of: $0))" }.joined(separator: "\n")
    defer { seen = text }
    guard text == seen, isComplete(index, steps[index].step) else { return }
    shownSteps.insert(index)
    if text != said {
      tell("  heard at \(Self.seconds(begin)):\n\(text)")
      said = text
    }
  }

  /// The samples of every source in this window.
  private func sources(_ voice: [Float]) -> [Sound: [Float]] {
    Dictionary(
      uniqueKeysWithValues: Sound.allCases.map { sound in
        (sound, sound.file == nil ? voice : files.samples(of: sound, from: next, count: Self.window))
      })
  }

  /// Finds when the files began of which that is not known, where the script says that they are heard.
  private mutating func seek(
    in channels: [String: [[Float]]], of heard: DemoScript.Heard, _ voice: [Float], seconds: Double
  ) {
    for sound in Sound.allCases where sound.leader == sound && sound.file != nil && !files.knows(sound) {
      let place = channels.lazy.flatMap { device, samples in
        samples.enumerated().map { (samples: $0.element, expected: heard[device]?[$0.offset] ?? [:]) }
      }.first { $0.expected[sound] != nil }
      guard let place, let level = place.expected[sound] else { continue }
      var rest = place.samples
      let sources = self.sources(voice)
      for (other, level) in place.expected where other != sound {
        let gain = Float(pow(10, level / 20))
        for (index, sample) in sources[other, default: []].enumerated() { rest[index] -= gain * sample }
      }
      let gain = Float(pow(10, level / 20))
      if !files.locate(sound, in: rest.map { $0 / gain }, at: next) {
        faults.append("\(Self.seconds(seconds)): the \(sound.name) is not heard as it is in its file")
      }
    }
  }

  /// Removes sounds from the picture whose sources have been silent for `longPause` windows.
  private mutating func forgetPauses(in sources: [Sound: [Float]]) {
    for (sound, samples) in sources {
      pauses[sound] = Self.isPause(samples) ? pauses[sound, default: 0] + 1 : 0
      guard pauses[sound, default: 0] >= Self.longPause else { continue }
      for device in picture.keys { picture[device]?[sound] = nil }
    }
  }

  private static func isPause(_ samples: [Float]) -> Bool { samples.allSatisfy { abs($0) < 1e-4 } }

  /// Updates the picture of a device with the sounds that this window contains.
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

  /// Compares a device's sound with the script.
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
          "\(Self.seconds(seconds)): \(device) \(index + 1) has a sound that nothing plays, or has lost samples"
        )
      }
    }
  }

  private static func decibels(_ level: Double) -> String {
    level > -150 ? "\(level.text(.exactly(1))) dB" : "silence"
  }

  private static func seconds(_ time: Double) -> String { "\(time.text(.exactly(1))) s" }
}
