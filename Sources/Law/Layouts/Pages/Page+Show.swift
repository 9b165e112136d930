import SessionModel

extension Layout.Page {
  /// The pages of buttons: scenes, sessions that duck others, mute groups, talkbacks, players and recorders; one page if all of them have room
  /// there.
  static func show(_ state: RouterState, scenes: [PresetID]) -> [Self] {
    let recalls: [Widget.Role] = [
      .trigger(Leaf("/preset/prev"), label: "Previous"), .trigger(Leaf("/preset/next"), label: "Next"),
      .trigger(Leaf("/preset/abort"), label: "Stop the fade"), .trigger(Leaf("/preset/undo"), label: "Undo"),
    ]
    let groups: [(title: String, tint: Tint, buttons: [Widget.Role])] = [
      ("Recall", .plain, recalls),
      ("Scenes", .scene, scenes.map { .lamp(Leaf("/preset/<id>/recall", $0.name), label: $0.name) }),
      ("On air", .call, state.duckers.map { .onAir($0) }),
      (
        "Mute groups", .mute,
        state.groups.values.map { .toggle(Leaf("/group/<g>/mute", $0.id.name), label: "Mute \($0.name)") }
      ),
      ("Talkback and solo", .on, talkbacks(state) + (state.monitors.isEmpty ? [] : [clearing])),
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
    let lines = groups.flatMap { title, tint, buttons in
      stride(from: 0, to: buttons.count, by: perLine).map { start in
        Line(
          title: start == 0 ? title : nil, tint: tint,
          buttons: Array(buttons[start..<min(start + perLine, buttons.count)]))
      }
    }
    let shelves = shelves(of: lines)
    return shelves.enumerated().map { number, lines in
      Self(name: shelves.count == 1 ? "Show" : "Show \(number + 1)", widgets: widgets(of: lines))
    }
  }

  private static func talkbacks(_ state: RouterState) -> [Widget.Role] {
    state.talkbackSessions.compactMap { state.sessions[$0] }.map { session in
      .hold(Leaf("/talkback/<talk>/on", session.id.name), label: "Talk \(session.label)")
    }
  }

  private static let clearing = Widget.Role.trigger(Leaf("/solo/clear"), label: "Clear solos")

  /// A line of buttons, and the title above it.
  private struct Line {
    let title: String?
    let tint: Tint
    let buttons: [Widget.Role]
    /// The height of the title.
    var head: Double { title == nil ? 0 : 26 }
  }

  /// The lines of each page.
  private static func shelves(of lines: [Line]) -> [[Line]] {
    var (shelves, room) = ([[Line]](), 0.0)
    for line in lines {
      if room < line.head + lowest {
        shelves.append([])
        room = Layout.size.height - 8 - headHeight
      }
      shelves[shelves.count - 1].append(line)
      room -= line.head + lowest
    }
    return shelves
  }

  private static func widgets(of lines: [Line]) -> [Widget] {
    var rest = Place(x: 0, y: 0, width: Layout.size.width, height: Layout.size.height).inset(by: 4)
    var widgets = head(at: rest.takeTop(headHeight))
    let heads = lines.reduce(0) { $0 + $1.head }
    let height = min(90, (rest.height - heads) / Double(lines.count))
    for line in lines {
      if let title = line.title {
        widgets.append(Widget(.caption(title), at: rest.takeTop(line.head).inset(by: 2)))
      }
      for (button, place) in zip(line.buttons, rest.takeTop(height).columns(perLine)) {
        widgets.append(Widget(button, line.tint, at: place.inset(by: 4)))
      }
    }
    return widgets
  }

  private static let perLine = 5
  /// The heights of the first line, and of the lowest line of buttons.
  private static let (headHeight, lowest) = (60.0, 52.0)

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
