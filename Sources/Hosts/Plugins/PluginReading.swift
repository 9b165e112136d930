import CLilv
import Effects
import SystemCalls

// What the plugins' own files say of them; no plugin's code runs.
extension PluginWorld {
  func uri(of plugin: OpaquePointer) -> String { text(calls.lilv_plugin_get_uri(plugin)) ?? "" }

  func name(of plugin: OpaquePointer) -> String {
    take(calls.lilv_plugin_get_name(plugin)) ?? uri(of: plugin)
  }

  func summary(of plugin: OpaquePointer, _ ports: [PluginPort]) -> EffectPlugin {
    let audio = ports.filter { $0.kind == .audio }
    return EffectPlugin(
      uri: uri(of: plugin), name: name(of: plugin),
      kind: text(calls.lilv_plugin_class_get_label(calls.lilv_plugin_get_class(plugin))) ?? "",
      inputs: audio.count(where: \.isInput), outputs: audio.count { !$0.isInput },
      sideInputs: ports.count { $0.kind == .sideChain }, refusal: refusal(of: plugin, ports))
  }

  func description(of plugin: OpaquePointer, _ ports: [PluginPort]) -> EffectDescription {
    func controls(_ isInput: Bool) -> [EffectControl] {
      ports.filter { $0.isInput == isInput }.compactMap { port in
        if case .control(let control) = port.kind { control } else { nil }
      }
    }
    return EffectDescription(
      plugin: summary(of: plugin, ports), controls: controls(true), meters: controls(false),
      presets: presets(of: plugin).map(\.name))
  }

  /// Why a plugin cannot be used; nil if it can.
  private func refusal(of plugin: OpaquePointer, _ ports: [PluginPort]) -> String? {
    let features = Set(takeAll(calls.lilv_plugin_get_required_features(plugin)))
    if let feature = features.subtracting(LV2.features).min() {
      return "it requires \(feature), which no effect gets here"
    }
    let options = Set(takeAll(calls.lilv_plugin_get_value(plugin, node(LV2.requiredOption))))
    if let option = options.subtracting(LV2.knownOptions).min() {
      return "it requires the option \(option), which no effect gets here"
    }
    if let name = nameOfFile(for: plugin) {
      return "it needs a file (\(name)), such as an impulse response, which no effect gets here"
    }
    guard let file = path(calls.lilv_plugin_get_library_uri(plugin)) else { return "it names no file" }
    guard System.access(file, .read) else { return "its file \(file) is missing" }
    for port in ports where !port.isOptional {
      switch port.kind {
      case .voltage: return "it must get or give control voltages (\(port.symbol))"
      case .unknown: return "its port \(port.symbol) is of a kind that is not known here"
      default: break
      }
    }
    let audio = ports.filter { $0.kind == .audio && !$0.isOptional }
    let (inputs, outputs) = (audio.count(where: \.isInput), audio.count { !$0.isInput })
    if inputs == 0 { return "it has no audio input" }
    if outputs == 0 { return "it has no audio output" }
    guard inputs == outputs || (inputs == 1 && outputs == 2) else {
      return "it makes \(outputs) channels of \(inputs)"
    }
    return inputs <= 8 ? nil : "it has \(inputs) channels, and 8 are the most"
  }

  /// What a plugin calls the file that it must be given; nil if it needs none.
  private func nameOfFile(for plugin: OpaquePointer) -> String? {
    takeAll(calls.lilv_plugin_get_value(plugin, node(LV2.writable))).first {
      take(calls.lilv_world_get(world, node($0), node(LV2.range), nil)) == LV2.path
    }.map { take(calls.lilv_world_get(world, node($0), node(LV2.label), nil)) ?? $0 }
  }

  // MARK: Presets

  /// The presets of a plugin, sorted by name.
  func presets(of plugin: OpaquePointer) -> [(name: String, uri: String)] {
    let uris = takeAll(calls.lilv_plugin_get_related(plugin, node(LV2.preset)))
    return uris.map { uri in
      _ = calls.lilv_world_load_resource(world, node(uri))
      return (take(calls.lilv_world_get(world, node(uri), node(LV2.label), nil)) ?? uri, uri)
    }.sorted { ($0.name, $0.uri) < ($1.name, $1.uri) }
  }
}
