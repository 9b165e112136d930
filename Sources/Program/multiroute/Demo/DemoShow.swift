import Commands
import JackServer
import OSC
import StageKit
import SystemCalls

/// Plays the script, prints what each device receives, and collects all faults.
struct DemoShow {
  private let stage: DemoStage
  private let script: DemoScript
  private let address: Endpoint
  private let client: OSCClient
  private let console: Console
  private var judge: DemoJudge
  private var done: [(time: Double, step: DemoScript.Step)] = []
  private var recordings: [(name: String, path: String)] = []
  private var requests: Int32 = 0
  private var refusals: [String] = []
  /// Seconds by which the script is late, because it waited for windows that could be compared.
  private var delay = 0.0
  /// Whether a signal ended the demonstration, perhaps just after a step.
  private var isCutShort = false

  /// Seconds for which a step waits until enough windows of the step before could be compared.
  private static let patience = 30.0

  init(
    _ stage: DemoStage, _ script: DemoScript, _ address: Endpoint, _ context: Context
  ) throws(CommandFailure) {
    (self.stage, self.script, self.address, console) = (stage, script, address, context.console)
    judge = DemoJudge(stage)
    do throws(SocketError) {
      client = try OSCClient(address)
    } catch {
      throw CommandFailure(.internalError, "multiroute: \(error)")
    }
  }

  /// Plays until the script has ended and the requested time is over, or until a signal comes.
  mutating func play(_ options: DemoOptions, until signals: ProcessSignals) throws {
    introduce()
    if let folder = options.recordingFolder { try record(into: folder) }
    judge.listen([]) { _ in }
    var steps = script.steps[...]
    let end = options.seconds.map { max($0, script.length) }
    var hasConcluded = false
    while !(end.map { isDue($0) } ?? false) {
      while let step = steps.first, isDue(step.time) {
        try carryOut(step)
        steps.removeFirst()
      }
      judge.listen(done) { console.print($0) }
      if isDue(script.length), end == nil, !hasConcluded {
        hasConcluded = true
        console.tell(
          "The script is over. The band plays on until Ctrl-C; try one of the commands above.")
      }
      if signals.next(within: .milliseconds(50)) != nil {
        isCutShort = true
        break
      }
    }
    for recording in recordings { _ = try stage.stage.stopRecording(recording.name) }
  }

  /// Whether a moment of the script has come, and enough windows since the last step could be compared. On a busy
  /// machine the script waits for them.
  private mutating func isDue(_ moment: Double) -> Bool {
    let lateness = judge.time - moment - delay
    guard lateness >= 0 else { return false }
    guard done.isEmpty || isProven(done.count - 1) || lateness > Self.patience else { return false }
    delay += lateness
    return true
  }

  /// Whether enough windows were compared with a step.
  private func isProven(_ step: Int) -> Bool { judge.judged(ofStep: step) >= DemoJudge.neededWindows }

  private func introduce() {
    console.tell(
      """
      A JACK server without hardware (\(stage.server.name)) with a USB interface, headphones and a speaker; four programs play:
        Band (music)           --> session show, stream band   --> USB Interface 1-2
        Metronome (click)      --> session show, stream click  --> Headphones
        Foyer (soft music)     --> session foyer               --> Speaker
        Announcer (speech)     --> session announce            --> Speaker, when it is active
      OSC is received at \(address). You can type every command below in another terminal.
      What each device receives is compared, sample by sample, with what the programs play.

      """)
  }

  private mutating func carryOut(_ step: DemoScript.Step) throws {
    console.print("\(step.title)")
    switch step.action {
    case .nothing: break
    case .send(let message): try send(message)
    case .unplug(let device):
      console.print("  $ (unplug \(device.name))")
      try stage.unplug(device)
    case .replug(let device):
      console.print("  $ (plug \(device.name) in again)")
      try stage.replug(device)
    }
    done.append((judge.now, step))
  }

  /// Sends a message as a request, so that a refusal is noticed.
  private mutating func send(_ message: OSCMessage) throws {
    let types = message.typeTags.drop { $0 == "," }
    let arguments = message.arguments.map(\.description).joined(separator: " ")
    let typed = types.isEmpty ? "" : " \(types) \(arguments)"
    let place =
      switch address {
      case .udp(let host, let port): "\(host) \(port)"
      case .unix(let path): "osc.unix://\(path)"
      }
    console.print("  $ oscsend \(place) \(message.address)\(typed)")
    requests += 1
    try client.send(OSCMessage("/request", [.int32(requests), .string(message.address)] + message.arguments))
    while let packet = try client.receive(timeout: .seconds(1)) {
      for answer in packet.messages where answer.address == "/response" {
        if answer.arguments.count > 1, answer.arguments[1] != .int32(0) { refusals.append("\(answer)") }
        return
      }
    }
    refusals.append("the router did not answer \(message.address)")
  }

  private mutating func record(into folder: String) throws {
    do throws(SystemError) { try System.mkdir(folder, permissions: 0o755) } catch {
      guard error.number == .exists else {
        throw CommandFailure(.unreadableFile, "multiroute: \(folder) cannot be created: \(error.reason)")
      }
    }
    for device in DemoStage.devices {
      let path = "\(folder)/\(device.id).wav"
      try stage.stage.record(device.name, path: path)
      recordings.append((device.name, path))
      console.tell("recording \(device.name) to \(path)")
    }
  }

  /// Prints whether every output received what the preset and the script say.
  /// - Throws: `CommandFailure` with all faults.
  func conclude() throws(CommandFailure) {
    var faults = refusals + judge.faults
    for step in done.indices.dropLast(isCutShort ? 1 : 0) where !isProven(step) {
      faults.append(
        "\(judge.judged(ofStep: step)) of the \(DemoJudge.neededWindows) windows that step \(step + 1) needs could be compared: the machine was too busy"
      )
    }
    guard faults.isEmpty else {
      throw CommandFailure(
        .failure,
        ["multiroute: an output did not receive what it should:"] + faults.prefix(20).map { "  \($0)" })
    }
    console.tell(
      "Every output was correct in \(judge.judged) of \(judge.judged) windows of 0.25 s; each of the \(done.count) steps needed \(DemoJudge.neededWindows)."
    )
  }
}
