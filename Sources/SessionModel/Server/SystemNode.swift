/// One direction of a device in the server's own directory of devices, such as a node of PipeWire.
public struct SystemNode: Hashable, Sendable {
  /// Stays the same over restarts and tells two identical cards apart.
  public var name: String
  /// What people call it; empty if nothing is known.
  public var description: String
  /// The properties that tell what kind of device it is, by the server's own names.
  public var properties: [String: String]
  /// Where the device's active route ends, such as `headphones` or `hdmi`; nil if it has no routes.
  public var routeType: String?
  public init(
    name: String, description: String = "", properties: [String: String] = [:], routeType: String? = nil
  ) {
    (self.name, self.description, self.properties) = (name, description, properties)
    self.routeType = routeType
  }
}
