import ControlInterface
import SessionModel

/// The families about ports, sessions, clients, players and recorders.
extension MetricsPage {
  static func ports(_ router: RouterReading) -> [MetricFamily] {
    let state = router.state
    var available = MetricFamily(
      "multiroute_port_available", .gauge, "Whether the output or input can be used.")
    for direction in [Direction.output, .input] {
      for port in state[direction].values {
        available.add(
          port.isAvailable,
          [("direction", direction.rawValue), ("port", port.id.name), ("type", port.type.rawValue)])
      }
    }
    var limited = MetricFamily(
      "multiroute_limited_samples_total", .counter, "Samples that the limiter of the output reduced.")
    for id in state.outputs.keys {
      limited.add(Double(router.audio.limitedSamples[id] ?? 0), ("output", id.name))
    }
    var broken = MetricFamily(
      "multiroute_broken_blocks_total", .counter,
      "Blocks of the source that became silence, because they had samples that were not numbers.")
    func add(_ source: AudioTotals.Source, _ name: String) {
      broken.add(Double(router.audio.brokenBlocks[source] ?? 0), ("source", name))
    }
    for id in state.inputs.keys { add(.input(id), "input:\(id)") }
    for session in state.sessions.values {
      for stream in session.streams.keys {
        add(.stream(session.id, stream), "stream:\(session.id).\(stream)")
      }
    }
    for id in state.players.keys { add(.player(id), "player:\(id)") }
    return [available, limited, broken]
  }

  static func sessions(_ reading: MetricsReading) -> [MetricFamily] {
    var active = MetricFamily("multiroute_session_active", .gauge, "Whether the session is active.")
    var interrupted = MetricFamily(
      "multiroute_session_interrupted", .gauge, "Whether the session is interrupted.")
    var ducked = MetricFamily(
      "multiroute_session_ducked", .gauge, "Whether another session ducks the session in an output.")
    for session in reading.router.state.sessions.values {
      let labels = [
        ("session", session.id.name), ("category", session.category.rawValue),
        ("mode", session.mode.rawValue),
      ]
      active.add(session.isActive, labels)
      interrupted.add(session.displacement != nil, labels)
      ducked.add(session.ducks.contains { $0.isDucked }, labels)
    }
    var interruptions = MetricFamily(
      "multiroute_interruptions_total", .counter,
      "Interruptions of sessions, by the session, source or port that caused them.")
    for (source, count) in reading.events.interruptions.sorted(by: { $0.key < $1.key }) {
      interruptions.add(Double(count), ("source", source))
    }
    return [active, interrupted, ducked, interruptions] + voices(reading.router.state)
  }

  private static func voices(_ state: RouterState) -> [MetricFamily] {
    var reduction = MetricFamily(
      "multiroute_echo_return_loss_enhancement_decibels", .gauge,
      "By how many decibels the echo canceller of the session reduces the echo; absent while it does not work."
    )
    var late = MetricFamily(
      "multiroute_voice_late_frames_total", .counter,
      "Frames of the session's capture that were not processed because voice processing was late.")
    for id in state.sessions.keys {
      if let decibels = state.loop.voices[id] { reduction.add(decibels, ("session", id.name)) }
    }
    for id in state.reportingVoices {
      late.add(Double(state.sessions[id]?.voiceReport.lateFrames ?? 0), ("session", id.name))
    }
    return [reduction, late]
  }

  static func surface(_ reading: MetricsReading) -> [MetricFamily] {
    var messages = MetricFamily(
      "multiroute_osc_messages_total", .counter, "Packets of OSC that have arrived.")
    var clients = MetricFamily("multiroute_osc_clients", .gauge, "Clients of OSC that are registered.")
    for transport in reading.surface.transports {
      messages.add(Double(transport.packets), ("transport", transport.name))
      clients.add(Double(transport.clients), ("transport", transport.name))
    }
    var errors = MetricFamily(
      "multiroute_osc_errors_total", .counter, "Errors that were answered to clients of OSC.")
    for code in ErrorCode.allCases {
      errors.add(Double(reading.events.errors[code] ?? 0), ("symbol", code.symbol))
    }
    return [messages, errors, clients]
  }

  static func media(_ reading: MetricsReading) -> [MetricFamily] {
    let state = reading.router.state
    var states = MetricFamily(
      "multiroute_player_state", .gauge, "What the player does: 1 for its present state, 0 for the others.")
    var underruns = MetricFamily(
      "multiroute_player_underruns_total", .counter, "How often the disk was too slow for the player.")
    var buffers = MetricFamily(
      "multiroute_player_buffer_seconds", .gauge, "Sound of the player that lies ready in memory.")
    for player in state.players.values {
      let id = player.id.name
      for word in PlayerState.allCases {
        states.add(word == player.state, [("player", id), ("state", word.rawValue)])
      }
      underruns.add(Double(reading.events.underruns[player.id] ?? 0), ("player", id))
      buffers.add(player.facts.buffered, ("player", id))
    }
    var written = MetricFamily(
      "multiroute_recorder_written_bytes_total", .counter, "Bytes of all files that the recorder has written."
    )
    var lost = MetricFamily(
      "multiroute_recorder_lost_frames_total", .counter,
      "Frames for which silence stands in recordings, because the disk was too slow.")
    for id in state.recorders.keys {
      written.add(Double(state.loop.writtenBytes[id] ?? 0), ("recorder", id.name))
      lost.add(Double(reading.events.lostFrames[id] ?? 0), ("recorder", id.name))
    }
    var free = MetricFamily(
      "multiroute_disk_free_bytes", .gauge, "Free space of the disk on which the folder is.")
    for entry in reading.freeBytes { free.add(Double(entry.bytes), ("folder", entry.folder)) }
    return [states, underruns, buffers, written, lost, free]
  }
}
