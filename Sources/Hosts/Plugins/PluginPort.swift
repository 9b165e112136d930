import CLilv
import Effects

/// A port of a plugin.
struct PluginPort {
  enum Kind: Equatable {
    case audio
    /// Audio of another sound, which the plugin only listens to.
    case sideChain
    case control(EffectControl)
    /// A control output with the frames by which the plugin delays the sound.
    case latency
    /// A control input that is left as the plugin wants it: its own bypass, or freewheeling.
    case fixed(Float)
    /// Events; the size in bytes of the buffer that the plugin wants.
    case events(size: Int)
    case voltage
    case unknown
  }

  var index: Int
  var symbol: String
  var isInput: Bool
  var isOptional: Bool
  var kind: Kind
}

extension PluginWorld {
  /// The ports of a plugin, in its order.
  ///
  /// - Parameter rate: in Hz; some plugins give ranges as parts of it.
  func ports(of plugin: OpaquePointer, rate: Double) -> [PluginPort] {
    (0..<Int(calls.lilv_plugin_get_num_ports(plugin))).compactMap { index in
      guard let port = calls.lilv_plugin_get_port_by_index(plugin, UInt32(index)) else { return nil }
      return PluginPort(
        index: index, symbol: text(calls.lilv_port_get_symbol(plugin, port)) ?? "\(index)",
        isInput: calls.lilv_port_is_a(plugin, port, node(LV2.inputPort)),
        isOptional: has(LV2.connectionOptional, plugin, port), kind: kind(plugin, port, index, rate: rate))
    }
  }

  private func kind(
    _ plugin: OpaquePointer, _ port: OpaquePointer, _ index: Int, rate: Double
  ) -> PluginPort.Kind {
    func isA(_ uri: String) -> Bool { calls.lilv_port_is_a(plugin, port, node(uri)) }
    if isA(LV2.audioPort) { return isSideChain(plugin, port) ? .sideChain : .audio }
    if isA(LV2.controlPort) {
      let role = take(calls.lilv_port_get(plugin, port, node(LV2.designation)))
      if has(LV2.reportsLatency, plugin, port) || role == LV2.latency { return .latency }
      if role == LV2.core + "enabled" { return .fixed(1) }
      if role == LV2.core + "freeWheeling" { return .fixed(0) }
      return .control(control(plugin, port, index, rate: rate))
    }
    if isA(LV2.cvPort) { return .voltage }
    if isA(LV2.atomPort), take(calls.lilv_port_get(plugin, port, node(LV2.bufferType))) == LV2.sequence {
      let wanted = calls.lilv_port_get(plugin, port, node(LV2.minimumSize))
      defer { if let wanted { calls.lilv_node_free(wanted) } }
      // A plugin that wants more than a megabyte is mistaken.
      let size = number(wanted).map { min(1_048_576, max(0, $0)) } ?? 0
      return .events(size: max(8_192, Int(size)))
    }
    return .unknown
  }

  func has(_ property: String, _ plugin: OpaquePointer, _ port: OpaquePointer) -> Bool {
    calls.lilv_port_has_property(plugin, port, node(property))
  }

  /// Whether the port, or its group of ports, is a side chain.
  private func isSideChain(_ plugin: OpaquePointer, _ port: OpaquePointer) -> Bool {
    if has(LV2.isSideChain, plugin, port) { return true }
    guard let group = calls.lilv_port_get(plugin, port, node(LV2.group)) else { return false }
    defer { calls.lilv_node_free(group) }
    return calls.lilv_world_ask(world, group, node(LV2.sideChainOf), nil)
  }

  // MARK: Controls

  private func control(
    _ plugin: OpaquePointer, _ port: OpaquePointer, _ index: Int, rate: Double
  ) -> EffectControl {
    var (standard, least, most): (OpaquePointer?, OpaquePointer?, OpaquePointer?)
    calls.lilv_port_get_range(plugin, port, &standard, &least, &most)
    defer { for node in [standard, least, most] { if let node { calls.lilv_node_free(node) } } }
    let unit = has(LV2.sampleRate, plugin, port) ? Float(rate) : 1
    let lower = (number(least) ?? 0) * unit
    // A plugin that gives no range, or a senseless one, still has its default.
    let upper = max(lower, (number(most) ?? 1) * unit)
    let usual = number(standard) ?? lower
    let points = points(plugin, port)
    let kind: EffectControl.Kind =
      has(LV2.toggled, plugin, port)
      ? .toggle
      : has(LV2.enumeration, plugin, port) && !points.isEmpty
        ? .choice : has(LV2.integer, plugin, port) ? .whole : .continuous
    return EffectControl(
      port: index, symbol: text(calls.lilv_port_get_symbol(plugin, port)) ?? "\(index)",
      name: take(calls.lilv_port_get_name(plugin, port)) ?? "",
      range: min(lower, usual)...max(upper, usual), standard: usual, unit: self.unit(plugin, port),
      kind: kind, isLogarithmic: has(LV2.logarithmic, plugin, port), points: points)
  }

  /// The unit as people write it. The specification of units, and plugins with units of their own, say how.
  private func unit(_ plugin: OpaquePointer, _ port: OpaquePointer) -> String {
    guard let unit = calls.lilv_port_get(plugin, port, node(LV2.unit)) else { return "" }
    defer { calls.lilv_node_free(unit) }
    let symbol = take(calls.lilv_world_get(world, unit, node(LV2.unitSymbol), nil)) ?? ""
    // A factor has no unit.
    return symbol == "*" ? "" : symbol
  }

  private func points(_ plugin: OpaquePointer, _ port: OpaquePointer) -> [EffectControl.Point] {
    guard let points = calls.lilv_port_get_scale_points(plugin, port) else { return [] }
    defer { calls.lilv_scale_points_free(points) }
    var list: [EffectControl.Point] = []
    var place = calls.lilv_scale_points_begin(points)
    while !calls.lilv_scale_points_is_end(points, place) {
      let point = calls.lilv_scale_points_get(points, place)
      if let value = number(calls.lilv_scale_point_get_value(point)) {
        list.append(EffectControl.Point(value, text(calls.lilv_scale_point_get_label(point)) ?? ""))
      }
      place = calls.lilv_scale_points_next(points, place)
    }
    return list.sorted { $0.value < $1.value }
  }
}
