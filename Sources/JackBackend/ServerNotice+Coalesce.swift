import JackClient
import SessionModel

extension ServerNotice {
  /// What the router needs to know of a client's notices: any number of changes of ports or of connections asks for one look.
  static func coalesce(_ notices: [JackNotice]) -> [ServerNotice] {
    var result: [ServerNotice] = []
    func addOnce(_ notice: ServerNotice) { if !result.contains(notice) { result.append(notice) } }
    for notice in notices {
      switch notice {
      case .portRegistered, .portUnregistered, .portRenamed: addOnce(.portsChanged)
      case .connected, .disconnected: addOnce(.connectionsChanged)
      case .overflow:
        addOnce(.portsChanged)
        addOnce(.connectionsChanged)
      case .xrun: result.append(.xrun)
      case .periodChanged(let frames): result.append(.periodChanged(frames))
      case .rateChanged(let rate): result.append(.rateChanged(rate))
      case .freewheel(let on): result.append(.freewheel(on))
      case .shutdown(let reason): result.append(.shutdown(reason: reason))
      }
    }
    return result
  }
}
