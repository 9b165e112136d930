/// Commands that the surface itself carries out. The table lists their arguments.
public enum Command: Sendable, CaseIterable {
  case createSession, removeSession, listSessions, configureSession, alive
  case processFile, cancelProcess
  case createStream, removeStream, listStreams
  case listOutputs, listInputs, forgetOutput, forgetInput, listPorts, listUnmatched, listDirect, listHung
  case beginInterruption, endInterruption, listInterruptions, clearInterruptions
  case align
  case ping, hello, bye, subscribe, unsubscribe, snapshot, sync, request, get
  case info, statistics, listAddresses, describe
  case reload
  case listPresets, recallPreset, recallNamedPreset, goToStandby, nextPreset, previousPreset, abortRecall
  case undoRecall, previewPreset, checkPreset
  case storePreset, updatePreset, listVersions, restorePreset, deletePreset, lockPreset
  case eventsSince
  case meter, resetClip

  /// Whether the command only reports, so that `/get` may call it.
  public var isReport: Bool {
    switch self {
    case .info, .statistics, .listSessions, .listStreams, .listOutputs, .listInputs, .listPorts,
      .listUnmatched, .listDirect, .listHung, .listInterruptions, .listPresets:
      true
    default: false
    }
  }
}
