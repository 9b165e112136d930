import StageKit

extension StageCommand {
  /// All commands, in the order in which `help` shows them.
  static let table: [StageCommand] = clients + listening + graph + server

  static let clients: [StageCommand] = [
    StageCommand(
      name: "device", arguments: "NAME PLAYBACK CAPTURE [PLAYBACK-LATENCY CAPTURE-LATENCY]",
      summary:
        "Plugs in a device with PLAYBACK and CAPTURE ports, playback_n and capture_n; its microphones pick up silence.",
      count: 3...5
    ) { (stage, words) throws(CommandError) in
      let (playback, capture) = (try words.integer(1, "PLAYBACK"), try words.integer(2, "CAPTURE"))
      guard (0...256).contains(playback), (0...256).contains(capture) else {
        throw .usage("a device has 0 to 256 channels each way")
      }
      let latency =
        try words.count == 5 ? (words.integer(3, "a latency"), words.integer(4, "a latency")) : (0, 0)
      try staged { () throws(StageError) in
        try stage.addDevice(
          words[0], playback: playback, capture: Array(repeating: .silence, count: capture),
          captureLatency: latency.1, playbackLatency: latency.0)
      }
      return ""
    },
    StageCommand(
      name: "source", arguments: "NAME CHANNELS SIGNAL | NAME file PATH",
      summary: "Starts a source with ports out_n, which plays a SIGNAL or repeats a sound file.", count: 3...5
    ) { (stage, words) throws(CommandError) in
      if words[1] == "file" {
        try staged { () throws(StageError) in try stage.addSource(words[0], file: words[2]) }
        return ""
      }
      let channels = try words.integer(1, "CHANNELS")
      guard (1...256).contains(channels) else { throw .usage("a source has 1 to 256 channels") }
      var signals: [Signal] = []
      for channel in 0..<channels { signals.append(try words.signal(from: 2, channel: channel)) }
      try staged { () throws(StageError) in try stage.addSource(words[0], signals: signals) }
      return ""
    },
    StageCommand(
      name: "player", arguments: "NAME CHANNELS SIGNAL DEVICE",
      summary: "Starts a source that at once connects itself to the DEVICE, as most players do.", count: 4...6
    ) { (stage, words) throws(CommandError) in
      let channels = try words.integer(1, "CHANNELS")
      guard (1...256).contains(channels) else { throw .usage("a source has 1 to 256 channels") }
      let device = words[words.count - 1]
      var signals: [Signal] = []
      for channel in 0..<channels { signals.append(try words.signal(from: 2, channel: channel)) }
      try staged { () throws(StageError) in try stage.addPlayer(words[0], signals: signals, at: device) }
      return ""
    },
    StageCommand(
      name: "listener", arguments: "NAME CHANNELS",
      summary: "Starts a program with input ports in_n, which can be recorded like a device.",
      count: 2...2
    ) { (stage, words) throws(CommandError) in
      let channels = try words.integer(1, "CHANNELS")
      guard (1...256).contains(channels) else { throw .usage("a listener has 1 to 256 channels") }
      try staged { () throws(StageError) in try stage.addListener(words[0], channels: channels) }
      return ""
    },
    StageCommand(
      name: "duplex", arguments: "NAME CHANNELS",
      summary:
        "Starts a silent program with ports in_n and out_n, which declares no latencies: JACK gives it its neighbours'.",
      count: 2...2
    ) { (stage, words) throws(CommandError) in
      let channels = try words.integer(1, "CHANNELS")
      guard (1...256).contains(channels) else { throw .usage("a program has 1 to 256 channels") }
      try staged { () throws(StageError) in try stage.addDuplex(words[0], channels: channels) }
      return ""
    },
    StageCommand(
      name: "client", arguments: "NAME device|program INPUTS OUTPUTS",
      summary:
        "Starts a silent device or program whose ports have these names, with commas between; - stands for none.",
      count: 4...4
    ) { (stage, words) throws(CommandError) in
      guard ["device", "program"].contains(words[1]) else { throw .usage("say device or program") }
      func names(_ index: Int) -> [String] {
        words[index] == "-" ? [] : words[index].split(separator: ",").map(String.init)
      }
      let layout = SimulatedClient.Layout(inputs: names(2), outputs: names(3), isDevice: words[1] == "device")
      try staged { () throws(StageError) in try stage.addClient(words[0], layout: layout) }
      return ""
    },
    StageCommand(
      name: "play", arguments: "NAME CHANNEL SIGNAL",
      summary:
        "Changes the signal of one output of a source or one capture port of a device, from the next period on.",
      count: 3...5
    ) { (stage, words) throws(CommandError) in
      let channel = try words.integer(1, "CHANNEL")
      let signal = try words.signal(from: 2, channel: channel - 1)
      try staged { () throws(StageError) in try stage.client(words[0]).play(signal, at: channel - 1) }
      return ""
    },
    StageCommand(
      name: "room", arguments: "MICROPHONES LOUDSPEAKERS DELAY [DB]",
      summary:
        "Lets the microphones of one device hear the loudspeakers of another one, DELAY frames later; the echo is DB louder, -9.4 if it "
        + "is not given.",
      count: 3...4
    ) { (stage, words) throws(CommandError) in
      try makeRoom(words, on: stage, gain: try words.number(3, "DB", default: -9.4), isReverberant: true)
    },
    StageCommand(
      name: "cable", arguments: "INPUTS OUTPUTS DELAY",
      summary:
        "Lets the inputs of one device get what the outputs of another one play, DELAY frames later, as through a cable.",
      count: 3...3
    ) { (stage, words) throws(CommandError) in
      try makeRoom(words, on: stage, gain: 0, isReverberant: false)
    },
    StageCommand(
      name: "unplug", arguments: "NAME",
      summary: "Removes a device or source, with its ports and connections.",
      count: 1...1
    ) { (stage, words) throws(CommandError) in
      try staged { () throws(StageError) in try stage.unplug(words[0]) }
      return ""
    },
    StageCommand(
      name: "replug", arguments: "NAME",
      summary:
        "Adds a removed device or source again under the same name; its signals start from their beginning.",
      count: 1...1
    ) { (stage, words) throws(CommandError) in
      try staged { () throws(StageError) in try stage.replug(words[0]) }
      return ""
    },
  ]

