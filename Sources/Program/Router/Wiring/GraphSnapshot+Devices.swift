import ServerInterface

extension GraphSnapshot {
  /// Takes the present ports of programs. Devices stay as they are until the report of the request, because their ports wait for each other
  /// (`PortSettling`). So does a port that the server has only now described as a device's: it must not be gone meanwhile.
  mutating func takePrograms(from present: [SystemPort]) {
    let known = Dictionary(ports.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let names = Set(present.map(\.name))
    let absent = ports.filter { $0.mayBeDevice && !names.contains($0.name) }
    ports = present.compactMap { $0.mayBeDevice ? known[$0.name] : $0 } + absent
  }

  /// The ports that belong to devices, without their volumes.
  var devicePorts: [SystemPort] { ports.filter(\.mayBeDevice).map(\.withoutVolume) }
}
