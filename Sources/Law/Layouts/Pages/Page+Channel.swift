extension Layout.Page {
  /// A column with a fader: its captions, the fader with a meter beside it, the level as a text, and a button.
  ///
  /// - Parameters:
  ///   - names: one or two captions or texts, above the fader.
  ///   - meters: the addresses of up to two meters.
  static func channel(
    at place: Place, names: [Widget.Role], level: Leaf, meters: [String], button: Widget.Role, lit: Tint,
    _ color: Tint
  ) -> [Widget] {
    var rest = place.inset(by: 3)
    var widgets: [Widget] = []
    for (index, name) in names.enumerated() {
      widgets.append(Widget(name, index == 0 ? color : .plain, at: rest.takeTop(30).inset(by: 1)))
    }
    widgets.append(Widget(button, lit, at: rest.takeBottom(min(64, place.height / 5)).inset(by: 2)))
    widgets.append(Widget(.text(address: level.label), at: rest.takeBottom(28).inset(by: 1)))
    let width = rest.width / (meters.count == 1 ? 4 : 6) * Double(meters.count)
    for (meter, place) in zip(meters, rest.takeRight(width).columns(meters.count)) {
      widgets.append(Widget(.meter(address: meter), .meter, at: place.inset(by: 2)))
    }
    widgets.append(Widget(.fader(level), color, at: rest.inset(by: 2)))
    return widgets
  }
}
