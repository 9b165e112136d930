import Parameters
import SessionModel

extension Notification {
  /// What the notification is about, for programs that read the log.
  var subjects: [LogLine.Subject] {
    switch self {
    case .interruption(let session, _, let cause): [.init(.session, session), .init(.by, cause.name)]
    case .port(let direction, let port, _): [.init(direction == .output ? .output : .input, port)]
    case .player(let player, _), .nowPlaying(let player, _, _, _): [.init(.player, player)]
    case .recorder(let recorder, _): [.init(.recorder, recorder)]
    case .preset(let preset, _, _): [.init(.preset, preset)]
    case .health(let rule, _, _): [.init(.rule, rule.rawValue)]
    default: session.map { [.init(.session, $0)] } ?? []
    }
  }
}
