import SystemCalls

/// The JACK library, the server, and its settings.
enum ServerCheck {
  static func examine(_ machine: Machine) -> Diagnosis {
    let server = machine.server
    var diagnosis = Diagnosis(facts: [
      "JACK library \(server.library)\(machine.jackLibrary.map { " (\($0))" } ?? "")"
    ])
    if let version = machine.pipeWire.version {
      let settings = machine.pipeWire.settings.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
      diagnosis.facts.append(
        "PipeWire \(version)" + (settings.isEmpty ? "" : ": \(settings.joined(separator: ", "))"))
    }
    if let settings = server.settings {
      let milliseconds = Double(settings.period * 1_000) / Double(max(1, settings.rate))
      diagnosis.facts.append(
        "the server runs at \(settings.rate) Hz with \(settings.period) frames, \((milliseconds * 10).rounded() / 10) ms"
      )
      if !settings.isRealtime { diagnosis.findings.append(notRealtime) }
    } else if willUsePipeWire(machine) {
      diagnosis.facts.append("PipeWire runs, and multiroute run uses its JACK library")
    } else {
      diagnosis.findings.append(absent(machine))
    }
    diagnosis.findings += twoServers(machine) + fewPeriods(machine)
    return diagnosis
  }

  /// Whether `run` would change to PipeWire's library.
  private static func willUsePipeWire(_ machine: Machine) -> Bool {
    machine.pipeWire.hasJackLibrary && runs("pipewire", machine) && !runs("jackd", machine)
  }

  private static func runs(_ name: String, _ machine: Machine) -> Bool {
    machine.programs.contains { $0.name == name }
  }

  private static let notRealtime = Finding.fault(
    "the server does not run in real time",
    why: "Its clients wait whenever another program is busy, and the sound breaks up.",
    cure: "jackd -R -P70 -d alsa   # with the other words of the present command, without -r")

  private static func absent(_ machine: Machine) -> Finding {
    let cure: String
    let servers = machine.programs.filter { $0.name == "jackd" }
    if let jackd = servers.first(where: { $0.serverName == machine.serverName }) ?? servers.first {
      cure = self.cure(forRunning: jackd, machine)
    } else if runs("pipewire", machine) {
      cure = "\(SystemPackage.pipeWireJack.command())   # PipeWire runs, and its JACK library is missing"
    } else if let card = machine.cards.first(where: { $0.usb != nil }) ?? machine.cards.first {
      cure = "jackd -R -P70 -d alsa -d hw:\(card.id) -r 48000 -p 256 -n 3"
    } else {
      cure = "multiroute run --start-server   # a server without a card, to try things out"
    }
    return .fault(
      "no JACK server lets a program join\(machine.server.failure.isEmpty ? "" : ": \(machine.server.failure)")",
      why: "Without a server nothing is heard.", cure: cure)
  }

  /// What to do about a jackd that runs and does not let a program join.
  private static func cure(forRunning jackd: Machine.RunningProgram, _ machine: Machine) -> String {
    if jackd.user != machine.user.number {
      return
        "sudo -u '#\(jackd.user)' multiroute doctor   # jackd (process \(jackd.number)) is another user's, and accepts no other"
    }
    if jackd.serverName != machine.serverName {
      return "multiroute doctor --server \(jackd.serverName)   # and the same for multiroute run"
    }
    return "kill \(jackd.number)   # and start jackd again"
  }

  /// PipeWire's library in a process of a machine on which jackd runs.
  private static func twoServers(_ machine: Machine) -> [Finding] {
    guard machine.server.isPipeWire, runs("jackd", machine) else { return [] }
    return [
      .hint(
        "jackd runs, and programs that are started as this one was join PipeWire",
        why: "Programs at different servers do not meet.",
        cure: "env -u LD_LIBRARY_PATH multiroute doctor   # without pw-jack; programs of the show likewise")
    ]
  }

  /// A USB card under jackd with fewer than three periods.
  private static func fewPeriods(_ machine: Machine) -> [Finding] {
    machine.programs.filter { $0.name == "jackd" }.compactMap { jackd in
      guard let words = jackd.alsaArguments else { return nil }
      let text = words.joined(separator: " ")
      let card = machine.cards.first { card in
        card.usb != nil && [card.id, "\(card.number)"].contains { text.contains("hw:\($0)") }
      }
      let periods =
        Machine.RunningProgram.value(of: ["-n", "--nperiods"], in: words).flatMap { Int($0) } ?? 2
      guard let card, periods < 3 else { return nil }
      return .hint(
        "jackd has \(periods) periods at the USB card \(card.id)",
        why: "USB brings the sound in bursts of a millisecond, for which two periods are often too short.",
        cure: "jackd \(jackd.arguments.joined(separator: " ")) -n 3")
    }
  }
}
