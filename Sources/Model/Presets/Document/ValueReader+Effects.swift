import Effects
import JSON5
import SessionModel

extension ValueReader {
  /// Reads a chain of effects: a list of texts or objects. Each entry becomes the text that addresses write.
  func effects() -> [Placed<String>]? { list { $0.effect() } }

  private func effect() -> Placed<String>? {
    guard case .object = value.kind else {
      guard let text = text(upTo: Effect.longestText) else { return nil }
      return checked { () throws(EffectTextError) in try Effect(text: text).text }
    }
    guard let object = object(Self.effectKeys),
      let plugin = object.required("plugin", example: "\"high-pass\"")?.text(upTo: 1_024)
    else { return nil }
    let preset = object["preset"]?.text()
    let isOn = object["on"]?.bool() ?? true
    let sideChain = object["sidechain"]?.text()
    let values = object["set"]?.values() ?? [:]
    return checked { () throws(EffectTextError) in
      let effect = Effect(
        try Effect.plugin(plugin),
        preset: try preset.map { text throws(EffectTextError) in try Effect.preset(text) },
        values: values, isOn: isOn,
        sideChain: try sideChain.map { text throws(EffectTextError) in try Effect.sideChain(text) })
      // The limit of texts holds for objects, too, because addresses write them as texts.
      return try Effect(text: effect.text).text
    }
  }

  private func checked(_ read: () throws(EffectTextError) -> String) -> Placed<String>? {
    do throws(EffectTextError) { return placed(try read()) } catch {
      report(error.what, fix: error.advice, aspect: .meaning)
      return nil
    }
  }

  /// The values of controls, by their symbols.
  private func values() -> [String: Float]? {
    members()?.reduce(into: [:]) { values, member in
      do throws(EffectTextError) {
        let symbol = try Effect.symbol(member.key)
        if case .bool(let isOn) = member.value.value.kind {
          values[symbol] = isOn ? 1 : 0
        } else if let number = member.value.number(-1e9...1e9) {
          values[symbol] = Float(number)
        }
      } catch {
        member.value.log.report(
          at: member.keyPosition, path: path, error.what, fix: error.fix, aspect: .meaning)
      }
    }
  }

  static let effectKeys = ["plugin", "preset", "set", "on", "sidechain"]
}
