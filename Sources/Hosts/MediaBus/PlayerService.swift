/// The router as a media player: a value that answers calls.
struct PlayerService {
  /// The name that people see.
  let identity: String
  var now: NowPlaying?

  /// Answers a call at a time.
  ///
  /// - Parameter ask: receives what the caller asks of the player.
  func answer(_ call: PlayerCall, at time: Double, _ ask: (RemoteRequest) -> Void) -> PlayerAnswer {
    guard call.path == PlayerInterface.path || call.member == "Introspect" else {
      return .refusal(.unknownObject, "there is no \(call.path); the player is \(PlayerInterface.path)")
    }
    let interface = call.interface.flatMap(PlayerInterface.init(rawValue:))
    if let name = call.interface, interface == nil {
      return .refusal(.unknownInterface, "\(call.path) has no interface \(name)")
    }
    for candidate in interface.map({ [$0] }) ?? PlayerInterface.allCases {
      guard let arguments = candidate.methods.first(where: { $0.key == call.member })?.value else { continue }
      let wanted = arguments.filter { !$0.isResult }.map(\.type).joined()
      guard wanted == call.signature else {
        return .refusal(
          .badArguments,
          "\(call.member) takes arguments of the types '\(wanted)', and these are '\(call.signature)'")
      }
      switch candidate {
      case .root: return .done
      case .player: return control(call, at: time, ask)
      case .properties: return properties(call, at: time, ask)
      case .introspectable: return introspect(call.path)
      }
    }
    return .refusal(.unknownMethod, "there is no method \(call.member)")
  }

  private func introspect(_ path: String) -> PlayerAnswer {
    guard let text = PlayerInterface.description(of: path) else {
      return .refusal(.unknownObject, "there is no \(path)")
    }
    return .values([.string(text)])
  }

  // MARK: Methods of the player

  private func control(_ call: PlayerCall, at time: Double, _ ask: (RemoteRequest) -> Void) -> PlayerAnswer {
    if call.member == "OpenUri" {
      return .refusal(.notSupported, "\(identity) opens no URI: its queues play files of its media folders")
    }
    guard let now else {
      let isRefused = call.member == "PlayPause"
      return isRefused ? .refusal(.failed, "\(identity) has no player that plays") : .done
    }
    switch call.member {
    case "Play": if now.canPlay { ask(.verb(.play)) }
    case "Pause": if now.canPause { ask(.verb(.pause)) }
    case "PlayPause":
      guard now.canPause else { return .refusal(.failed, "this player cannot pause") }
      ask(.verb(.toggle))
    case "Stop": ask(.verb(.stop))
    case "Next": if now.canGoNext { ask(.verb(.next)) }
    case "Previous": if now.canGoPrevious { ask(.verb(.previous)) }
    case "Seek":
      if case .int(let offset)? = call.arguments.first { seek(now, by: Double(offset) * 1e-6, at: time, ask) }
    default:
      if case (.path(let path)?, .int(let place)?) = (call.arguments.first, call.arguments.last) {
        setPosition(now, path, Double(place) * 1e-6, ask)
      }
    }
    return .done
  }

  /// Seeks; behind the end that is the next track, and before the start it is the start.
  private func seek(_ now: NowPlaying, by offset: Double, at time: Double, _ ask: (RemoteRequest) -> Void) {
    guard now.canSeek, let track = now.track else { return }
    let position = now.position(at: time)
    if let length = track.length, position + offset > length {
      if now.canGoNext { ask(.verb(.next)) }
    } else {
      ask(.seek(by: max(offset, -position)))
    }
  }

  /// A place outside the track, or a place in a track that is no longer the present one, means nothing.
  private func setPosition(_ now: NowPlaying, _ path: String, _ place: Double, _ ask: (RemoteRequest) -> Void)
  {
    guard now.canSeek, let track = now.track, track.path == path else { return }
    if place >= 0, place <= track.length ?? .infinity { ask(.position(place)) }
  }
}
