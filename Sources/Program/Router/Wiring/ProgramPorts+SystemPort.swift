import ServerInterface
import SessionModel

extension ProgramPorts {
  /// Whether the entry matches a port by all its patterns. An entry without port names means the ports of programs, not those of devices.
  func accepts(_ port: SystemPort) -> Bool {
    guard ports?.accepts(port) ?? !(port.isMonitor || port.mayBeDevice) else { return false }
    return names.isEmpty || accepts(port.program)
  }
}

extension SystemPort {
  /// The names of the port's program; nil while the server has not told them.
  var program: ProgramNames? {
    switch origin {
    case .unknown: ProgramNames(client: String(client))
    case .node(let node):
      ProgramNames(
        application: node.properties["application.name"] ?? String(client),
        media: node.properties["media.name"] ?? "", node: node.name, number: node.properties["object.serial"])
    case .awaited, .overdue, .absent: nil
    }
  }

  /// A text that all ports of one program share: PipeWire gives the tabs of a browser one name, and each a node of its own.
  var programKey: String { node?.properties["object.serial"] ?? String(client) }
}
