public import SessionModel

extension Notification {
  /// The address of the notification for subscribers and the events file, such as `/event/active`.
  public var address: String {
    switch self {
    case .route: "/event/route"
    case .inputs: "/event/inputs"
    case .active: "/event/active"
    case .interruption: "/event/interruption"
    case .recommendation: "/event/recommend"
    case .hint: "/event/hint"
    case .outputMute: "/event/mute"
    case .category: "/event/category"
    case .session: "/event/session"
    case .port: "/event/port"
    case .media: "/event/media"
    case .player: "/event/player"
    case .recorder: "/event/recorder"
    case .nowPlaying: "/event/nowplaying"
    case .preset: "/event/preset"
    case .process: "/event/process"
    case .xrun: "/event/xrun"
    case .report: "/event/report"
    case .health: "/event/health"
    case .glitch: "/event/glitch"
    case .error: "/event/error"
    }
  }

  /// The arguments after the notification's serial number, in the order of docs/develop/law/osc.md#12-events.
  public var arguments: [EventArgument] {
    func text(_ text: some CustomStringConvertible) -> EventArgument { .text("\(text)") }
    func number(_ number: Int) -> EventArgument { .integer(Int32(clamping: number)) }
    func flag(_ isOn: Bool) -> EventArgument { .integer(isOn ? 1 : 0) }
    switch self {
    case .route(let session, let reason, let previous, let current):
      return [
        text(session), number(reason.rawValue), text("\(reason)"), text(previous.text), text(current.text),
      ]
    case .inputs(let session): return [text(session)]
    case .active(let session, let isActive, let agent):
      return [text(session), flag(isActive), text(agent.rawValue)]
    case .interruption(let session, .began(let reason), let interrupter):
      return [text(session), text("began"), number(reason.rawValue), text(interrupter.name)]
    case .interruption(let session, .ended(let shouldResume), let interrupter):
      return [text(session), text("ended"), flag(shouldResume), text(interrupter.name)]
    case .recommendation(let session, let shouldResume): return [text(session), flag(shouldResume)]
    case .hint(let session, let isSilenced): return [text(session), flag(isSilenced)]
    case .outputMute(let session, let isMuted): return [text(session), flag(isMuted)]
    case .category(let session, let configuration):
      return [
        text(session), text(configuration.category.rawValue), text(configuration.mode.rawValue),
        text(configuration.options.text),
      ]
    case .session(let session, let change): return [text(session), text(change.rawValue)]
    case .port(let direction, let port, let isAvailable):
      return [text(direction == .input ? "in" : "out"), text(port), flag(isAvailable)]
    case .media(let isRunning): return [text(isRunning ? "reset" : "lost")]
    case .player(let id, let phase): return [text(id), text(phase.text)]
    case .recorder(let id, let phase): return [text(id), text(phase.text)]
    case .nowPlaying(let id, let index, let media, let title):
      return [text(id), number(index), text(media), text(title)]
    case .preset(let id, let phase, let fade): return [text(id), text(phase.rawValue), .number(fade)]
    case .process(let session, let phase, let output):
      return [text(session), text(phase.rawValue), text(output)]
    case .xrun(let count, _): return [number(count)]
    case .report(let session, let report):
      return [text(session?.name ?? ""), text(report.key.rawValue), text(report.value)]
    case .health(let rule, let isOn, let sentence): return [text(rule.rawValue), flag(isOn), text(sentence)]
    case .glitch(let count, let cause, let seconds, let stage, _):
      return [number(count), text(cause.rawValue), .number(seconds), text(stage.rawValue)]
    case .error(let client, let address, let error):
      return [
        number(client), number(error.code.rawValue), text(address), text(error.code.symbol),
        text(error.sentence),
      ]
    }
  }
}
