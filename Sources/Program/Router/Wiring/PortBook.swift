import MixKernel
import ServerInterface
import SessionModel

/// The router's own JACK ports: those that exist at the server, those that it has asked for, and those that it no longer needs.
struct PortBook {
  /// The ports that exist, which a plan may use.
  private(set) var handles: [PortKey: PortHandle] = [:]
  /// Ports that the router has asked for, with the number of the first such request. Reports of older requests do not concern them.
  private var asked: [String: (key: PortKey, request: Int)] = [:]
  /// Ports that the mix no longer needs. They remain until the audio thread has adopted the plan with this serial number.
  private var retiring: [(key: PortKey, handle: PortHandle, serial: UInt64)] = []
  /// All these ports for the next request, in the order in which the router first asked for them.
  private(set) var list: [GraphRequest.Port] = []

  var hasRetiring: Bool { !retiring.isEmpty }

  /// Asks for missing ports, even if the server refused them before. A port that retires is used again.
  /// - Parameter request: the number of the next request.
  mutating func want(_ keys: [PortKey], in state: RouterState, by request: Int) {
    for key in keys where handles[key] == nil && asked[key.name] == nil {
      if let index = retiring.firstIndex(where: { $0.key == key }) {
        handles[key] = retiring.remove(at: index).handle
        continue
      }
      asked[key.name] = (key, request)
      list.append(
        GraphRequest.Port(name: key.name, prettyName: key.prettyName(in: state), isSource: key.isSource))
    }
  }

  /// Notes the ports that the server has made or refused.
  /// - Returns: whether there are new ports, and the refused ports with the errors.
  mutating func observe(_ report: GraphReport) -> (isNew: Bool, refused: [(String, AudioServerError)]) {
    var isNew = false
    var refused: [(String, AudioServerError)] = []
    for (name, entry) in asked where entry.request <= report.request {
      if let handle = report.ports[name] {
        handles[entry.key] = handle
        isNew = true
      } else if let error = report.refusedPorts[name] {
        refused.append((name, error))
        list.removeAll { $0.name == name }
      } else {
        continue
      }
      asked[name] = nil
    }
    return (isNew, refused.sorted { $0.0 < $1.0 })
  }

  /// Retires all ports that are not needed. `serial` is the number of the first plan that does not use them.
  mutating func retire(allBut keys: [PortKey], from serial: UInt64) {
    let needed = Set(keys)
    for (key, handle) in handles where !needed.contains(key) {
      handles[key] = nil
      retiring.append((key, handle, serial))
    }
    // A port that does not exist yet is used by no plan, so it is removed at once.
    let names = Set(asked.values.filter { !needed.contains($0.key) }.map(\.key.name))
    guard !names.isEmpty else { return }
    for name in names { asked[name] = nil }
    list.removeAll { names.contains($0.name) }
  }

  /// Removes retired ports from the list that the audio thread no longer uses, because it has adopted a later plan.
  /// - Returns: whether any port was removed.
  mutating func clean(adopted serial: UInt64) -> Bool {
    let names = Set(retiring.filter { $0.serial <= serial }.map(\.key.name))
    guard !names.isEmpty else { return false }
    retiring.removeAll { $0.serial <= serial }
    list.removeAll { names.contains($0.name) }
    return true
  }
}
