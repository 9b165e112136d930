public import SessionModel

/// Commands that the surface itself carries out. The table lists their arguments.
public enum Command: Hashable, Sendable {
  case createSession, removeSession, listSessions, configureSession, listArrivals, alive
  case processFile, cancelProcess
  case createStream, removeStream, listStreams
  case listOutputs, listInputs, forgetOutput, forgetInput, listPorts, listUnmatched, listDirect, listHung
  case beginInterruption, endInterruption, listInterruptions, clearInterruptions
  case align
  case ping, hello, presentToken, bye, subscribe, unsubscribe, snapshot, resync, sync, request, get, whatIf
  case client(ClientSetting)
  case info, statistics, metrics, listRouters, listEffects, listAddresses, describe
  case reload, recover
  case listHealth
  case listPresets, recallPreset, recallNamedPreset, goToStandby, nextPreset, previousPreset, abortRecall
  case undoRecall, previewPreset, checkPreset
  case storePreset, updatePreset, listVersions, restorePreset, deletePreset, lockPreset
  case eventsSince, eventLines
  case meter, resetClip
  /// The event of a parameter's action.
  case act
  case createPlayer, removePlayer, listPlayers, loadPlayer
  case addToQueue, insertIntoQueue, listQueue, saveQueue
  case remote(RemoteVerb)
  case findInLibrary, scanLibrary
  case listLibrary(LibraryGroup)
  case makeToken, listTokens, withdrawToken, drawCode
  case createGroup, removeGroup, listGroups
  case createRecorder, removeRecorder, listRecorders, listRecordings, deleteRecording

  /// Whether the command makes a setting of its sender, or reads it.
  public var isSetting: Bool { if case .client = self { true } else { false } }

  /// Whether the command always has an answer of its own.
  public var hasAnswer: Bool {
    switch self {
    case .ping, .hello, .presentToken, .makeToken, .drawCode, .sync, .get, .whatIf, .listAddresses, .describe,
      .eventsSince, .eventLines, .meter,
      .previewPreset,
      .checkPreset, .listVersions, .findInLibrary, .listLibrary, .listRecordings, .metrics, .listRouters,
      .listEffects:
      true
    default: isReport
    }
  }

  /// Whether the command only reports, so that `/get` may call it.
  public var isReport: Bool {
    switch self {
    case .info, .statistics, .listSessions, .listArrivals, .listStreams, .listOutputs, .listInputs,
      .listPorts,
      .listUnmatched, .listDirect, .listHung, .listHealth, .listInterruptions, .listPresets, .listPlayers,
      .listQueue,
      .listRecorders, .listTokens, .listGroups:
      true
    default: false
    }
  }
}

/// What a client sets about its answers and its feedback, by the last word of the address below `/client`.
public enum ClientSetting: String, CaseIterable, Sendable {
  case port, keep, echo, rate, boolean, timetags, ack, bundles
}

/// An order to whatever plays, as a remote control or the keys of a headset give it.
public enum RemoteVerb: String, CaseIterable, Sendable {
  case play, pause, toggle, stop, next, previous
  /// Held buttons.
  case seekForward, seekBack

  /// The order to a player of the router.
  /// - Parameter isHeld: whether a held button is down.
  public func order(isHeld: Bool = true) -> PlayerOrder {
    switch self {
    case .play: .play()
    case .pause: .pause
    case .toggle: .toggle
    case .stop: .stop
    case .next: .next
    case .previous: .previous
    case .seekForward: .wind(.forward, isHeld)
    case .seekBack: .wind(.back, isHeld)
    }
  }
}

/// The groups by which the music library lists what it has.
public enum LibraryGroup: String, CaseIterable, Sendable {
  case songs, albums, artists, genres, composers, playlists, podcasts, audiobooks, compilations
}
