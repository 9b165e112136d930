public import JSON5

extension EffectChain: EffectMessage {
  public var json: JSONValue {
    [
      "channels": .number(channels), "sideChannels": .number(sideChannels),
      "effects": .array(effects.map(\.json)),
    ]
  }

  public init?(_ value: PositionedValue) {
    guard let channels = value["channels"]?.whole, let sideChannels = value["sideChannels"]?.whole,
      let effects = value["effects"]?.list({ Effect($0) })
    else { return nil }
    self.init(channels: channels, sideChannels: sideChannels, effects: effects)
  }
}

extension Effect: EffectMessage {
  public var json: JSONValue {
    [
      "plugin": .string(plugin), "preset": .text(preset), "set": .floats(values), "on": .bool(isOn),
      "sidechain": .text(sideChain),
    ]
  }

  public init?(_ value: PositionedValue) {
    guard let plugin = value["plugin"]?.text, let values = value["set"]?.floats, let isOn = value["on"]?.flag
    else { return nil }
    self.init(
      plugin, preset: value["preset"]?.text, values: values, isOn: isOn, sideChain: value["sidechain"]?.text)
  }
}

extension EffectControl: EffectMessage {
  public var json: JSONValue {
    [
      "port": .number(port), "symbol": .string(symbol), "name": .string(name),
      "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
      "default": .number(standard),
      "unit": .string(unit), "kind": .string(kind.rawValue), "logarithmic": .bool(isLogarithmic),
      "points": .array(points.map { ["value": .number($0.value), "label": .string($0.label)] }),
    ]
  }

  public init?(_ value: PositionedValue) {
    guard let port = value["port"]?.whole, let symbol = value["symbol"]?.text,
      let name = value["name"]?.text,
      let least = value["minimum"]?.float, let most = value["maximum"]?.float, least <= most,
      let standard = value["default"]?.float, let unit = value["unit"]?.text,
      let kind = value["kind"]?.text.flatMap(Kind.init), let isLogarithmic = value["logarithmic"]?.flag,
      let points = value["points"]?.list({ point -> Point? in
        guard let value = point["value"]?.float, let label = point["label"]?.text else { return nil }
        return Point(value, label)
      })
    else { return nil }
    self.init(
      port: port, symbol: symbol, name: name, range: least...most, standard: standard, unit: unit, kind: kind,
      isLogarithmic: isLogarithmic, points: points)
  }
}

extension EffectPlugin: EffectMessage {
  public var json: JSONValue {
    [
      "uri": .string(uri), "name": .string(name), "kind": .string(kind), "inputs": .number(inputs),
      "outputs": .number(outputs), "sideInputs": .number(sideInputs), "refusal": .text(refusal),
    ]
  }

  public init?(_ value: PositionedValue) {
    guard let uri = value["uri"]?.text, let name = value["name"]?.text, let kind = value["kind"]?.text,
      let inputs = value["inputs"]?.whole, let outputs = value["outputs"]?.whole,
      let sideInputs = value["sideInputs"]?.whole
    else { return nil }
    self.init(
      uri: uri, name: name, kind: kind, inputs: inputs, outputs: outputs, sideInputs: sideInputs,
      refusal: value["refusal"]?.text)
  }
}

extension EffectList: EffectMessage {
  public var json: JSONValue {
    ["plugins": .array(plugins.map(\.json)), "problems": .strings(problems)]
  }

  public init?(_ value: PositionedValue) {
    guard let plugins = value["plugins"]?.list({ EffectPlugin($0) }),
      let problems = value["problems"]?.list(\.text)
    else { return nil }
    self.init(plugins: plugins, problems: problems)
  }
}

extension EffectDescription: EffectMessage {
  public var json: JSONValue {
    [
      "plugin": plugin.json, "controls": .array(controls.map(\.json)), "meters": .array(meters.map(\.json)),
      "presets": .strings(presets),
    ]
  }

  public init?(_ value: PositionedValue) {
    guard let plugin = value["plugin"].flatMap({ EffectPlugin($0) }),
      let controls = value["controls"]?.list({ EffectControl($0) }),
      let meters = value["meters"]?.list({ EffectControl($0) }),
      let presets = value["presets"]?.list(\.text)
    else { return nil }
    self.init(plugin: plugin, controls: controls, meters: meters, presets: presets)
  }
}

extension EffectDescriptions: EffectMessage {
  public var json: JSONValue {
    ["found": .array(found.map(\.json)), "missing": .strings(missing)]
  }

  public init?(_ value: PositionedValue) {
    guard let found = value["found"]?.list({ EffectDescription($0) }),
      let missing = value["missing"]?.list(\.text)
    else { return nil }
    self.init(found: found, missing: missing)
  }
}
