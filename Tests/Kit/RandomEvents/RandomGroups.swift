import SessionModel

extension LawEvents {
  static let groups: [GroupID] = ["band", "speech", "all"]
  private static let members = [
    "session:a", "session:b", "session:*", "stream:c.main", "stream:*.main", "output:usb", "output:?fp",
    "player:bed",
    "capture:d", "session:nobody",
  ].compactMap { GroupPattern($0) }

  /// An event about groups of sessions, streams, captures, outputs and players.
  mutating func group(_ state: RouterState) -> Event {
    let id = pick(Self.groups)
    guard state.groups.contains(id) else { return .group(id, .create) }
    guard number(below: 12) > 0 else { return .group(id, .remove) }
    return .group(id, .set(groupSetting()))
  }

  private mutating func groupSetting() -> GroupSetting {
    switch number(below: 11) {
    case 0: .name(pick(["A", "B"]))
    case 1: .maximum(Double(number(below: 20) - 9))
    case 2...4: .muted(chance())
    case 5: .exclusive(chance())
    case 6...8: .members((0..<number(below: 3)).map { _ in pick(Self.members) })
    default:
      .gain(pick([.set(0), .set(-90), .set(6), .set(-20, over: 3), .set(10, over: 1), .stop, .store(-3)]))
    }
  }
}
