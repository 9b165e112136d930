/// Whether the memory of the sound may be locked.
enum MemoryCheck {
  /// What JACK's shared memory and the router take together, with room to grow.
  private static let needed = 256 << 20

  static func examine(_ machine: Machine) -> Diagnosis {
    let limit = machine.limits.lockedMemory
    if machine.user.mayLockMemory || limit >= needed {
      let amount = machine.user.mayLockMemory || limit == .max ? "all" : "\(limit >> 20) MiB"
      return Diagnosis(facts: ["\(amount) of the memory may be locked"])
    }
    let isSwapping = machine.swap > 0
    let what = "only \(limit >> 10) KiB of memory may be locked; JACK and the router need \(needed >> 20) MiB"
    return Diagnosis(findings: [
      Finding(
        what: what,
        why: isSwapping
          ? "When memory is short the system swaps out the audio thread's, and the sound breaks up."
          : "Without swap little can happen; pages of the program itself may still have to be read again.",
        cure: LimitCure.command(for: "memlock", machine), isAudible: isSwapping)
    ])
  }
}
