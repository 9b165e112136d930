/// One direction of a device in the server's directory of devices; in PipeWire, a node.
public struct SystemNode: Hashable, Sendable {
  /// The node's name at the server. It stays the same after a restart, and two identical cards have different names.
  public var name: String
  /// The device's name for people; empty if unknown.
  public var description: String
  /// Properties that show the kind of device, by the server's own names.
  public var properties: [String: String]
  /// The end of the device's active route, such as `headphones` or `hdmi`; nil if it has no routes.
  public var routeType: String?
  /// The volume and mute of the node at the server, which mixers of the desktop set; nil if the node has none.
  public var volume: Volume?
  /// The number of the process that computes the node; nil if the server computes it, as it does for devices.
  public var process: Int?
  /// Whether PipeWire's server of PulseAudio has not answered the node's program yet. It answers once a device is connected to the node. If
  /// that connection goes before the answer, the program stays silent for ever.
  public var isUnanswered: Bool
  public init(
    name: String, description: String = "", properties: [String: String] = [:], routeType: String? = nil,
    volume: Volume? = nil, process: Int? = nil, isUnanswered: Bool = false
  ) {
    (self.name, self.description, self.properties) = (name, description, properties)
    (self.routeType, self.volume, self.process) = (routeType, volume, process)
    self.isUnanswered = isUnanswered
  }

  /// Distinguishes the physical device that the node is a part of, whatever profile it is in: the address of a Bluetooth device, a serial
  /// number, or the server's number for the card. Nil if the server tells none.
  public var device: String? {
    ["api.bluez5.address", "device.serial", "device.id"].lazy.compactMap { key in
      properties[key].map { "\(key) \($0)" }
    }.first
  }

  /// The volume and mute of a node.
  public struct Volume: Hashable, Sendable {
    /// The volume as mixers show it: 100 changes nothing, 0 is silence.
    public var percent: Int
    public var isMuted: Bool
    public init(percent: Int, isMuted: Bool) { (self.percent, self.isMuted) = (percent, isMuted) }
  }
}
