import SessionModel

extension Table {
  /// What processes the voice in a session's capture.
  @_optimize(none)
  static var voice: [Parameter] {
    VoicePart.allCases.map { part in
      Parameter(
        "/session/<s>/voice/\(part)", .inheritableToggle, scope: .process, key: part.rawValue,
        session.value(
          read: { $0.voice[part].map { .flag($0) } ?? .text(Parameter.Inheritance.word) },
          write: { value throws(SessionError) in
            .voice(part, value == .text(Parameter.Inheritance.word) ? nil : try Bool(value))
          }), part.summary)
    } + [
      Parameter(
        "/session/<s>/voice/fallback", .choice(of: VoiceFallback.self), scope: .process, key: "fallback",
        session.value(\.voice.fallback) { .voiceFallback($0) },
        "What programs hear while processing is late: dry, the microphone; gated, silence while loudspeakers are loud."
      ),
      Parameter(
        "/session/<s>/voice/state", .choice(of: VoiceState.self), session.readOnly(\.voiceReport.state),
        "off; working; diverged: the echo is not found; late: the microphone is passed on unprocessed."
      ),
      Parameter(
        "/session/<s>/voice/delay", .number(0...10), unit: "s",
        session.observed { $0.state.echoDelay(of: $1)?.fromMix ?? 0 },
        "From the mix to its echo in the microphone; 0 without a canceller."),
      Parameter(
        "/session/<s>/voice/erle", .number(-200...200), unit: "dB",
        .measured { state, target in
          target.session.flatMap { state.loop.voices[$0] }.map { .number($0) }
        },
        "By how much the canceller reduces the echo; absent while it does not work."
      ),
    ]
  }
}

extension VoicePart {
  /// The meaning of the part's switch.
  fileprivate var summary: String {
    switch self {
    case .echo:
      "Whether the echo canceller is on; `inherit`: in voiceChat, videoChat and gameChat. On in playAndRecord with the mode default sets voiceChat."
    case .noise: "Whether steady noise is suppressed; `inherit` as for `echo`."
    case .level:
      "Whether the voice's level is automatic; `inherit` as for `echo`."
    case .highpass: "Whether rumble is removed; `inherit` as for `echo`."
    }
  }
}
