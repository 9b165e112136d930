import AudioHost
import JSON5

/// The part of `pw-dump`'s output that shows the device of each port.
struct NodeDump: Sendable {
  /// The node of each port, by the port's serial number.
  private(set) var ports: [UInt64: Entry] = [:]

  /// A port and its node.
  struct Entry: Sendable {
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
  }

  /// The most bytes that are read; a studio's dump has less than a tenth of them.
  static let sizeLimit = 16 << 20

  /// Reads a dump; nil if it does not consist of whole lists of objects.
  init?(_ bytes: [UInt8]) {
    guard let objects = Self.objects(of: bytes) else { return nil }
    var (nodes, devices) = ([String: [String: String]](), [String: Device]())
    var ports: [(properties: [String: String], isInput: Bool)] = []
    for object in objects {
      guard let id = object["id"]?.text, let info = object["info"], let properties = info["props"]?.texts
      else { continue }
      switch object["type"]?.text {
      case "PipeWire:Interface:Node": nodes[id] = properties
      case "PipeWire:Interface:Device": devices[id] = Device(properties, info["params"]?["Route"])
      case "PipeWire:Interface:Port": ports.append((properties, info["direction"]?.text == "input"))
      default: break
      }
    }
    for port in ports {
      guard let serial = port.properties["object.serial"].flatMap(UInt64.init),
        let name = port.properties["port.name"],
        let properties = port.properties["node.id"].flatMap({ nodes[$0] })
      else { continue }
      let device = properties["device.id"].flatMap { devices[$0] }
      self.ports[serial] = Entry(name: name, isInput: port.isInput, node: Self.node(properties, device))
    }
  }

  /// The objects of a dump.
  ///
  /// If objects change while the program runs, it prints another list of those behind the first one. The later state of an object counts;
  /// an object whose `info` is null there has gone.
  private static func objects(of bytes: [UInt8]) -> [PositionedValue]? {
    guard let lists = JSONLists.split(bytes) else { return nil }
    var (objects, order) = ([String: PositionedValue](), [String]())
    for list in lists {
      let document = JSON5Reader.read(Array(list), file: "pw-dump", sizeLimit: sizeLimit)
      guard case .array(let elements)? = document.value?.kind else { return nil }
      for element in elements {
        guard let id = element["id"]?.text else { continue }
        if objects[id] == nil { order.append(id) }
        objects[id] = element
      }
    }
    return order.compactMap { objects[$0] }
  }

  /// A device has properties that hold for all its nodes; a node's own properties take precedence.
  private static func node(_ properties: [String: String], _ device: Device?) -> SystemNode {
    let all = (device?.properties ?? [:]).merging(properties) { $1 }
    return SystemNode(
      name: all["node.name"] ?? "", description: all["node.description"] ?? all["node.nick"] ?? "",
      properties: all.filter { key, _ in telling.contains { key.hasPrefix($0) } },
      routeType: properties["card.profile.device"].flatMap { device?.routes[$0] })
  }

  /// The beginnings of the names of properties that show the kind of a device.
  private static let telling = [
    "device.", "api.", "factory.name", "media.class", "media.name", "node.virtual", "application.name",
    "object.serial",
  ]

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

extension PositionedValue {
  fileprivate subscript(key: String) -> PositionedValue? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key == key }?.value
  }

  fileprivate var elements: [PositionedValue] { if case .array(let elements) = kind { elements } else { [] } }

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
