extension RouterState {
  /// The number of channels of a player: that of its stream.
  public func channels(of player: MediaPlayer) -> Int {
    sessions[player.session]?.streams[player.stream]?.channels ?? 0
  }

  /// The number of channels of a recorder's files, as far as its source exists.
  public func channels(of recorder: MediaRecorder) -> Int {
    recorder.channels > 0 ? recorder.channels : channels(of: recorder.source)
  }

  /// The number of channels of what a recorder records; 0 if it does not exist.
  public func channels(of source: RecorderSource) -> Int {
    switch source {
    case .session(let id): sessions[id]?.streams.values.map(\.channels).max() ?? 0
    case .stream(let session, let id): sessions[session]?.streams[id]?.channels ?? 0
    case .output(let id): outputs[id]?.channels ?? 0
    case .input(let id): inputs[id]?.channels ?? 0
    }
  }

  /// Whether there is what a recorder shall record. A device is there for this while it is away.
  public func has(_ source: RecorderSource) -> Bool {
    switch source {
    case .session(let id): sessions.contains(id)
    case .stream(let session, let id): sessions.contains(session) { $0.streams.contains(id) }
    case .output(let id): outputs.contains(id)
    case .input(let id): inputs.contains(id)
    }
  }

  /// The player that `/remote` reaches: the one that began to play last, of those that it may reach.
  public var remotePlayer: PlayerID? { nowPlayingPlayers.last { players[$0]?.isRemote == true } }
}
