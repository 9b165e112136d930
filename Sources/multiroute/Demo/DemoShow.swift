import Commands
import Glibc
import OSC
import StageKit

/// Plays the script, says what is heard where, and remembers what was not right.
struct DemoShow {
  private let stage: DemoStage
  private let script: DemoScript
  private let address: PeerAddress
  private let client: OSCClient
  private let console: Console
  private var judge: DemoJudge
  private var done: [(time: Double, heard: DemoScript.Heard)] = []
  private var recordings: [(name: String, path: String)] = []
  private var requests: Int32 = 0
  private var refusals: [String] = []

  init(
    _ stage: DemoStage, _ script: DemoScript, _ address: PeerAddress, _ context: Context
  ) throws(CommandFailure) {
    (self.stage, self.script, self.address, console) = (stage, script, address, context.console)
    judge = DemoJudge(stage)
    do throws(SocketError) {
      client = try OSCClient(host: address.hostText, port: address.port)
    } catch {
      throw CommandFailure(.internalError, "multiroute: \(error)")
    }
  }

  /// Plays until the script and the wanted seconds are over, or a signal comes.
  mutating func play(_ options: DemoOptions, until signals: ProcessSignals) throws {
    introduce()
    if let folder = options.recordingFolder { try record(into: folder) }
    judge.listen([]) { _ in }
    var steps = script.steps[...]
    let end = options.seconds.map { max($0, script.length) }
    var hasConcluded = false
    while end.map({ judge.time < $0 }) ?? true {
      while let step = steps.first, step.time <= judge.time {
        try carryOut(step)
        steps.removeFirst()
      }
      judge.listen(done) { console.print($0) }
      if judge.time >= script.length, end == nil, !hasConcluded {
        hasConcluded = true
        console.tell(
          "The script is over. The band plays on until Ctrl-C; try one of the lines above yourself.")
      }
      if signals.next(within: .milliseconds(50)) != nil { break }
    }
    for recording in recordings { _ = try stage.stage.stopRecording(recording.name) }
  }

  private func introduce() {
    console.tell(
      """
      A JACK server without hardware (\(stage.server.name)) with a USB interface, headphones and a speaker; four programs play:
        Band (music)           --> session show, stream band   --> USB Interface 1-2
        Metronome (click)      --> session show, stream click  --> Headphones
        Foyer (soft music)     --> session foyer               --> Speaker
        Announcer (speech)     --> session announce            --> Speaker, when it is active
      OSC is received at \(address). Every command below can be typed in another terminal.
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
    done.append((judge.now, step.heard))
  }

  /// Sends a message as a request, so that a refusal is not missed.
  private mutating func send(_ message: OSCMessage) throws {
    let types = message.typeTags.drop { $0 == "," }
    let arguments = message.arguments.map(\.description).joined(separator: " ")
    let typed = types.isEmpty ? "" : " \(types) \(arguments)"
    console.print("  $ oscsend \(address.hostText) \(address.port) \(message.address)\(typed)")
    requests += 1
    try client.send(OSCMessage("/request", [.int32(requests), .string(message.address)] + message.arguments))
    while let packet = try client.receive(timeout: .seconds(1)) {
      for answer in packet.messages where answer.address == "/response" {
        if answer.arguments.count > 1, answer.arguments[1] != .int32(0) { refusals.append("\(answer)") }
        return
      }
    }
    refusals.append("nobody answered \(message.address)")
  }

  private mutating func record(into folder: String) throws {
    guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
      throw CommandFailure(
        .unreadableFile, "multiroute: \(folder) cannot be made: \(String(cString: strerror(errno)))")
    }
    for device in DemoStage.devices {
      let path = "\(folder)/\(device.id).wav"
      try stage.stage.record(device.name, path: path)
      recordings.append((device.name, path))
      console.tell("recording \(device.name) to \(path)")
    }
  }

  /// Says whether every output received what the preset and the script say.
  /// - Throws: `CommandFailure` with what was wrong.
  func conclude() throws(CommandFailure) {
    var faults = refusals + judge.faults
    if judge.judged == 0 { faults.append("nothing could be compared: the machine was too busy to keep time") }
    guard faults.isEmpty else {
      throw CommandFailure(
        .failure,
        ["multiroute: not everything was heard as it should be:"] + faults.prefix(20).map { "  \($0)" })
    }
    console.tell("Every output received what it should, in \(judge.judged) stretches of a quarter second.")
  }
}
