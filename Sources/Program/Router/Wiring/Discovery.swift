import ServerInterface
import SessionModel

/// Finds devices among the server's JACK ports: known devices, and devices that no preset describes.
struct Discovery {
  private let state: RouterState
  private let system: [SystemPort]
  private let claims: [Direction: PortClaims]
  /// The outputs that guards name.
  private let guarded: Set<PortID>
  private let known: KnownDevices
  private let bridges: Set<Substring>

  /// - Parameters:
  ///   - known: the ids of devices that were found earlier.
  ///   - bridges: the clients of the router's bridges, which are no devices.
  init(
    _ state: RouterState, _ system: [SystemPort], known: KnownDevices = KnownDevices(),
    bridges: Set<Substring> = []
  ) {
    (self.state, self.system, self.known, self.bridges) = (state, system, known, bridges)
    guarded = state.sessions.values.reduce(into: []) { guarded, session in
      for stream in session.streams.values { guarded.formUnion(stream.never) }
    }
    claims = [
      .output: PortClaims(state.outputs, .output, system), .input: PortClaims(state.inputs, .input, system),
    ]
  }

  /// The known ports whose JACK ports differ from the state.
  var presences: [PortPresence] {
    [Direction.output, .input].flatMap { direction in
      guard let claims = claims[direction] else { return [PortPresence]() }
      return state[direction].values.compactMap { port in
        // Only guards ask for them.
        let isGuarded = direction == .output && guarded.contains(port.id)
        let presence = PortPresence(
          direction, port.id, members: claims.members[port.id] ?? [],
          ofOthers: isGuarded ? claims.membersOfOthers(port) : [],
          device: claims.device(of: port.id))
        let isKnown =
          presence.members == port.members && presence.membersOfOthers == port.membersOfOthers
          && (presence.device == nil || presence.device == port.device)
        return isKnown ? nil : presence
      }
    }
  }

  /// Found ports that are obsolete, because ports of the preset now have all their JACK ports. One with a guard or a maximum stays, so
  /// that both hold.
  var superseded: [(Direction, PortID)] {
    [Direction.output, .input].flatMap { direction in
      let named = state[direction].values.filter(\.isNamedByPreset)
      let found = state[direction].values.filter { !$0.isNamedByPreset }
      guard !named.isEmpty, !found.isEmpty, let claims = claims[direction] else {
        return [(Direction, PortID)]()
      }
      return found.filter { claims.isSuperseded($0, by: named) && state.limit(of: direction, $0) == nil }.map
      { (direction, $0.id) }
    }
  }

  /// New ports: one for each device whose JACK ports belong to no known port.
  var found: [(Direction, Port)] {
    [Direction.output, .input].flatMap { direction in
      let claimed = claims[direction]?.claimed ?? []
      var devices = Registry<Device, [SystemPort]>()
      for port in system
      where port.isDevice(direction) && !claimed.contains(port.name) && !bridges.contains(port.client) {
        devices[Device(of: port), default: []].append(port)
      }
      // Nodes are sorted, so that identical cards keep their ids after a restart. Other devices keep the order of the server.
      let order = devices.keys.filter { $0.node == nil } + devices.keys.filter { $0.node != nil }.sorted()
      var taken = Set(state[direction].keys)
      return order.map { device in
        let port = port(device, devices[device] ?? [], direction, beside: taken)
        taken.insert(port.id)
        return (direction, port)
      }
    }
  }

  private func port(
    _ device: Device, _ ports: [SystemPort], _ direction: Direction, beside taken: Set<PortID>
  ) -> Port {
    let (type, reason) = TypeGuess.type(of: ports[0], direction)
    var port = Port(
      id: id(of: device, direction, beside: taken), name: device.name, type: type, globs: [],
      channels: ports.count)
    (port.isNamedByPreset, port.typeReason) = (false, reason)
    if let node = device.node, let glob = PortGlob(literal: node) {
      port.node = glob
      port.globs = ChannelOrder.sorted(ports, by: \.plainName).compactMap { PortGlob(literal: $0.plainName) }
    } else {
      port.globs = ChannelOrder.sorted(ports.map(\.name)) { $0 }.compactMap(PortGlob.init(literal:))
    }
    return port
  }

  /// The id that a device had, or else one that no device has or had.
  private func id(of device: Device, _ direction: Direction, beside taken: Set<PortID>) -> PortID {
    let key = (device.node ?? device.client).map { KnownDevices.Device(direction, $0) }
    if let key, let id = known.ids[key], !taken.contains(id) { return id }
    let others = known.ids.filter { $0.key.direction == direction && $0.key != key }.map(\.value)
    let reserved = taken.union(others)
    let id = PortID(slugging: device.name)
    guard reserved.contains(id) else { return id }
    return (2...).lazy.map { PortID(slugging: "\(id.name.prefix(28))-\($0)") }.first {
      !reserved.contains($0)
    }!
  }

  /// The JACK ports of one device have the same node or, if the server has no nodes, the same client.
  private struct Device: Hashable, Comparable {
    let node: String?
    let client: String?
    let name: String

    init(of port: SystemPort) {
      let description = port.node?.description ?? ""
      name = description.isEmpty ? port.plainClient : description
      // The client does not identify a node: several nodes may share a client.
      (node, client) = (port.node?.name, port.node == nil ? String(port.client) : nil)
    }

    static func < (left: Self, right: Self) -> Bool { left.node ?? "" < right.node ?? "" }
  }
}
