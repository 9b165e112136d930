import MixEngine
import SessionModel

/// The ports of ours that exist at the server.
struct PortBook {
  private(set) var handles: [PortKey: PortHandle] = [:]
  /// Ports that the mix no longer needs, until the audio thread no longer uses them.
  private var retiring: [(key: PortKey, handle: PortHandle, serial: UInt64)] = []

  /// Makes what is missing. What is about to go is taken back: its name is not free yet.
  /// - Returns: what the server refused.
  mutating func provide(
    _ keys: [PortKey], at backend: any AudioBackend, in state: RouterState
  ) -> [(PortKey, BackendError)] {
    var refused: [(PortKey, BackendError)] = []
    for key in keys where handles[key] == nil {
      if let index = retiring.firstIndex(where: { $0.key == key }) {
        handles[key] = retiring.remove(at: index).handle
        continue
      }
      do throws(BackendError) {
        handles[key] = try backend.register(
          key.name, prettyName: key.prettyName(in: state), isSource: key.isSource)
      } catch {
        refused.append((key, error))
      }
    }
    return refused
  }

  /// Forgets what is not needed; `serial` is the first plan without it.
  mutating func retire(allBut keys: [PortKey], from serial: UInt64) {
    let needed = Set(keys)
    for (key, handle) in handles where !needed.contains(key) {
      handles[key] = nil
      retiring.append((key, handle, serial))
    }
  }

  /// Unregisters what the audio thread no longer uses.
  /// - Returns: whether there was anything.
  mutating func clean(at backend: any AudioBackend, adopted serial: UInt64) -> Bool {
    let count = retiring.count
    for port in retiring where port.serial <= serial { backend.unregister(port.handle) }
    retiring.removeAll { $0.serial <= serial }
    return retiring.count < count
  }

  var hasRetiring: Bool { !retiring.isEmpty }
}
