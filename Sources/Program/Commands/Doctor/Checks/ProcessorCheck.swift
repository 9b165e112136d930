/// Whether the processors run at full speed.
enum ProcessorCheck {
  static func examine(_ machine: Machine) -> Diagnosis {
    let governors = machine.processors.compactMap(\.governor)
    guard !governors.isEmpty else {
      return Diagnosis(facts: ["\(machine.processors.count) processors; their speed does not change"])
    }
    let others = Set(governors).subtracting(["performance"]).sorted()
    let names = Set(governors).sorted().joined(separator: ", ")
    var diagnosis = Diagnosis(facts: ["\(machine.processors.count) processors, governor \(names)"])
    guard !others.isEmpty else { return diagnosis }
    // With these drivers the processor itself chooses its speed, and the governor is only its preference.
    let isSlow = machine.processors.contains { processor in
      processor.governor == "powersave" && !["intel_pstate", "amd-pstate-epp"].contains(processor.driver)
    }
    diagnosis.findings.append(
      Finding(
        what: "the governor of the processors is \(others.joined(separator: ", "))",
        why: isSlow
          ? "The processors always run at their lowest speed, so the audio thread may miss its time."
          : "The processors slow down while the sound leaves them idle, and speed up too late when more comes.",
        cure: "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
        isAudible: isSlow))
    return diagnosis
  }
}
