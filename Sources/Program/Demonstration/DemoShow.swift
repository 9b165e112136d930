package import Commands
import JackServer
package import OSC
import StageKit
import SystemCalls

/// Plays the script, prints what each device receives, and collects all faults.
package struct DemoShow {
  private let stage: DemoStage
  private let script: DemoScript
  private let address: Endpoint
  /// The address of the page for browsers; nil without one.
  private let page: String?
  private let client: OSCClient
  private let console: Console
  private var judge: DemoJudge
  private var done: [(time: Double, step: DemoScript.Step)] = []
  /// The folder of the router's recordings.
  private let recordings: String
  /// The recordings by device, and what the devices received meanwhile; nil until the recorders have stopped.
  private var tape: (sound: DemoTape?, files: [String: String])?
  private var requests: Int32 = 0
  private var refusals: [String] = []
  /// Seconds by which the script is late, because it waited for windows that could be compared.
  private var delay = 0.0
  /// Whether a signal ended the demonstration, perhaps just after a step.
  private var isCutShort = false

  /// Seconds for which a step waits until enough windows of the step before could be compared.
  private static let patience = 30.0

  package init(
    _ stage: DemoStage, _ script: DemoScript, _ address: Endpoint, page: String?, _ files: PlayedFiles,
    recordings: String, _ context: Context
  ) throws(CommandFailure) {
    (self.stage, self.script, self.address, console) = (stage, script, address, context.console)
    self.page = page
    self.recordings = recordings
    judge = DemoJudge(stage, files)
    do throws(SocketError) {
      client = try OSCClient(address)
    } catch {
      throw CommandFailure(.internalError, "multiroute: \(error)")
    }
  }

  /// Plays until the script has ended and the requested time is over, or until a signal comes.
  package mutating func play(_ options: DemoOptions, until signals: ProcessSignals) throws {
    introduce()
    judge.listen([]) { _ in }
    var steps = script.steps[...]
    let end = options.seconds.map { max($0, script.length) }
    while tape == nil || !(end.map { isDue($0) } ?? false) {
      while let step = steps.first, isDue(step.time) {
        try carryOut(step)
        steps.removeFirst()
      }
      judge.listen(done) { console.print($0) }
      if tape == nil, steps.isEmpty, isDue(script.length) {
        try stopRecording()
        if tape != nil, end == nil {
          console.tell(
            "The script is over. The band plays on until Ctrl-C; try one of the commands above.")
        }
      }
      if signals.next(within: .milliseconds(50)) != nil {
        isCutShort = true
        break
      }
    }
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
  private func isProven(_ step: Int) -> Bool { judge.isProven(step) }

  private func introduce() {
    console.tell(
      """
      A JACK server without hardware (\(stage.server.name)) with a USB interface, headphones and a speaker; three players of the router and a program play:
        player band   (music)          --> session show, stream band   --> USB Interface 1-2
        player click  (metronome)      --> session show, stream click  --> Headphones
        player foyer  (queue of two)   --> session foyer               --> Speaker
        Announcer     (a program)      --> session announce            --> Speaker, when it is active
      OSC is received at \(address). You can type every command below in another terminal.
      What each device receives is compared, sample by sample, with the files and the program that are played, and recorded by the router.

      """)
    if let page { console.tell("Open \(page) in a browser: the page shows the show, and moves it.\n") }
  }

  private mutating func carryOut(_ step: DemoScript.Step) throws {
    console.print("\(step.title)")
    switch step.action {
    case .send(let messages): for message in messages { try send(message) }
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
      case .tcp(let host, let port): "osc.tcp://\(host):\(port)/"
      case .unix(let path): "osc.unix://\(path)"
      }
    console.print("  $ oscsend \(place) \(message.address)\(typed)")
    _ = try request(message)
  }

  /// Sends a request, and notes a refusal.
  ///
  /// - Returns: the arguments of the answer.
  private mutating func request(_ message: OSCMessage) throws -> [OSCArgument]? {
    requests += 1
    try client.send(OSCMessage("/request", [.int32(requests), .string(message.address)] + message.arguments))
    while let packet = try client.receive(timeout: .seconds(1)) {
      for answer in packet.messages where answer.address == "/response" {
        if answer.arguments.count > 1, answer.arguments[1] != .int32(0) { refusals.append("\(answer)") }
        return answer.arguments
      }
    }
    refusals.append("the router did not answer \(message.address)")
    return nil
  }

  /// Stops the recorders as soon as the devices have received enough without a loss.
  private mutating func stopRecording() throws {
    stage.listen()
    guard DemoTape(stage) != nil || judge.time - script.length - delay > Self.patience else { return }
    try send(OSCMessage("/recorder/*/recording", [.int32(0)]))
    var files: [String: String] = [:]
    for device in DemoStage.devices {
      guard let name = try text("/recorder/\(device.id)/file/now"), !name.isEmpty else { continue }
      files[device.id] = "\(recordings)/\(name)"
    }
    stage.listen()
    tape = (DemoTape(stage), files)
  }

  /// Reads a text of the router; nil if it has none.
  private mutating func text(_ address: String) throws -> String? {
    guard case .string(let text) = try request(OSCMessage("/get", [.string(address)]))?.last else {
      return nil
    }
    return text
  }

  /// Prints whether every output received what the preset and the script say.
  /// - Throws: `CommandFailure` with all faults.
  package func conclude() throws(CommandFailure) {
    var faults = refusals + judge.faults
    for step in done.indices.dropLast(isCutShort ? 1 : 0) where !isProven(step) {
      faults.append(
        "\(judge.judged(ofStep: step)) of the \(DemoJudge.neededWindows) windows that step \(step + 1) needs could be compared: the machine was too busy"
      )
    }
    if let tape {
      let least = Int(script.length * 48_000)
      faults +=
        tape.sound?.faults(tape.files, least: least)
        ?? ["the recordings could not be compared: the machine was too busy"]
    }
    guard faults.isEmpty else {
      throw CommandFailure(
        .failure,
        ["multiroute: an output did not receive what it should:"] + faults.prefix(20).map { "  \($0)" })
    }
    console.tell(
      "Every output was correct in \(judge.judged) of \(judge.judged) windows of half a second; each of the \(done.count) steps needed \(DemoJudge.neededWindows)."
    )
    if tape != nil { console.tell("Every recording is what its device received, bit for bit.") }
  }
}
