/// What happens to a group.
public enum GroupEvent: Equatable, Sendable {
  case create
  case remove
  case set(GroupSetting)
}

/// An operator's setting of a group.
public enum GroupSetting: Equatable, Sendable {
  case name(String)
  case color(Color?)
  case members([GroupPattern])
  case gain(ControlMove)
  case maximum(Double)
  case muted(Bool)
  case exclusive(Bool)
}