  static let listening: [StageCommand] = [
    StageCommand(
      name: "record", arguments: "NAME PATH [SECONDS]",
      summary:
        "Records a device into a WAV file of floats; at most SECONDS (default 5) of sound wait for the disk.",
      count: 2...3
    ) { (stage, words) throws(CommandError) in
      let seconds = try words.number(2, "SECONDS", default: 5)
      guard (0...3600).contains(seconds) else { throw .usage("SECONDS is from 0 to 3600") }
      try staged { () throws(StageError) in
        try stage.record(words[0], path: words[1], room: max(16_384, Int(seconds * Double(stage.sampleRate))))
      }
      return ""
    },
    StageCommand(
      name: "stop-record", arguments: "NAME",
      summary:
        "Ends it; answers frames, frames dropped by us, jumps of the server's time, where (FRAME:MISSING,...) and its start.",
      count: 1...1
    ) { (stage, words) throws(CommandError) in
      let report = try staged { () throws(StageError) in try stage.stopRecording(words[0]) }
      return "frames=\(report.frames) dropped=\(report.dropped) jumps=\(report.jumps) "
        + "at=\(report.clockJumps.map { "\($0.frame):\($0.missing)" }.joined(separator: ",")) "
        + "start=\(report.startTime) path=\(Words.quote(report.path))"
    },
    StageCommand(
      name: "level", arguments: "NAME CHANNEL [FREQUENCY] SECONDS",
      summary: "Listens for SECONDS and answers peak, rms and the level of the FREQUENCY in dBFS.",
      count: 3...4
    ) { (stage, words) throws(CommandError) in
      let channel = try words.integer(1, "CHANNEL")
      let seconds = try words.number(words.count - 1, "SECONDS")
      guard (0...600).contains(seconds) else { throw .usage("SECONDS is from 0 to 600") }
      let samples = try staged { () throws(StageError) in
        try stage.hear(words[0], channel: channel, frames: Int(seconds * Double(stage.sampleRate)))
      }
      let level = SignalLevel(samples)
      var answer = "peak=\(level.peak) rms=\(level.rms)"
      if words.count == 4 {
        let frequency = try words.number(2, "FREQUENCY")
        answer += " tone=\(SignalLevel.tone(samples, frequency: frequency, sampleRate: stage.sampleRate))"
      }
      return answer
    },
    StageCommand(
      name: "tones", arguments: "SECONDS FREQUENCIES NAME...",
      summary:
        "Listens at several devices at once; answers, for each channel, the dBFS of each of the FREQUENCIES, which commas separate.",
      count: 3...34
    ) { (stage, words) throws(CommandError) in
      let seconds = try words.number(0, "SECONDS")
      let frequencies = words[1].split(separator: ",").compactMap { Double($0) }
      guard (0...600).contains(seconds), frequencies.count == words[1].split(separator: ",").count else {
        throw .usage("SECONDS is from 0 to 600, FREQUENCIES are numbers with commas between")
      }
      let names = Array(words.words.dropFirst(2))
      let levels = try staged { () throws(StageError) in
        try stage.tones(
          names, frequencies: frequencies, frames: Int(seconds * Double(stage.sampleRate)))
      }
      return levels.joined().map { $0.map { "\($0)" }.joined(separator: ",") }.joined(separator: " ")
    },
    StageCommand(
      name: "wait-signal", arguments: "NAME CHANNEL DBFS",
      summary: "Waits for the first sample of at least DBFS; answers the server's frame time of that sample.",
      count: 3...3
    ) { (stage, words) throws(CommandError) in
      let channel = try words.integer(1, "CHANNEL")
      let level = try words.number(2, "DBFS")
      let time = try staged { () throws(StageError) in
        try stage.awaitSignal(words[0], channel: channel, level: level)
      }
      return "time=\(time)"
    },
    StageCommand(
      name: "wait-tone", arguments: "NAME CHANNEL FREQUENCY DBFS [SECONDS]",
      summary: "Waits for 20 ms in which the FREQUENCY has the level DBFS, within 0.1 dB.",
      count: 4...5
    ) { (stage, words) throws(CommandError) in
      let channel = try words.integer(1, "CHANNEL")
      let (frequency, level) = (try words.number(2, "FREQUENCY"), try words.number(3, "DBFS"))
      let seconds = words.count > 4 ? try words.number(4, "SECONDS") : Stage.patience
      try staged { () throws(StageError) in
        try stage.awaitTone(words[0], channel: channel, frequency: frequency, level: level, seconds: seconds)
      }
      return ""
    },
  ]

