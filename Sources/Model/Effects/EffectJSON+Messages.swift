public import JSON5

extension EffectOrder: EffectMessage {
  public var json: JSONValue {
    switch self {
    case .load(let place, let revision, let chain):
      ["order": "load", "place": .number(place), "revision": .number(revision), "chain": chain.json]
    case .unload(let place): ["order": "unload", "place": .number(place)]
    }
  }

  public init?(_ value: PositionedValue) {
    guard let place = value["place"]?.whole else { return nil }
    switch value["order"]?.text {
    case "load":
      guard let revision = value["revision"]?.whole, let chain = value["chain"].flatMap({ EffectChain($0) })
      else { return nil }
      self = .load(place: place, revision: revision, chain)
    case "unload": self = .unload(place: place)
    default: return nil
    }
  }
}

extension EffectAnswer: EffectMessage {
  public var json: JSONValue {
    switch self {
    case .ready: ["answer": "ready"]
    case .loaded(let chain):
      [
        "answer": "loaded", "place": .number(chain.place), "revision": .number(chain.revision),
        "latency": .number(chain.latency), "effects": .array(chain.effects.map(\.json)),
      ]
    case .refused(let place, let revision, let effect, let why):
      [
        "answer": "refused", "place": .number(place), "revision": .number(revision),
        "effect": .number(effect), "why": .string(why),
      ]
    case .unloaded(let place): ["answer": "unloaded", "place": .number(place)]
    }
  }

  public init?(_ value: PositionedValue) {
    let (place, revision) = (value["place"]?.whole, value["revision"]?.whole)
    switch (value["answer"]?.text, place, revision) {
    case ("ready", _, _): self = .ready
    case ("unloaded", let place?, _): self = .unloaded(place: place)
    case ("loaded", let place?, let revision?):
      guard let latency = value["latency"]?.whole,
        let effects = value["effects"]?.list({ LoadedEffect($0) })
      else { return nil }
      self = .loaded(LoadedChain(place: place, revision: revision, latency: latency, effects: effects))
    case ("refused", let place?, let revision?):
      guard let effect = value["effect"]?.whole, let why = value["why"]?.text else { return nil }
      self = .refused(place: place, revision: revision, effect: effect, why: why)
    default: return nil
    }
  }
}

extension LoadedEffect: EffectMessage {
  public var json: JSONValue {
    [
      "description": description.json, "base": .floats(base), "firstMeter": .number(firstMeter),
      "meterCount": .number(meterCount), "notes": .strings(notes),
    ]
  }

  public init?(_ value: PositionedValue) {
    guard let description = value["description"].flatMap({ EffectDescription($0) }),
      let base = value["base"]?.floats, let firstMeter = value["firstMeter"]?.whole,
      let meterCount = value["meterCount"]?.whole, let notes = value["notes"]?.list(\.text)
    else { return nil }
    self.init(
      description: description, base: base, firstMeter: firstMeter, meterCount: meterCount, notes: notes)
  }
}
