public import Presets
public import ServerInterface
import SessionModel

extension Equipment {
  /// What a router without a preset would find, and the programs that give sound.
  ///
  /// - Parameters:
  ///   - ports: all ports at the server. Those of a router do not count as a program's, and its bridges are no devices.
  ///   - connections: for each port, by full name, the ports that it is connected to.
  public init(_ ports: [SystemPort], connections: [String: [String]]) {
    let cables = Cables(ports, connections)
    let found = Discovery(RouterState(), ports.filter { !cables.isOfBridge($0) }).found
    func devices(_ direction: Direction) -> [Port] { found.filter { $0.0 == direction }.map(\.1) }
    var programs: [Source] = []
    for port in ports.sorted(by: { PortGlob.inChannelOrder(String($0.client), String($1.client)) })
    where cables.isOfProgram(port) && !port.isInput && !port.isMonitor {
      let client = String(port.client)
      let index = programs.firstIndex { $0.client == client } ?? programs.count
      if index == programs.count { programs.append(Source(client, ports: [])) }
      programs[index].ports.append(port.name)
      for sink in cables.sinks(of: port) {
        if cables.isOfProgram(sink) {
          programs[index].programs.append(sink.name)
        } else if sink.isDevice(.output) {
          programs[index].devices.append(sink.name)
        }
      }
    }
    for index in programs.indices {
      programs[index].ports = ChannelOrder.sorted(programs[index].ports) { $0 }
      programs[index].microphones = cables.microphones(reaching: programs[index].client)
    }
    self.init(outputs: devices(.output), inputs: devices(.input), programs: programs)
  }
}

/// The connections of ports, by clients.
private struct Cables {
  private let ports: [String: SystemPort]
  private let connections: [String: [String]]
  /// For each client, the ports of other clients and devices that give it sound.
  private var sources: [Substring: [SystemPort]] = [:]
  private let routers: Set<Substring>

  init(_ ports: [SystemPort], _ connections: [String: [String]]) {
    self.ports = Dictionary(ports.map { ($0.name, $0) }) { first, _ in first }
    self.connections = connections
    routers = Set(ports.map(\.client)).filter { PortKey.isRouter(String($0), in: ports) }
    for port in ports where !port.isInput {
      for sink in sinks(of: port) where sink.isInput { sources[sink.client, default: []].append(port) }
    }
  }

  func sinks(of port: SystemPort) -> [SystemPort] { (connections[port.name] ?? []).compactMap { ports[$0] } }

  /// Whether a port belongs to a program that is no router.
  func isOfProgram(_ port: SystemPort) -> Bool {
    !port.isDevice(.output) && !port.isDevice(.input) && !isOfRouter(port)
  }

  private func isOfRouter(_ port: SystemPort) -> Bool {
    port.client.hasPrefix("multiroute") || routers.contains(port.client)
  }

  /// Whether a port belongs to the program of a bridge that a router runs and will end.
  func isOfBridge(_ port: SystemPort) -> Bool {
    Bridge.Tool.allCases.contains { port.client.hasPrefix("\($0.rawValue.dropFirst(5))-") }
      && sinks(of: port).contains(where: isOfRouter)
  }

  /// The ports of devices whose sound reaches a client, also through other clients.
  func microphones(reaching client: String) -> [String] {
    var (reached, found): (Set<Substring>, [String]) = ([], [])
    var waiting = [client[...]]
    while let next = waiting.popLast() {
      guard reached.insert(next).inserted else { continue }
      for source in sources[next] ?? [] {
        if source.isDevice(.input) {
          if !found.contains(source.name) { found.append(source.name) }
        } else if !source.isMonitor {
          waiting.append(source.client)
        }
      }
    }
    return ChannelOrder.sorted(found) { $0 }
  }
}
