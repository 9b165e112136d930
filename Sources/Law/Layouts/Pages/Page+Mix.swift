import SessionModel

extension Layout.Page {
  /// The page of one output: the level of each stream there and of the output itself, and nothing that is heard elsewhere. None for an
  /// output to which the show sends nothing; several for one that very many streams reach.
  static func mixes(of output: Port, in state: RouterState) -> [Self] {
    let parts = state.sessions.values.flatMap { $0.parts(at: output.id) }
    let perPage = mostLines * widest - 1
    let starts = Array(stride(from: 0, to: parts.count, by: perPage))
    return starts.enumerated().map { number, start in
      Self(
        name: "Mix \(output.id)" + (starts.count == 1 ? "" : " \(number + 1)"),
        widgets: widgets(of: output, parts[start..<min(start + perPage, parts.count)]))
    }
  }

  private static func widgets(of output: Port, _ parts: ArraySlice<Part>) -> [Widget] {
    let page = Place(x: 0, y: 0, width: Layout.size.width, height: Layout.size.height).inset(by: 4)
    let count = parts.count + 1
    let lines = (count + widest - 1) / widest
    let columns = (count + lines - 1) / lines
    let places = page.rows(lines).flatMap { $0.columns(max(columns, fewest)).prefix(columns) }
    let id = output.id.name
    let master = channel(
      at: places[count - 1], names: [.caption(output.label), .caption("this output")],
      level: Leaf("/output/<o>/gain", id),
      meters: (1...min(2, max(1, output.nameableChannels))).map {
        // The programme meter takes the place of the peak where the output has one.
        let meter = output.meters.contains(.ppm) ? "/meter/output/<o>/ppm/<n>" : "/meter/output/<o>/<n>"
        return Leaf(meter, id, "\($0)").address
      },
      button: .toggle(Leaf("/output/<o>/mute", id), label: "Mute"), lit: .mute,
      Tint(output.color, else: .scene))
    return zip(parts, places).flatMap { part, place in
      channel(
        at: place, names: [.caption(part.stream), .caption(part.session)], level: part.level, meters: [],
        button: part.button, lit: part.lit, part.color)
    } + master
  }

  /// The most columns of a line, the fewest by which its width is divided, and the most lines of a page.
  private static let (widest, fewest, mostLines) = (14, 5, 2)
}

/// A stream of a session at one output.
private struct Part {
  let session: String
  let stream: String
  let level: Leaf
  let button: Widget.Role
  let lit: Tint
  let color: Tint
}

extension Session {
  /// The streams of the session that go to an output. A session with one output has no levels of sends, but levels of streams.
  fileprivate func parts(at output: PortID) -> [Part] {
    streams.values.compactMap { stream in
      func part(_ level: Leaf, _ button: Widget.Role, _ lit: Tint) -> Part {
        Part(
          session: label, stream: stream.id.name, level: level, button: button, lit: lit,
          color: Tint(stream.color ?? color, else: .level))
      }
      let ids = (session: id.name, stream: stream.id.name)
      if category == .multiRoute {
        guard stream.destinations[output] != nil else { return nil }
        return part(
          Leaf("/session/<s>/stream/<t>/to/<o>/gain", ids.session, ids.stream, output.name),
          .toggle(
            Leaf("/session/<s>/stream/<t>/to/<o>/on", ids.session, ids.stream, output.name), label: "On"),
          .on)
      }
      guard route.outputs.contains(output) else { return nil }
      return part(
        Leaf("/session/<s>/stream/<t>/gain", ids.session, ids.stream),
        .toggle(Leaf("/session/<s>/stream/<t>/mute", ids.session, ids.stream), label: "Mute"), .mute)
    }
  }
}

extension Port {
  /// The display name; the id if there is none.
  fileprivate var label: String { name.isEmpty ? id.name : name.printable }
}
