import SessionModel

extension Layout.Page {
  /// The page of what the programs of a session receive, such as the mix-minus of a caller: the level of each part, and one sentence; nil
  /// for a session without a capture that names its parts.
  static func capture(of session: Session, in state: RouterState) -> Self? {
    let id = session.id.name
    let parts: [(name: String, kind: String, level: Leaf, isOn: Leaf, color: Tint)] =
      session.capture.sessions.keys.map { other in
        (
          state.sessions[other]?.label ?? other.name, "session",
          Leaf("/session/<s>/capture/session/<x>/gain", id, other.name),
          Leaf("/session/<s>/capture/session/<x>/on", id, other.name),
          Tint(state.sessions[other]?.color, else: .level)
        )
      }
      + session.capture.inputs.keys.map { input in
        (
          input.name, "input", Leaf("/session/<s>/capture/input/<i>/gain", id, input.name),
          Leaf("/session/<s>/capture/input/<i>/on", id, input.name),
          Tint(state.inputs[input]?.color, else: .level)
        )
      }
    guard session.capture.channels > 0, !parts.isEmpty else { return nil }
    var rest = Place(x: 0, y: 0, width: Layout.size.width, height: Layout.size.height).inset(by: 4)
    var head = rest.takeTop(44)
    let meters = (1...min(2, session.capture.channels)).map { Leaf("/meter/capture/<c>/<n>", id, "\($0)") }
    let lamps = zip(meters, head.takeRight(200).rows(meters.count)).map { meter, place in
      Widget(.meter(address: meter.address), .meter, at: place.inset(by: 4))
    }
    let why = Widget(.text(address: Leaf("/session/<s>/capture/why", id).address), at: head.inset(by: 4))
    let columns = rest.columns(max(parts.count, 5))
    let levels = zip(parts, columns).flatMap { part, place in
      channel(
        at: place, names: [.caption(part.name), .caption(part.kind)], level: part.level, meters: [],
        button: .toggle(part.isOn, label: "On"), lit: .on, part.color)
    }
    return Self(name: "To \(id)", widgets: [why] + lamps + levels)
  }
}
