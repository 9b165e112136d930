/// Something the server told this client, in the order it told it.
public enum JackNotice: Hashable, Sendable {
  case portRegistered
  case portUnregistered
  case portRenamed
  case connected
  case disconnected
  case xrun
  case periodChanged(Int)
  case rateChanged(Int)
  case freewheel(Bool)
  /// The server is gone or has thrown the client out; only closing makes sense now.
  case shutdown(reason: String)
  /// So much happened that some of it was dropped: look at everything again.
  case overflow

  init?(_ kind: NoticeRing.Kind, value: UInt32, text: String) {
    switch kind {
    case .portRegistered: self = .portRegistered
    case .portUnregistered: self = .portUnregistered
    case .portRenamed: self = .portRenamed
    case .connected: self = .connected
    case .disconnected: self = .disconnected
    case .xrun: self = .xrun
    case .period: self = .periodChanged(Int(value))
    case .rate: self = .rateChanged(Int(value))
    case .freewheel: self = .freewheel(value != 0)
    case .shutdown: self = .shutdown(reason: text)
    case .error, .information: return nil
    }
  }
}
