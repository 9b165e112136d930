/// The clock from which the kernel reads the time.
enum ClockCheck {
  /// Clocks that take a microsecond and more to read.
  private static let slow: Set = ["hpet", "acpi_pm", "pit"]
  /// Clocks that tick every few milliseconds.
  private static let coarse: Set = ["jiffies", "refined-jiffies"]

  static func examine(_ machine: Machine) -> Diagnosis {
    let clock = machine.clock
    guard !clock.current.isEmpty else { return Diagnosis() }
    var diagnosis = Diagnosis(facts: ["clock source \(clock.current)"])
    let isCoarse = coarse.contains(clock.current)
    guard isCoarse || slow.contains(clock.current) else { return diagnosis }
    let folder = "/sys/devices/system/clocksource/clocksource0"
    let cure =
      clock.available.contains("tsc")
      ? "echo tsc | sudo tee \(folder)/current_clocksource"
      : "sudo dmesg | grep -i tsc   # says why the kernel refused it; \"tsc=reliable\" on the kernel's command line forces it"
    diagnosis.findings.append(
      Finding(
        what: "the kernel reads the time from \(clock.current)",
        why: isCoarse
          ? "The clock ticks every few milliseconds, longer than a period, so periods come in bunches."
          : "Each look at the clock takes a microsecond instead of some nanoseconds, and JACK looks many times in a period.",
        cure: cure, isAudible: isCoarse))
    return diagnosis
  }
}