  static let graph: [StageCommand] = [
    StageCommand(
      name: "await-port", arguments: "PORT [gone]",
      summary: "Waits up to 5 s for a port to appear, or to disappear.",
      count: 1...2
    ) { (stage, words) throws(CommandError) in
      let present = try isPresent(words, 1)
      try staged { () throws(StageError) in try stage.awaitPort(words[0], present: present) }
      return ""
    },
    StageCommand(
      name: "await-connection", arguments: "SOURCE DESTINATION [gone]",
      summary: "Waits up to 5 s for a connection to be made, or to be removed.", count: 2...3
    ) { (stage, words) throws(CommandError) in
      let present = try isPresent(words, 2)
      try staged { () throws(StageError) in
        try stage.awaitConnection(words[0], words[1], present: present)
      }
      return ""
    },
    StageCommand(
      name: "connect", arguments: "SOURCE DESTINATION",
      summary: "Connects two ports; tries for 2 s, because the server refuses while a program starts.",
      count: 2...2
    ) { (stage, words) throws(CommandError) in
      try staged { () throws(StageError) in try stage.connect(words[0], words[1]) }
      return ""
    },
    StageCommand(
      name: "disconnect", arguments: "SOURCE DESTINATION", summary: "Removes a connection.", count: 2...2
    ) { (stage, words) throws(CommandError) in
      guard stage.disconnect(words[0], words[1]) else { throw .usage("there is no such connection") }
      return ""
    },
    StageCommand(
      name: "connections", arguments: "PORT",
      summary: "Answers the names of the ports that a port is connected to.",
      count: 1...1
    ) { (stage, words) throws(CommandError) in
      stage.connections(of: words[0]).map(Words.quote).joined(separator: " ")
    },
    StageCommand(
      name: "ports", arguments: "", summary: "Answers the names of all audio ports.", count: 0...0
    ) { (stage, _) throws(CommandError) in stage.portNames.map(Words.quote).joined(separator: " ") },
    StageCommand(
      name: "latency", arguments: "PORT capture|playback",
      summary: "Answers the smallest and largest latency of a port in frames.", count: 2...2
    ) { (stage, words) throws(CommandError) in
      guard ["capture", "playback"].contains(words[1]) else { throw .usage("say capture or playback") }
      let isCapture = words[1] == "capture"
      guard let range = isCapture ? stage.captureLatency(of: words[0]) : stage.playbackLatency(of: words[0])
      else { throw .usage("there is no port \"\(words[0])\"") }
      return "minimum=\(range.lowerBound) maximum=\(range.upperBound)"
    },
  ]

