import SessionModel

extension Layout.Page {
  /// The page of buttons: scenes, sessions that duck others, players and recorders.
  static func show(_ state: RouterState, scenes: [PresetID]) -> Self {
    let recalls: [Widget.Role] = [
      .trigger(Leaf("/preset/prev"), label: "Previous"), .trigger(Leaf("/preset/next"), label: "Next"),
      .trigger(Leaf("/preset/abort"), label: "Stop the fade"), .trigger(Leaf("/preset/undo"), label: "Undo"),
    ]
    let groups: [(title: String, tint: Tint, buttons: [Widget.Role])] = [
      ("Recall", .plain, recalls),
      ("Scenes", .scene, scenes.map { .lamp(Leaf("/preset/<id>/recall", $0.name), label: $0.name) }),
      ("On air", .call, state.duckers.map { .onAir($0) }),
      (
        "Players", .on,
        state.players.keys.map { .toggle(Leaf("/player/<p>/playing", $0.name), label: "Play \($0.name)") }
      ),
      (
        "Recorders", .mute,
        state.recorders.keys.map {
          .toggle(Leaf("/recorder/<r>/recording", $0.name), label: "Record \($0.name)")
        }
      ),
    ].filter { !$0.buttons.isEmpty }
    var rest = Place(x: 0, y: 0, width: Layout.size.width, height: Layout.size.height).inset(by: 4)
    var widgets = Self.head(at: rest.takeTop(60))
    let lines = groups.reduce(0) { $0 + ($1.buttons.count + perLine - 1) / perLine }
    let height = min(90, (rest.height - Double(groups.count) * captionHeight) / Double(lines))
    for group in groups {
      widgets.append(Widget(.caption(group.title), at: rest.takeTop(captionHeight).inset(by: 2)))
      for start in stride(from: 0, to: group.buttons.count, by: perLine) {
        let line = group.buttons[start..<min(start + perLine, group.buttons.count)]
        for (button, place) in zip(line, rest.takeTop(height).columns(perLine)) {
          widgets.append(Widget(button, group.tint, at: place.inset(by: 4)))
        }
      }
    }
    return Self(name: "Show", widgets: widgets)
  }

  private static let perLine = 5
  private static let captionHeight = 26.0

  /// The scene that is in force, and how far its fade is.
  private static func head(at place: Place) -> [Widget] {
    let columns = place.columns(2)
    var scene = columns[0]
    return [
      Widget(.caption("Scene in force"), at: scene.takeLeft(160).inset(by: 4)),
      Widget(.text(address: Leaf("/preset/current").address), .scene, at: scene.inset(by: 4)),
      Widget(.meter(address: Leaf("/preset/progress").address), .scene, at: columns[1].inset(by: 12)),
    ]
  }
}
