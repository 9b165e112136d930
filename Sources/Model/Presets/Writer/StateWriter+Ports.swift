import JSON5
import Parameters
import SessionModel

extension StateWriter {
  /// The devices that a preset names. Both directions of a device share an entry.
  mutating func ports() -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for id in namedPorts {
      let (output, input) = (named(id, .output), named(id, .input))
      if let output {
        let other = input.flatMap { mayShareEntry(output, with: $0) ? $0 : nil }
        members.append(.init(id.name, .object(entry(output, .output, with: other))))
      } else if let input {
        members.append(.init(id.name, .object(entry(input, .input))))
      }
    }
    return members
  }

  /// The ports of one direction that are not in `ports`: ports that were found, and ports that cannot share
  /// an entry.
  mutating func otherPorts(_ direction: Direction) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for port in state[direction].values {
      let output = named(port.id, .output)
      let isShared = direction == .output || output.map { mayShareEntry($0, with: port) } ?? true
      guard !port.isNamedByPreset || !isShared else { continue }
      members.append(.init(port.id.name, .object(entry(port, direction))))
    }
    return members
  }

  /// Whether one entry can describe the JACK ports of both directions. In a preset for people an input of an unusual type gets the usual one
  /// beside such outputs: without an entry nothing could name the input.
  private func mayShareEntry(_ output: Port, with input: Port) -> Bool {
    (scope != nil || output.type.ofInputs == input.type) && output.node == input.node
      && output.bridge == nil && input.bridge == nil
  }

  private func named(_ id: PortID, _ direction: Direction) -> Port? {
    state[direction][id].flatMap { isListed($0) ? $0 : nil }
  }

  /// Whether a port has an entry in `ports`. A preset for people describes all of them, because its streams may go there.
  private func isListed(_ port: Port) -> Bool {
    port.isNamedByPreset || scope != nil && !(port.globs.isEmpty && port.sources.isEmpty)
  }

  /// An order that agrees with the orders of outputs and of inputs, if possible.
  private var namedPorts: [PortID] {
    let outputs = state.outputs.keys(where: isListed)
    var order: [PortID] = []
    for id in state.inputs.keys(where: isListed) {
      if let index = outputs.firstIndex(of: id) {
        order += outputs[...index].filter { !order.contains($0) }
      } else {
        order.append(id)
      }
    }
    return order + outputs.filter { !order.contains($0) }
  }

  /// - Parameter input: the other direction of the same device.
  private mutating func entry(
    _ port: Port, _ direction: Direction, with input: Port? = nil
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [.init("type", .string(port.type.rawValue))]
    if let bridge = port.bridge {
      members += [.init("bridge", bridge.json), .init("channels", .number(Double(bridge.channels)))]
    } else {
      members += made(port, direction) + (input.map { made($0, .input) } ?? [])
      if let node = port.node { members.append(.init("node", .string(node.text))) }
      let channels = port.declaredChannels > 0 ? port.declaredChannels : port.channels
      if port.memberGlobs.contains(where: \.isPattern), channels > 0 {
        members.append(.init("channels", .number(Double(min(channels, Port.maximumChannels)))))
      }
    }
    let target = direction == .output ? Target(output: port.id) : Target(input: port.id)
    members += leaves(of: direction.owner, at: target) { port.isWritten($0) }
    if direction == .output, port.monitor != Monitor() {
      members.append(.init("solo", .object(leaves(of: .monitor, at: target))))
    }
    guard let input else { return members }
    return members + leaves(ofInput: input, beside: port)
  }

  /// The JACK ports of a port.
  private func made(_ port: Port, _ direction: Direction) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if !port.globs.isEmpty {
      let key = direction == .output ? "outputs" : "inputs"
      members.append(.init(key, .array(port.globs.map { .string($0.text) })))
    }
    if !port.sources.isEmpty {
      let sources = port.sources.map { source in
        JSONValue.Member(source.id, source.json)
      }
      members.append(.init("sources", .object(sources)))
    }
    return members
  }

  /// The settings of the input in an entry with both directions. The input's levels have no key there.
  private mutating func leaves(ofInput input: Port, beside output: Port) -> [JSONValue.Member] {
    let (target, other) = (Target(input: input.id), Target(output: output.id))
    let shared = Table.keys(of: .output)
    for parameter in Table.keys(of: .input) where input.isWritten(parameter) {
      guard let twin = shared.first(where: { $0.key == parameter.key }),
        let value = parameter.wantedValue(at: target, in: state)
      else { continue }
      // A value that no key may have, such as an empty name, stands by its address for each direction.
      let isShared =
        PortEntry.shared.contains(parameter.key ?? "") && value.fitsPresets
        && value == twin.wantedValue(at: other, in: state)
      if !isShared { note(parameter, value, at: target) }
    }
    return leaves(of: .input, at: target) { parameter in
      input.isWritten(parameter) && !shared.contains { $0.key == parameter.key }
    }
  }
}

extension Port {
  /// Whether a key is written. A data source is left out while the router chooses among several.
  fileprivate func isWritten(_ parameter: Parameter) -> Bool {
    parameter.key != "source" || source != nil || currentSource == nil
  }
}

extension Port.DataSource {
  fileprivate var json: JSONValue {
    let ports = JSONValue.array(globs.map { .string($0.text) })
    guard !modes.isEmpty else { return ports }
    return .object([.init("ports", ports), .init("for", .array(modes.map { .string($0.rawValue) }))])
  }
}

extension Bridge {
  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [.init("tool", .string(tool.rawValue))]
    func add(_ key: String, _ number: Double?) {
      if let number { members.append(.init(key, .number(number))) }
    }
    switch far {
    case .card(let card):
      members.append(.init("device", .string(card.device)))
      add("rate", card.rate.map(Double.init))
      add("period", card.period.map(Double.init))
      add("periods", card.periods.map(Double.init))
    case .network(let network):
      members.append(.init("address", .string(network.address)))
      add("port", Double(network.port))
      if let interface = network.interface { members.append(.init("interface", .string(interface))) }
      if let format = network.format { members.append(.init("format", .string(format.rawValue))) }
      add("buffer", network.buffer)
    }
    return .object(members)
  }
}