  static let server: [StageCommand] = [
    StageCommand(
      name: "frames", arguments: "N", summary: "Waits until the server has processed N more frames.",
      count: 1...1
    ) { (stage, words) throws(CommandError) in
      let frames = try words.integer(0, "N")
      return "total=\(try staged { () throws(StageError) in try stage.await(frames: frames) })"
    },
    StageCommand(
      name: "freewheel", arguments: "on|off [NAME]",
      summary:
        "Lets the server run as fast as it can, or in real time, as the stage or one of its programs asks.",
      count: 1...2
    ) { (stage, words) throws(CommandError) in
      guard ["on", "off"].contains(words[0]) else { throw .usage("say on or off") }
      let name = words.count > 1 ? words[1] : nil
      try staged { () throws(StageError) in try stage.setFreewheel(words[0] == "on", by: name) }
      return ""
    },
    StageCommand(
      name: "period", arguments: "[N]",
      summary: "Sets the server's period; answers the one in force and the rate.",
      count: 0...1
    ) { (stage, words) throws(CommandError) in
      if words.count == 1 {
        let frames = try words.integer(0, "N")
        try staged { () throws(StageError) in try stage.setPeriod(frames) }
      }
      return "period=\(stage.period) rate=\(stage.sampleRate)"
    },
  ]

  /// Puts the inputs and outputs that the first words name into a room or a cable, whose delay is the third word.
  private static func makeRoom(
    _ words: Arguments, on stage: Stage, gain: Double, isReverberant: Bool
  ) throws(CommandError) -> String {
    let delay = try words.integer(2, "DELAY")
    guard (stage.period...192_000).contains(delay) else {
      throw .usage("DELAY is from a period to 192000 frames")
    }
    try staged { () throws(StageError) in
      try stage.makeRoom(
        microphones: words[0], loudspeakers: words[1], delay: delay, gain: gain, isReverberant: isReverberant)
    }
    return ""
  }

  private static func isPresent(_ words: Arguments, _ index: Int) throws(CommandError) -> Bool {
    guard words.count > index else { return true }
    guard words[index] == "gone" else { throw .usage("say gone or nothing") }
    return false
  }

  /// The text of `help`, from the table.
  static var help: String {
    var lines = [
      "Usage: stage [--server SERVER] [--name CLIENT] [--wait SECONDS | --start-server]", "",
      "Simulates sound devices and programs at a JACK server. Each line of standard input is a command. The stage answers",
      "each with one line, \"ok ...\" or \"error ...\"; the first answer comes when it has joined the server. Write words with",
      "spaces in double quotes. The stage ends at quit or at the end of its input. With --start-server it starts a dummy",
      "server of its own, which ends with the stage; without, it waits 10 seconds for the server to answer.",
      "",
      "SIGNAL: silence | sine FREQUENCY DBFS | ramp | impulse FRAMES", "",
    ]
    for command in table {
      lines.append("  \(command.name) \(command.arguments)")
      lines.append("      \(command.summary)")
    }
    return (lines + ["  quit", "      Leaves."]).joined(separator: "\n")
  }
}
