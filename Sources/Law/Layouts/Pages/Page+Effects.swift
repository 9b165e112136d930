import Effects
import SessionModel

extension Layout.Page {
  /// The pages of a chain of effects: a fader for each control that the preset sets, and each effect's switch.
  static func effects(at place: InsertPlace, in state: RouterState) -> [Self] {
    let columns = place.columns(in: state)
    let starts = Array(stride(from: 0, to: columns.count, by: widest))
    return starts.enumerated().map { number, start in
      let shown = columns[start..<min(start + widest, columns.count)]
      let page = Place(x: 0, y: 0, width: Layout.size.width, height: Layout.size.height).inset(by: 4)
      return Self(
        name: "FX \(place.id)" + (starts.count == 1 ? "" : " \(number + 1)"),
        widgets: zip(shown, page.columns(max(shown.count, fewest))).flatMap { widgets(of: $0, at: $1) })
    }
  }

  private static func widgets(of column: EffectColumn, at place: Place) -> [Widget] {
    let isOn = Widget.Role.toggle(column.isOn, label: "On")
    guard let control = column.control else {
      var rest = place.inset(by: 3)
      return [
        Widget(.caption(column.plugin), .level, at: rest.takeTop(30).inset(by: 1)),
        Widget(isOn, .on, at: rest.takeBottom(64).inset(by: 2)),
      ]
    }
    return channel(
      at: place, names: [.caption(control.symbol), .caption(column.plugin)], level: control.leaf, meters: [],
      button: isOn, lit: .on, .level)
  }

  /// The most columns of a page, and the fewest by which its width is divided.
  private static let (widest, fewest) = (12, 5)
}

/// A column of a page: a control with the switch of its effect, or that alone.
private struct EffectColumn {
  let plugin: String
  let isOn: Leaf
  let control: (symbol: String, leaf: Leaf)?
}

extension InsertPlace {
  /// What the place is called on a tab.
  fileprivate var id: String {
    switch self {
    case .stream(_, let stream): stream.name
    case .output(let port), .input(let port): port.name
    case .capture(let session): session.name
    }
  }

  /// A leaf of an effect at the place.
  private func leaf(_ rest: String, _ ids: String...) -> Leaf {
    let (owner, own): (String, [String]) =
      switch self {
      case .stream(let session, let stream): ("/session/<s>/stream/<t>", [session.name, stream.name])
      case .capture(let session): ("/session/<s>/capture", [session.name])
      case .output(let port): ("/output/<o>", [port.name])
      case .input(let port): ("/input/<i>", [port.name])
      }
    return Leaf("\(owner)/effect/<e>/\(rest)", ids: own + ids)
  }

  fileprivate func columns(in state: RouterState) -> [EffectColumn] {
    (state.insert(at: self)?.effects ?? []).enumerated().flatMap { index, effect in
      let number = "\(index + 1)"
      let name = effect.plugin.split { "/#:".contains($0) }.last.map(String.init) ?? effect.plugin
      func column(_ symbol: String?) -> EffectColumn {
        EffectColumn(
          plugin: name, isOn: leaf("on", number),
          control: symbol.map { ($0, leaf("control/<control>", number, $0)) })
      }
      let symbols = effect.values.keys.sorted()
      return symbols.isEmpty ? [column(nil)] : symbols.map { column($0) }
    }
  }

  /// The patterns of what the pages of the chain show.
  func shownEffects(in state: RouterState) -> [String] {
    (state.insert(at: self)?.effects ?? []).enumerated().flatMap { index, effect in
      let address = "\(address)/effect/\(index + 1)"
      let symbols = effect.values.keys.sorted().joined(separator: ",")
      return ["\(address)/on"] + (symbols.isEmpty ? [] : ["\(address)/control/{\(symbols)}/{fader,text}"])
    }
  }
}
