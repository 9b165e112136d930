/// The ids of found devices, so that a device that is found again has the id that it had, whichever device is found first.
public struct KnownDevices: Equatable, Sendable {
  public struct Device: Hashable, Sendable {
    public var direction: Direction
    /// The name of its node or, at a server without nodes, of its client.
    public var name: String
    public init(_ direction: Direction, _ name: String) { (self.direction, self.name) = (direction, name) }
  }

  public private(set) var ids = Registry<Device, PortID>()

  /// The greatest number of devices. Those that were noted first go first.
  public static let limit = 256

  public init() {}

  /// Notes the id of a device. An id of another device of the same direction stays with that device.
  public mutating func note(_ id: PortID, of device: Device) {
    guard ids[device] == nil, !ids.contains(where: { $0.key.direction == device.direction && $0.value == id })
    else { return }
    ids[device] = id
    while ids.count > Self.limit, let first = ids.keys.first { ids[first] = nil }
  }

  /// Notes all found devices of a state.
  public mutating func note(_ state: RouterState) {
    for direction in [Direction.output, .input] {
      for port in state[direction].values where !port.isNamedByPreset {
        if let device = Device(direction, of: port) { note(port.id, of: device) }
      }
    }
  }
}

extension KnownDevices.Device {
  /// The device of a found port; nil if the port names none.
  init?(_ direction: Direction, of port: Port) {
    guard let name = port.node?.literal ?? port.globs.first?.client, !name.isEmpty else { return nil }
    self.init(direction, name)
  }
}
