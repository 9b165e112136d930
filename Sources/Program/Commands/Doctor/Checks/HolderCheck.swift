/// The programs that hold sound devices.
enum HolderCheck {
  /// Programs through which the sound of the router reaches a card.
  private static let bridges: Set = ["zita-a2j", "zita-j2a", "alsa_in", "alsa_out", "multiroute"]

  static func examine(_ machine: Machine) -> Diagnosis {
    var diagnosis = Diagnosis()
    for program in machine.programs where !program.devices.isEmpty {
      let devices = program.devices.joined(separator: ", ")
      diagnosis.facts.append("\(program.name) (process \(program.number)) holds \(devices)")
      let isStray = program.name == "pipewire" && machine.programs.contains { $0.name == "jackd" }
      guard isStray || !(program.isServer || bridges.contains(program.name)) else { continue }
      let isAlone =
        machine.server.settings == nil && !machine.programs.contains { $0.isServer && !$0.devices.isEmpty }
      diagnosis.findings.append(
        Finding(
          what: "\(program.name) (process \(program.number)) holds \(devices)",
          why: "No server can open that device, or share it, until the program lets go.",
          cure: cure(program), isAudible: isAlone))
    }
    return diagnosis
  }

  private static func cure(_ program: Machine.RunningProgram) -> String {
    switch program.name {
    case "pulseaudio": "systemctl --user stop pulseaudio.socket pulseaudio.service"
    case "pipewire":
      "systemctl --user stop pipewire.socket pipewire.service   # or switch the card's profile off"
    default: "kill \(program.number)   # or quit \(program.name)"
    }
  }
}
