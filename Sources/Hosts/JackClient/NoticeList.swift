import ServerInterface

/// Events of the ring as notices: any number of changes of ports, connections or latencies gives one notice
/// each.
struct NoticeList {
  private(set) var notices: [ServerNotice] = []

  /// Adds an event of the ring; events come in the server's order.
  mutating func add(_ kind: NoticeRing.Kind, value: UInt32, text: String) {
    switch kind {
    case .portRegistered, .portUnregistered, .portRenamed: addOnce(.portsChanged)
    case .connected, .disconnected: addOnce(.connectionsChanged)
    case .latencies: addOnce(.latenciesChanged)
    case .xrun: notices.append(.xrun)
    case .period: notices.append(.periodChanged(Int(value)))
    case .rate: notices.append(.rateChanged(Int(value)))
    case .freewheel: notices.append(.freewheel(value != 0))
    case .shutdown: notices.append(.shutdown(reason: text))
    case .error, .information: break
    }
  }

  /// Adds a connection that was made or removed.
  mutating func add(_ kind: NoticeRing.Kind, _ link: Link?) {
    guard let link else { return }
    notices.append(kind == .connected ? .connected(link) : .disconnected(link))
  }

  /// Adds a notice of every kind of change, since a full ring dropped events.
  mutating func addEverything() {
    for notice in [ServerNotice.portsChanged, .connectionsChanged, .latenciesChanged] { addOnce(notice) }
  }

  private mutating func addOnce(_ notice: ServerNotice) {
    if !notices.contains(notice) { notices.append(notice) }
  }
}
