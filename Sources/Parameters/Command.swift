/// What the surface itself carries out; the arguments stand in the table.
public enum Command: Sendable, CaseIterable {
  case createSession, removeSession, listSessions, configureSession, alive
  case createStream, removeStream, listStreams
  case listOutputs, listInputs
  case beginInterruption, endInterruption, listInterruptions, clearInterruptions
  case align
  case ping, hello, bye, subscribe, unsubscribe, snapshot, sync, request, get
  case info, statistics, listAddresses, describe
  case eventsSince
  case meter, resetClip

  /// Whether it only reports, and so is a get, too.
  public var isReport: Bool {
    switch self {
    case .info, .statistics, .listSessions, .listStreams, .listOutputs, .listInputs, .listInterruptions: true
    default: false
    }
  }
}
