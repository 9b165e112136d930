import SystemCalls

/// Whether the audio threads may have, and have, real-time priority.
enum PriorityCheck {
  static func examine(_ machine: Machine) -> Diagnosis {
    var diagnosis = Diagnosis()
    let user = machine.user
    if user.mayRaisePriority {
      diagnosis.facts.append("\(user.name) may have any real-time priority")
    } else if machine.limits.priority > 0 {
      diagnosis.facts.append("\(user.name) may have a real-time priority up to \(machine.limits.priority)")
    } else {
      diagnosis.findings.append(noPriority(machine))
    }
    for program in machine.programs where program.isServer && !program.isRealtime {
      diagnosis.findings.append(notRealtime(program, machine))
    }
    return diagnosis
  }

  private static let why =
    "Without it the audio thread waits whenever another program is busy, and the sound breaks up."

  private static func noPriority(_ machine: Machine) -> Finding {
    let helps = machine.hasRtkit && machine.server.isPipeWire
    return Finding(
      what: "\(machine.user.name) may not have real-time priority"
        + (helps ? "; programs of PipeWire get it from rtkit all the same, those of jackd do not" : ""),
      why: why, cure: LimitCure.command(for: "rtprio", machine), isAudible: !helps)
  }

  private static func notRealtime(_ program: Machine.RunningProgram, _ machine: Machine) -> Finding {
    let cure =
      if let command = program.realtimeCommand {
        "\(command)   # without -r"
      } else if program.name == "pipewire" {
        machine.hasRtkit
          ? "systemctl --user restart pipewire.service"
          : "\(SystemPackage("rtkit", fedora: "rtkit").command())   # then log in again"
      } else {
        "kill \(program.number)   # and start \(program.name) again once you may have real-time priority"
      }
    return .fault(
      "\(program.name) (process \(program.number)) runs without real-time priority", why: why, cure: cure)
  }
}
