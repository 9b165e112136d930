/// The JACK clients and ports of the rig's devices.
///
/// A server that runs as fast as it can stalls when clients come or go. There what can be plugged is the jacks of one panel, whose
/// plugs JACK does not see; in real time each device is a client of its own, and headphones always come with their microphone.
struct RigWiring {
  let pace: Rig.Pace

  private static let panel = "Panel"

  /// The JACK client of a device.
  func client(of device: Device) -> String {
    switch (pace, device) {
    case (.freewheel, _): Self.panel
    case (.realTime, .phones): Device.headset.rawValue
    case (.realTime, _): device.rawValue
    }
  }

  /// A client that simulates devices.
  struct Client {
    var name: String
    var outputs: [Output]
    var inputs: [Input]
    /// Whether a scenario makes the client appear and disappear.
    var isPlugged = false
  }

  /// All clients that simulate devices.
  var clients: [Client] {
    let fixed =
      Output.fixed.map { Client(name: $0.rawValue, outputs: [$0], inputs: []) }
      + [Client(name: Input.mic.rawValue, outputs: [], inputs: [.mic])]
    guard pace == .realTime else {
      return fixed + [Client(name: Self.panel, outputs: Output.pluggable, inputs: Input.pluggable)]
    }
    return fixed
      + Device.allCases.filter { $0 != .phones }.map {
        Client(name: client(of: $0), outputs: $0.outputs, inputs: $0.inputs, isPlugged: true)
      }
  }

  /// The preset of the rig.
  var preset: String {
    var ports: [String: [String]] = [:]
    for client in clients {
      var first = 1
      for output in client.outputs {
        let names = (first..<first + output.channels).map { "\"\(client.name):playback_\($0)\"" }
        first += output.channels
        ports[output.rawValue, default: ["\"type\": \"\(output.type)\""]] += [
          "\"outputs\": [\(names.joined(separator: ", "))]", "\"ceiling\": 0",
        ]
      }
      first = 1
      for input in client.inputs {
        let names = (0..<max(1, input.sources.count)).map { source in
          let start = first + source * input.channels
          return "["
            + (start..<start + input.channels).map { "\"\(client.name):capture_\($0)\"" }
            .joined(separator: ", ") + "]"
        }
        first += input.sines.count
        let sources = zip(input.sources, names).map { "\"\($0)\": \($1)" }.joined(separator: ", ")
        ports[input.rawValue, default: ["\"type\": \"\(input.type)\""]].append(
          sources.isEmpty ? "\"inputs\": \(names[0])" : "\"sources\": { \(sources) }")
      }
    }
    if pace == .freewheel {
      for id in Set(Output.pluggable.map(\.rawValue) + Input.pluggable.map(\.rawValue)) {
        ports[id]?.append("\"plugged\": false")
      }
    }
    let order = Output.allCases.map(\.rawValue) + Input.allCases.map(\.rawValue)
    let lines = order.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.map {
      "\"\($0)\": { \((ports[$0] ?? []).joined(separator: ", ")) }"
    }
    return "{ \"multiroute\": 1, \"ports\": {\n\(lines.joined(separator: ",\n")) } }"
  }
}
