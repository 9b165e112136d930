/// Something the audio server told us, in the order it told it.
public enum ServerNotice: Equatable, Sendable {
  /// Ports came, went or were renamed: look at the port list again.
  case portsChanged
  /// A connection that may concern us was made or broken: look again.
  case connectionsChanged
  case xrun
  /// Something that a person at the machine should know, as a sentence; sound goes on.
  case remark(String)
  case periodChanged(Int)
  case rateChanged(Int)
  case freewheel(Bool)
  /// The server is gone; nothing but closing the client makes sense now.
  case shutdown(reason: String)
}
