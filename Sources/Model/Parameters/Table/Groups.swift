public import SessionModel

extension Table {
  @_optimize(none)
  static var groups: [Parameter] {
    [
      Parameter(
        "/group/create", .command("s id [s member...]"), .surface(.createGroup),
        "Makes a group of sessions, streams, captures, outputs and players."),
      Parameter(
        "/group/remove", .command("s id"), .surface(.removeGroup), "Removes a group; its members stay."),
      Parameter(
        "/group/list", .command(""), right: .view, .surface(.listGroups),
        "Lists groups: index, total, id, name, members that exist, muted."),
      Parameter(
        "/group/<g>/name", .text, scope: .category, key: "name", group.value(\.name) { .name($0) },
        "Display name."),
      Parameter(
        "/group/<g>/color", .text, scope: .category, key: "color", group.value(\.color) { .color($0) },
        "The group's colour, as #rrggbb, or `none`."),
      Parameter(
        "/group/<g>/members", .texts, scope: .route, key: "members",
        group.value(\.members) { .members($0) },
        "Its members: session:<s>, stream:<s>.<t>, capture:<s>, output:<o> or player:<p>, with * and ? for several. Those that do not exist join when they come."
      ),
      Parameter(
        "/group/<g>/exclusive", .toggle, scope: .route, key: "exclusive",
        group.value(\.isExclusive) { .exclusive($0) },
        "Whether at most one member is open: to unmute one mutes the others, in a crossing of equal power."),
      Parameter(
        "/group/<g>/max", .number(-90...10), unit: "dB", right: .admin, scope: .limit, key: "max",
        group.value(\.maximum) { .maximum($0) }, "The highest level; a higher one comes down to it."),
      Parameter(
        "/group/<g>/gain", .level, unit: "dB", scope: .gain, key: "gain",
        group.control(\.gain, maximum: \.maximum) { .gain($0) },
        "Added to the gain of each member, up to the member's own maximum."),
      Parameter(
        "/group/<g>/mute", .toggle, scope: .mute, key: "mute", group.value(\.isMuted) { .muted($0) },
        "Mutes all members; without it each is as its own mute says."),
      Parameter(
        "/group/<g>/on", .toggle,
        group.observed { moment, group in group.isMuted && moment.state.hasMembers(group) },
        "The lamp of a mute group: it mutes, and has members."),
    ]
  }
}

extension GroupPattern: ParameterText {
  /// - Throws: `SessionError` badValue.
  public init(parameterText text: String) throws(SessionError) {
    guard let pattern = GroupPattern(text) else {
      let isGroup = text.hasPrefix("group:")
      throw SessionError(
        .badValue,
        "'\(text)' is no member of a group\(isGroup ? ", because a group has no groups" : ""); write session:<id>, stream:<session>.<stream>, capture:<session>, output:<id> or player:<id>, with * for any text"
      )
    }
    self = pattern
  }
}
