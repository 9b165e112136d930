extension Layout.Page {
  /// The page whose faders move over the whole show.
  ///
  /// - Parameter number: the number of the bank whose strips they are.
  static func mixer(bank number: Int, strips: Range<Int>) -> Self {
    var rest = Place(x: 0, y: 0, width: Layout.size.width, height: Layout.size.height).inset(by: 4)
    let buttons = rest.takeRight(90).rows(2)
    let bank = [
      Widget(.trigger(Leaf("/bank/<bank>/prev", "\(number)"), label: "Bank -"), at: buttons[0].inset(by: 4)),
      Widget(.trigger(Leaf("/bank/<bank>/next", "\(number)"), label: "Bank +"), at: buttons[1].inset(by: 4)),
    ]
    let columns = zip(strips, rest.columns(strips.count)).flatMap { number, place in
      channel(
        at: place,
        names: [
          .text(address: Leaf("/strip/<strip>/name", "\(number)").address),
          .text(address: Leaf("/strip/<strip>/state", "\(number)").address),
        ],
        level: Leaf("/strip/<strip>/gain", "\(number)"),
        meters: [Leaf("/strip/<strip>/meter/level", "\(number)").address],
        button: .toggle(Leaf("/strip/<strip>/mute", "\(number)"), label: "Mute"), lit: .mute, .strip(number))
    }
    return Self(name: "Mixer", widgets: columns + bank)
  }
}
