/// A notice from the audio server. Notices keep the server's order.
public enum ServerNotice: Equatable, Sendable {
  /// Ports appeared, disappeared or were renamed: read the port list again.
  case portsChanged
  /// A connection that may concern us was made or removed: read the connections again.
  case connectionsChanged
  /// This connection was made; `connectionsChanged` comes, too. The connections that are read show it after the next period.
  case connected(Link)
  /// This connection was removed; `connectionsChanged` comes, too.
  case disconnected(Link)
  /// Latencies may have changed: read them again.
  case latenciesChanged
  case xrun
  /// A sentence for the operator; sound continues.
  case remark(String)
  case periodChanged(Int)
  case rateChanged(Int)
  case freewheel(Bool)
  /// The server lives on and has thrown our client out; join it anew.
  case thrownOut(reason: String)
  /// The server is gone; close the client.
  case shutdown(reason: String)
}
