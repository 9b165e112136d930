import SessionModel

extension LawEvents {
  /// A setting or a report of voice processing, a mode that has it, or a capture that it processes.
  mutating func voice(_ id: SessionID) -> Event {
    switch number(below: 9) {
    case 0, 1:
      let mode = pick([Mode.voiceChat, .videoChat, .default])
      return .configure(id, SessionConfiguration(category: .playAndRecord, mode: mode))
    case 2: return .session(id, .voiceFallback(pick(VoiceFallback.allCases)))
    case 3, 4:
      var report = VoiceReport()
      report.state = pick(VoiceState.allCases)
      report.latency = Double(number(below: 3)) / 100
      return .voiceReported(id, report)
    case 5:
      let echo: [PortID]? = pick([nil, [], [pick(Self.outputs)]])
      return .port(.input, pick(Self.inputs), .echo(echo))
    case 6: return .session(id, .captureChannels(number(below: 3)))
    default: return .session(id, .voice(pick(VoicePart.allCases), pick([nil, false, true, true])))
    }
  }
}
