import CLilv

extension PluginWorld {
  /// The state of a preset, by its name or URI; the caller frees it.
  ///
  /// - Throws: `PluginError` if the plugin has no such preset.
  func state(
    of preset: String, _ plugin: OpaquePointer, named name: String, _ host: HostFeatures
  ) throws(PluginError) -> OpaquePointer {
    let there = presets(of: plugin)
    guard let found = there.first(where: { $0.name == preset || $0.uri == preset }),
      let state = calls.lilv_state_new_from_world(world, host.map, node(found.uri))
    else { throw .noPreset(preset, plugin: name, there: there.map(\.name)) }
    return state
  }

  /// The state with which a plugin wants to begin; nil if it has none. The caller frees it.
  func firstState(of plugin: OpaquePointer, _ host: HostFeatures) -> OpaquePointer? {
    guard calls.lilv_plugin_has_feature(plugin, node(LV2.defaultState)) else { return nil }
    return calls.lilv_state_new_from_world(world, host.map, calls.lilv_plugin_get_uri(plugin))
  }
}
