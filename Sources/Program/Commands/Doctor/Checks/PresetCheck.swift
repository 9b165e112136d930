/// The configuration, and the presets that would not load.
enum PresetCheck {
  static func examine(_ machine: Machine) -> Diagnosis {
    let presets = machine.presets
    if let problem = presets.configurationProblem {
      return Diagnosis(findings: [
        .fault(
          "the configuration cannot be read: \(problem)", why: "multiroute run refuses to start.",
          cure: "multiroute run --config none   # runs without it; better correct the line above")
      ])
    }
    return Diagnosis(
      facts: ["\(presets.count) \(presets.count == 1 ? "preset" : "presets") of your own"],
      findings: presets.broken.map { broken in
        Finding(
          what: "the preset \(broken.id) would not load: \(broken.problem)",
          why: presets.order.contains(broken.id)
            ? "The show comes to it, and its recall will be refused." : "Its recall will be refused.",
          cure: "multiroute check \(broken.id)", isAudible: presets.order.contains(broken.id))
      }
        + presets.missing.map { id in
          .fault(
            "the order of the show names the preset \(id), which does not exist",
            why: "GO passes it by.",
            cure: "multiroute presets   # lists the ids; correct \"scenes\" in config.json")
        })
  }
}
