import EffectsHost

/// The effects of the presets, which were run on silence, noise and NaN.
enum EffectCheck {
  static func examine(_ machine: Machine) -> Diagnosis {
    let effects = machine.effects
    if let failure = effects.failure {
      return Diagnosis(findings: [
        .fault(
          "no effect can be used here: \(failure)",
          why: "All sound with effects will be heard without them.",
          cure: effects.cure)
      ])
    }
    var diagnosis = Diagnosis()
    for chain in effects.chains {
      diagnosis.facts.append(fact(of: chain, effects))
      diagnosis.findings += findings(about: chain)
    }
    for preset in effects.presets {
      let time = effects.chains.filter { $0.preset == preset }.compactMap(\.result.time).reduce(0, +)
      guard time > effects.period / 2 else { continue }
      diagnosis.findings.append(
        .fault(
          "the effects of the preset \(preset) take \(microseconds(time)) of a period of \(microseconds(effects.period))",
          why: "Their blocks will come too late, and the sound will pass the effects by.",
          cure: "multiroute presets show \(preset)   # use fewer effects, or give the server a longer period")
      )
    }
    return diagnosis
  }

  private static func fact(of chain: Machine.EffectFacts.Chain, _ effects: Machine.EffectFacts) -> String {
    let latency = Double(chain.result.latency) / effects.rate
    let time = chain.result.time.map { "takes \(microseconds($0)) of \(microseconds(effects.period))" }
    return
      "\(chain.owner) of \(chain.preset) \(time ?? "does not run"), latency \(chain.result.latency) frames, \((latency * 10_000).rounded() / 10) ms"
  }

  private static func findings(about chain: Machine.EffectFacts.Chain) -> [Finding] {
    let place = "\(chain.owner) of the preset \(chain.preset)"
    return chain.result.faults.map { fault in
      let sound = fault.sound.map { ", on \($0.rawValue)" } ?? ""
      return .fault(
        "effect \(fault.effect + 1) of \(place): \(fault.why)\(sound)",
        why: "The sound will pass this effect by.", cure: "multiroute check \(chain.preset)")
    }
      + chain.result.notes.map {
        .hint(
          "\(place): \($0)", why: "The rest of the chain is as asked.",
          cure: "multiroute presets show \(chain.preset)")
      }
  }

  private static func microseconds(_ seconds: Double) -> String { "\(Int((seconds * 1e6).rounded())) us" }
}
