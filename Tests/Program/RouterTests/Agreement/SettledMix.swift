import MixEngine
import SessionModel

@testable import Router

/// What the outputs play of a state once all ramps and fades have ended: the mix that the router gives to its engine, multiplied out. Every
/// program that a session has, and every device that is there, sounds.
struct SettledMix {
  private let levels: MixLevels
  private let sends: [SendKey: Float]
  /// The amplitude of the loudest channel of each send itself, not of what is soloed, by output.
  private var loudest: [Place: Float] = [:]
  /// What is soloed at monitor outputs, and how loud.
  private var soloed: [(monitor: PortID, cell: MixTopology.Cell, amplitude: Float)] = []

  private struct Place: Hashable {
    let send: SendKey
    let output: PortID
  }

  init(_ state: RouterState) {
    var liveness = Liveness()
    liveness.outputs = Set(state.outputs.keys)
    liveness.inputs = Set(state.inputs.keys)
    for session in state.sessions.values where session.hasSource {
      for id in session.streams.keys {
        liveness.streams.insert(StreamAddress(session: session.id, stream: id))
      }
    }
    levels = LevelBuilder.levels(of: state, liveness, at: .infinity)
    sends = Dictionary(uniqueKeysWithValues: levels.sends.map { ($0.key, $0.level.target) })
    // The mix keeps what is soloed for the next server, and plays nothing until then.
    guard state.server.isRunning else { return }
    for cell in TopologyBuilder.topology(of: state).cells {
      guard let output = cell.key.sink.output, state.sounds(cell.key.row.source),
        state.outputs[output]?.desktopVolume?.isSilent != true
      else { continue }
      let amplitude = amplitude(cell, output)
      if cell.key.row.stages.contains(.soloLevel(output)) {
        soloed.append((output, cell, amplitude))
      } else {
        let place = Place(send: cell.send, output: output)
        loudest[place] = max(loudest[place] ?? 0, amplitude)
      }
    }
  }

  /// The amplitude with which an output plays the loudest channel of a send. Balances and width only place a sound, so they do not count.
  func amplitude(of send: SendKey, at output: PortID) -> Float {
    loudest[Place(send: send, output: output)] ?? 0
  }

  /// Whether a monitor output plays anything of a sound that is soloed there.
  func isHeard(_ part: SoloPart, soloedAt monitor: PortID) -> Bool {
    soloed.contains { $0.monitor == monitor && $0.amplitude > 0 && $0.cell.key.row.isOf(part) }
  }

  private func amplitude(_ cell: MixTopology.Cell, _ output: PortID) -> Float {
    var stages =
      cell.key.row.stages + [.outputGain(output), .outputMute(output), .outputGate(output), .panic]
    if let ducked = cell.key.row.ducked { stages.append(.duck(ducked, output)) }
    return stages.reduce(abs(cell.key.scale) * (sends[cell.send] ?? 0)) { $0 * level($1) }
  }

  private func level(_ stage: StageKey) -> Float {
    switch stage {
    case .streamPan, .sendPan, .playerPan, .outputBalance, .streamWidth, .inputWidth: 1
    default: levels.stages[stage]?.target ?? 1
    }
  }
}

extension MixTopology.RowKey {
  /// Whether a row at a monitor output is that of a soloed sound.
  fileprivate func isOf(_ part: SoloPart) -> Bool {
    // Only the rows of an output's solo have the stages of another output.
    let outputs = stages.compactMap { if case .outputGate(let id) = $0 { id } else { nil } }
    return switch part {
    case .stream(let session, let stream): outputs.isEmpty && stages.contains(.streamGate(session, stream))
    case .input(let id):
      outputs.isEmpty && source.input == id
        && !stages.contains { if case .streamGate = $0 { true } else { false } }
    case .output(let id): outputs == [id]
    case .player: false
    }
  }
}

extension RouterState {
  /// Whether sound arrives at a source of the mix: from programs that feed the stream, as the desktop lets them through, or from a microphone
  /// whose own button does not mute it.
  fileprivate func sounds(_ source: MixPoint) -> Bool {
    switch source {
    case .port(.stream(let session, let id, _)):
      guard let stream = sessions[session]?.streams[id] else { return false }
      let volumes = stream.programVolumes.map(\.volume)
      let isFed =
        stream.sources.isEmpty || stream.sources.contains { if case .ports = $0 { true } else { false } }
      return isFed && (volumes.isEmpty || volumes.contains { !$0.isSilent })
    case .port(.input(let id, _)):
      return inputs[id].map { !$0.isHardwareMuted && $0.desktopVolume?.isSilent != true } ?? false
    default: return false
    }
  }
}
