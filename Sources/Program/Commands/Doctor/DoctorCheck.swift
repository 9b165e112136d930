/// A check of the doctor: a pure function of a machine.
struct DoctorCheck: Sendable {
  /// A word or two, for people and programs.
  let name: String
  let examine: @Sendable (Machine) -> Diagnosis

  /// Those that a new machine must pass before anything else.
  static let ofNewMachine = all.filter { ["priority", "memory", "server", "cards"].contains($0.name) }

  /// All checks, in the order of the report.
  static let all: [DoctorCheck] = [
    DoctorCheck(name: "priority", examine: PriorityCheck.examine),
    DoctorCheck(name: "memory", examine: MemoryCheck.examine),
    DoctorCheck(name: "processor", examine: ProcessorCheck.examine),
    DoctorCheck(name: "clock", examine: ClockCheck.examine),
    DoctorCheck(name: "libraries", examine: LibraryCheck.examine),
    DoctorCheck(name: "server", examine: ServerCheck.examine),
    DoctorCheck(name: "cards", examine: CardCheck.examine),
    DoctorCheck(name: "devices", examine: HolderCheck.examine),
    DoctorCheck(name: "disk", examine: DiskCheck.examine),
    DoctorCheck(name: "presets", examine: PresetCheck.examine),
    DoctorCheck(name: "effects", examine: EffectCheck.examine),
    DoctorCheck(name: "ports", examine: PortCheck.examine),
    DoctorCheck(name: "router", examine: RouterCheck.examine),
  ]
}
