import OSC
import TestKit

/// Plugging in and unplugging, and the outputs that can be recorded.
extension Rig {
  /// Plugs devices in, one after the other. Returns when the router has reported each.
  func plug(_ devices: Device...) throws {
    for device in devices {
      hasPlugged = true
      plugged.append(device)
      try change(device, isPlugged: true)
    }
  }

  /// Unplugs a device. Returns when the router has reported that.
  func unplug(_ device: Device) throws {
    plugged.removeAll { $0 == device }
    try change(device, isPlugged: false)
  }

  private func change(_ device: Device, isPlugged: Bool) throws {
    let ports =
      device.inputs.map { ("in", "/input/\($0)", $0.rawValue) }
      + device.outputs.map { ("out", "/output/\($0)", $0.rawValue) }
    if pace == .realTime {
      try stage.do("\(isPlugged ? "replug" : "unplug") \(wiring.client(of: device))")
    } else {
      for (_, address, _) in ports { try surface.send("\(address)/plugged", isPlugged ? 1 : 0) }
    }
    for (direction, _, id) in ports {
      let event: [OSCArgument] = [.string(direction), .string(id), isPlugged ? 1 : 0]
      try surface.event("port") { $0 == event }
    }
  }

  /// A route as an OSC text.
  static func route(_ input: Input? = nil, _ outputs: Output...) -> String {
    let names = outputs.map(\.rawValue).joined(separator: ",")
    return "in:\(input?.rawValue ?? "none") out:\(names.isEmpty ? "none" : names)"
  }

  /// The route of a session.
  func route(of id: String) throws -> String { try text("/session/\(id)/route") }

  /// The JACK clients that are recorded, and the outputs of their channels, in order.
  ///
  /// - Parameter outputs: nil is the fixed ones and what a scenario plugged in.
  func ears(at outputs: [Output]? = nil) -> [(client: String, outputs: [Output])] {
    let listening = plugged.map(wiring.client)
    return wiring.clients.filter { client in
      if client.isPlugged, !listening.contains(client.name) { return false }
      let isWanted = outputs.map { !$0.filter(client.outputs.contains).isEmpty }
      return !client.outputs.isEmpty
        && isWanted ?? (client.outputs.allSatisfy(Output.fixed.contains) || hasPlugged)
    }.map { ($0.name, $0.outputs) }
  }
}
