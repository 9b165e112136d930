import JSON5
import Maths
import ServerInterface

/// The part of `pw-dump`'s output that shows the node of each port.
struct NodeDump: Sendable {
  /// A port and its node.
  struct Entry: Equatable, Sendable {
    /// The port's own name, without its client's.
    var name: String
    var isInput: Bool
    var node: SystemNode

    /// Whether this entry may be a JACK port's. Older libraries without serial numbers make the UUID from
    /// something else.
    ///
    /// The port may have its number after its name. It has another name if the default device imitates
    /// jackd's `system`.
    func isEntry(of port: SystemPort) -> Bool {
      let (client, own) = (port.client, port.name.dropFirst(port.client.count + 1))
      return isInput == port.isInput && (own == name || own == "\(name)-\(port.serial)" || client == "system")
    }

    /// Whether a JACK port has the names of this port and its node, whatever number it has.
    func hasName(of port: SystemPort) -> Bool {
      isInput == port.isInput && [node.description, node.name].contains { port.name == "\($0):\(name)" }
    }
  }

  // MARK: The objects, by their ids

  private var nodes: [String: Node] = [:]
  private var devices: [String: Device] = [:]
  private var ports: [String: Port] = [:]
  /// The process of each client.
  private var processes: [String: Int] = [:]

  /// Takes the next array of objects. An object replaces the object with its id, and an object without `info` removes it.
  ///
  /// Returns false if the array cannot be read.
  mutating func take(_ array: [UInt8]) -> Bool {
    let document = JSON5Reader.read(array, file: "pw-dump", sizeLimit: DumpArrays.sizeLimit)
    guard case .array(let objects)? = document.value?.kind else { return false }
    for object in objects {
      guard let id = object["id"]?.text else { continue }
      (nodes[id], devices[id], ports[id], processes[id]) = (nil, nil, nil, nil)
      guard let info = object["info"], let properties = info["props"]?.texts else { continue }
      switch object["type"]?.text {
      case "PipeWire:Interface:Node":
        nodes[id] = Node(properties: properties, volume: SystemNode.Volume(info["params"]?["Props"]))
      // The number that the kernel tells, not the one that the client tells.
      case "PipeWire:Interface:Client": processes[id] = properties["pipewire.sec.pid"].flatMap { Int($0) }
      case "PipeWire:Interface:Device": devices[id] = Device(properties, info["params"]?["Route"])
      case "PipeWire:Interface:Port":
        ports[id] = Port(properties: properties, isInput: info["direction"]?.text == "input")
      default: break
      }
    }
    return true
  }

  /// The node of each port, by the port's serial number.
  var entries: [UInt64: Entry] {
    let described = nodes.mapValues { node in
      node.described(
        of: node.properties["device.id"].flatMap { devices[$0] },
        process: node.properties["client.id"].flatMap { processes[$0] })
    }
    var entries: [UInt64: Entry] = [:]
    for port in ports.values {
      guard let serial = port.properties["object.serial"].flatMap(UInt64.init),
        let name = port.properties["port.name"],
        let node = port.properties["node.id"].flatMap({ described[$0] })
      else { continue }
      entries[serial] = Entry(name: name, isInput: port.isInput, node: node)
    }
    return entries
  }

  private struct Port {
    var properties: [String: String]
    var isInput: Bool
  }

  private struct Node {
    var properties: [String: String]
    var volume: SystemNode.Volume?

    /// A device has properties that hold for all its nodes; a node's own properties take precedence.
    ///
    /// PipeWire's server of PulseAudio sets `pulse.attr.*` when it answers a program (`set_playback_buffer_attr` and `set_record_buffer_attr` in
    /// its `pulse-server.c`, 0.3.48 to 1.4).
    func described(of device: Device?, process: Int?) -> SystemNode {
      let all = (device?.properties ?? [:]).merging(properties) { $1 }
      return SystemNode(
        name: all["node.name"] ?? "", description: all["node.description"] ?? all["node.nick"] ?? "",
        properties: all.filter { key, _ in Self.telling.contains { key.hasPrefix($0) } },
        routeType: properties["card.profile.device"].flatMap { device?.routes[$0] }, volume: volume,
        process: process,
        isUnanswered: properties["pulse.server.type"] != nil && properties["pulse.attr.maxlength"] == nil)
    }

    /// The beginnings of the names of properties that show the kind of a device.
    private static let telling = [
      "device.", "api.", "factory.name", "media.class", "media.name", "node.virtual", "application.name",
      "object.serial",
    ]
  }

  /// A device, which may have several nodes.
  private struct Device {
    var properties: [String: String]
    /// The end of each active route, by the profile's number for the device.
    var routes: [String: String] = [:]

    init(_ properties: [String: String], _ active: PositionedValue?) {
      self.properties = properties
      for route in active?.elements ?? [] {
        // The list has the number of pairs first, then keys and values in turn.
        let words = (route["info"]?.elements ?? []).dropFirst().map { $0.text ?? "" }
        guard let device = route["device"]?.text, let key = words.firstIndex(of: "port.type"),
          words.indices.contains(key + 1)
        else { continue }
        routes[device] = words[key + 1]
      }
    }
  }
}

extension SystemNode.Volume {
  /// Reads the property `Props` of a node; nil if it has neither a volume nor a mute.
  ///
  /// PipeWire applies the product of the node's volume and the channel's. Mixers show its cube root. If the channels differ, the
  /// loudest counts.
  fileprivate init?(_ properties: PositionedValue?) {
    let all = properties?.elements ?? []
    let isMuted = all.lazy.compactMap { $0["mute"]?.text }.first
    let factors = all.lazy.compactMap { $0["channelVolumes"]?.elements.compactMap(\.number) }.first
    let common = all.lazy.compactMap { $0["volume"]?.number }.first
    guard isMuted != nil || factors != nil || common != nil else { return nil }
    let slider = pow(min(max(0, (common ?? 1) * (factors?.max() ?? 1)), 1_000), 1.0 / 3)
    self.init(percent: Int((100 * slider).rounded()), isMuted: isMuted == "true")
  }
}

extension PositionedValue {
  fileprivate subscript(key: String) -> PositionedValue? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key == key }?.value
  }

  fileprivate var elements: [PositionedValue] { if case .array(let elements) = kind { elements } else { [] } }

  fileprivate var number: Double? { if case .number(let number, _) = kind { number } else { nil } }

  /// A simple value as text; integers have no decimal point.
  fileprivate var text: String? {
    switch kind {
    case .string(let text): text
    case .number(let number, _): Int(exactly: number).map(String.init) ?? "\(number)"
    case .bool(let bool): "\(bool)"
    default: nil
    }
  }

  /// The simple members of an object.
  fileprivate var texts: [String: String]? {
    guard case .object(let members) = kind else { return nil }
    var texts: [String: String] = [:]
    for member in members { texts[member.key] = member.value.text }
    return texts
  }
}
