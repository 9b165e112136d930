import Parameters

/// One thing on a page: a fader, a button, a label.
struct Widget: Equatable {
  let place: Place
  let role: Role
  let color: Tint

  enum Role: Equatable {
    /// Moves a level or a control of a plugin, and follows it.
    case fader(Leaf)
    /// Shows a number from 0 to 1.
    case meter(address: String)
    /// Turns a switch on and off, and shows it.
    case toggle(Leaf, label: String)
    /// Turns a switch on while it is held, and shows it.
    case hold(Leaf, label: String)
    /// Fires a trigger; nothing comes back.
    case trigger(Leaf, label: String)
    /// Fires a trigger, and shows whether its effect is in force.
    case lamp(Leaf, label: String)
    /// Shows a text.
    case text(address: String)
    /// A text that never changes.
    case caption(String)
  }

  init(_ role: Role, _ color: Tint = .plain, at place: Place) {
    switch role {
    case .fader(let leaf): precondition(leaf.kind == .level || leaf.isPluginControl)
    case .toggle(let leaf, _), .hold(let leaf, _): precondition(leaf.kind == .toggle)
    case .trigger(let leaf, _), .lamp(let leaf, _): precondition(leaf.kind == .trigger)
    case .meter, .text, .caption: break
    }
    (self.role, self.color, self.place) = (role, color, place)
  }
}

/// The colour of a widget.
enum Tint: Equatable {
  case plain, level, meter, mute, on, scene, go, call, panic
  /// The colour of a session, stream or port, as `#rrggbb`.
  case own(String)
  /// The colour of a strip's target, which the router tells.
  case strip(Int)

  /// The colour as `#rrggbb`; of a strip the colour while its target has none.
  var hex: String {
    switch self {
    case .plain: "#5f6f80"
    case .level, .strip: "#4a90d9"
    case .meter: "#3fae5a"
    case .mute: "#d9534a"
    case .on: "#3fae5a"
    case .scene: "#8a6fd1"
    case .go: "#2fbf4f"
    case .call: "#e0a030"
    case .panic: "#e02020"
    case .own(let hex): hex
    }
  }
}
