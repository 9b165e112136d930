public import Presets
public import SessionModel

extension Layout {
  /// Makes the layout of a preset.
  ///
  /// - Parameters:
  ///   - preset: gives the buttons and the pages of its outputs; nil for a layout that fits every show.
  ///   - scenes: the presets that have a button.
  ///   - bank: the number of faders on the first page, 1 to `widestBank` and to `mostFaders(of:)`.
  ///   - tablet: the number of the bank that they form, 1 to 8. Tablets with different numbers move their own faders.
  ///   - law: decides which session is heard where.
  public init(
    of preset: Preset?, scenes: [PresetID], bank: Int, tablet: Int = 1, law: PresetReader.Policy
  ) {
    precondition(bank <= Self.mostFaders(of: tablet))
    let strips = Strips.first(of: tablet)..<Strips.first(of: tablet) + bank
    let state = preset.map { RouterState(rehearsing: $0, law: law) } ?? RouterState()
    title = preset?.title ?? "multiroute"
    let mixes = state.outputs.values.map { (output: $0.id.name, pages: Page.mixes(of: $0, in: state)) }
      .filter { !$0.pages.isEmpty }
    let captures = state.sessions.values.compactMap { session in
      Page.capture(of: session, in: state).map { (session: session.id.name, page: $0) }
    }
    let chains = state.inserts()
    pages =
      [.mixer(bank: tablet, strips: strips)] + Page.show(state, scenes: scenes) + mixes.flatMap(\.pages)
      + captures.map(\.page) + chains.flatMap { Page.effects(at: $0, in: state) }
    bar = Self.bar(state)
    greeting =
      [Message("/bank/\(tablet)/size", .integer(bank))]
      + Self.greeting(
        state, scenes: scenes, strips: strips, outputs: mixes.map(\.output),
        captures: captures.map(\.session),
        chains: chains)
  }

  /// The most faders of a tablet: as many as there are strips from its first one on.
  public static func mostFaders(of tablet: Int) -> Int {
    min(widestBank, Strips.numbers.upperBound + 1 - Strips.first(of: tablet))
  }

  private static func greeting(
    _ state: RouterState, scenes: [PresetID], strips: Range<Int>, outputs: [String], captures: [String],
    chains: [InsertPlace]
  ) -> [Message] {
    // A pattern has at most 1,024 characters; of very many objects the surface hears all.
    func any(_ names: some Sequence<String>) -> String {
      let list = names.joined(separator: ",")
      return list.utf8.count < 900 ? "{\(list)}" : "*"
    }
    let strips = "/strip/" + any(strips.map(String.init))
    var values = [
      "\(strips)/{name,state,color,mute,fader}", "\(strips)/gain/text", "/preset/{current,standby,progress}",
      "/system/panic", "/interruption/phone/on",
    ]
    var meters = ["\(strips)/meter/level"]
    if !scenes.isEmpty { values.append("/preset/\(any(scenes.map(\.name)))/recall") }
    if !state.duckers.isEmpty { values.append("/session/\(any(state.duckers.map(\.id.name)))/active") }
    if !state.groups.isEmpty { values.append("/group/*/mute") }
    if !state.talkbackSessions.isEmpty { values.append("/talkback/*/on") }
    if !state.players.isEmpty { values.append("/player/*/playing") }
    if !state.recorders.isEmpty { values.append("/recorder/*/recording") }
    if !outputs.isEmpty {
      let outputs = outputs.count == state.outputs.count ? "*" : any(outputs)
      values += ["/session/*/stream/*/to/*/{fader,on}", "/session/*/stream/*/to/*/gain/text"]
      values += ["/output/\(outputs)/{fader,mute}", "/output/\(outputs)/gain/text"]
      let single = state.sessions.values.filter { $0.category != .multiRoute }
      if !single.isEmpty {
        let streams = "/session/\(any(single.map(\.id.name)))/stream/*"
        values += ["\(streams)/{fader,mute}", "\(streams)/gain/text"]
      }
      meters.append("/meter/output/\(outputs)/[1-2]")
      if state.outputs.contains(where: { $0.meters.contains(.ppm) }) {
        meters.append("/meter/output/\(outputs)/ppm/[1-2]")
      }
    }
    if !captures.isEmpty {
      let receivers = "/session/\(any(captures))/capture"
      values += [
        "\(receivers)/{session,input}/*/{fader,on}", "\(receivers)/{session,input}/*/gain/text",
        "\(receivers)/why",
      ]
      meters.append("/meter/capture/\(any(captures))/[1-2]")
    }
    values += chains.flatMap { $0.shownEffects(in: state) }
    // A source of interruptions that has not begun is in no snapshot, so the surface also asks for it.
    return values.map { .subscription(to: $0, rate: 30) }
      + meters.map { .subscription(to: $0, rate: 15) } + [Message("/get", .text("/interruption/phone/on"))]
  }

  /// What every page has at hand: panic, the phone, the next scene.
  private static func bar(_ state: RouterState) -> [Widget] {
    var rest = Place(x: 0, y: 0, width: size.width, height: barHeight).inset(by: 4)
    var widgets = [
      Widget(.toggle(Leaf("/system/panic"), label: "PANIC"), .panic, at: rest.takeLeft(150).inset(by: 4)),
      Widget(
        .toggle(Leaf("/interruption/<source>/on", "phone"), label: "Phone"), .call,
        at: rest.takeLeft(150).inset(by: 4)),
      Widget(.trigger(Leaf("/preset/go"), label: "GO"), .go, at: rest.takeRight(220).inset(by: 4)),
    ]
    let duckers = state.duckers.prefix(2)
    for session in duckers {
      widgets.append(
        Widget(.onAir(session), Tint(session.color, else: .call), at: rest.takeLeft(130).inset(by: 4)))
    }
    let lines = rest.rows(2)
    widgets += [
      Widget(.caption("Standby"), at: lines[0].inset(by: 4)),
      Widget(.text(address: Leaf("/preset/standby").address), .scene, at: lines[1].inset(by: 4)),
    ]
    return widgets
  }
}

extension RouterState {
  /// The sessions that duck others while they are active.
  var duckers: [Session] { sessions.values.filter { $0.options.contains(.duckOthers) } }
}

extension Widget.Role {
  /// The button that puts a session on air.
  static func onAir(_ session: Session) -> Self {
    .toggle(Leaf("/session/<s>/active", session.id.name), label: session.label)
  }
}

extension Session {
  /// The display name; the id if there is none.
  var label: String { name.isEmpty ? id.name : name.printable }
}

extension Tint {
  /// An object's colour.
  init(_ color: Color?, else usual: Tint) { self = color.map { .own($0.text) } ?? usual }
}
