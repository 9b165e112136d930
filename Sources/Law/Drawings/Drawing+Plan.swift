extension Drawing {
  /// Gives everything of a plan a place.
  ///
  /// There are three columns of boxes. All texts are in boxes, above the columns or below them, and all curves run between the columns; so
  /// no text lies on a line.
  init(_ plan: RoutingPlan) {
    let columns = Columns(plan)
    (width, height) = (columns.right + Columns.margin, 0)
    write(plan.title, .title, x: Columns.margin, y: Columns.margin, within: columns.right - Columns.margin)
    let top = Columns.margin + Text.Style.title.line + 4
    for (title, x) in zip(Self.titles, [columns.sources.x, columns.sessions.x, columns.sinks.x]) {
      write(title, .detail, x: x, y: top, within: columns.right)
    }
    let start = top + Text.Style.detail.line + 8
    let rows = addSessions(plan, columns, from: start)
    let sessionsEnd = boxes.map(\.place.bottom).max() ?? start

    let sourceLines = plan.sources.indices.map { source in
      rows.filter { $0.row.sources.contains(source) }.map { ($0.place.y + $0.place.bottom) / 2 }
    }
    let sources = addPorts(
      plan.sources.map { ($0.name, $0.details) }, columns.sources, near: sourceLines, from: start,
      to: sessionsEnd)
    let sinkLines = plan.sinks.indices.map { sink in
      rows.flatMap { row in row.row.sends.indices.filter { row.row.sends[$0].sink == sink }.map(row.height) }
    }
    let sinks = addPorts(
      plan.sinks.map { ($0.name, $0.details) }, columns.sinks, near: sinkLines, from: start, to: sessionsEnd)
    addCurves(rows, sources, sinks)
    var end = boxes.map(\.place.bottom).max() ?? start
    if let legend = Self.legend(of: plan) {
      end = write(
        legend, .detail, x: Columns.margin, y: end + 14, within: columns.right - Columns.margin)
    }
    height = end + Columns.margin
  }

  private static let titles = ["programs and inputs", "sessions", "outputs, and what programs receive"]

  /// What the kinds of lines mean; nil if there is only one kind.
  private static func legend(of plan: RoutingPlan) -> String? {
    let ways = plan.sessions.flatMap(\.rows).flatMap(\.sends).map(\.way)
    var parts = ["solid: heard at an output"]
    if ways.contains(.capture) { parts.append("dashed: received by a program") }
    if ways.contains(.off) { parts.append("dotted: switched off") }
    return parts.count > 1 ? parts.joined(separator: " · ") : nil
  }

  /// A row of a session's block in its place.
  private struct PlacedRow {
    let row: RoutingPlan.Row
    let session: Int
    let place: Rectangle

    /// The height at which the line of a send begins.
    func height(ofSend index: Int) -> Double {
      place.y + Columns.padding + (Double(index) + 0.5) * Text.Style.send.line
    }
  }

  // MARK: Boxes

  /// Adds a line of text whose top is at a height, and returns the height of its bottom.
  @discardableResult
  private mutating func write(
    _ text: String, _ style: Text.Style, x: Double, y: Double, within width: Double
  ) -> Double {
    if !text.isEmpty {
      let short = TextWidth.shortened(text, to: width, size: style.size, isBold: style.isBold)
      texts.append(
        Text(text: short, style: style, anchor: Point(x: x, y: y + style.line / 2 + 0.35 * style.size)))
    }
    return y + style.line
  }

  private mutating func addSessions(
    _ plan: RoutingPlan, _ columns: Columns, from start: Double
  ) -> [PlacedRow] {
    var rows: [PlacedRow] = []
    var y = start
    let (x, width) = (columns.sessions.x + Columns.padding, columns.sessions.width - 2 * Columns.padding)
    for (number, block) in plan.sessions.enumerated() {
      let (index, top) = (boxes.count, y)
      y = write(block.name, .name, x: x, y: y + Columns.padding, within: width)
      for note in [block.kind] + block.notes { y = write(note, .detail, x: x, y: y, within: width) }
      y += 4
      for row in block.rows {
        let height = Columns.height(of: row)
        let place = Rectangle(x: x, y: y, width: width, height: height)
        boxes.append(Box(place: place, style: .stream))
        add(row, in: place, leftWidth: columns.rowWidth)
        rows.append(PlacedRow(row: row, session: number, place: place))
        y += height + Columns.padding
      }
      let place = Rectangle(
        x: columns.sessions.x, y: top, width: columns.sessions.width, height: y + 2 - top)
      boxes.insert(Box(place: place, style: .session), at: index)
      y = place.bottom + Columns.gap
    }
    return rows
  }

  private mutating func add(_ row: RoutingPlan.Row, in place: Rectangle, leftWidth: Double) {
    var y = write(
      row.name, .name, x: place.x + Columns.padding, y: place.y + Columns.padding, within: leftWidth)
    for note in row.notes {
      y = write(note, .detail, x: place.x + Columns.padding, y: y, within: leftWidth)
    }
    for (index, send) in row.sends.enumerated() {
      let middle = place.y + Columns.padding + (Double(index) + 0.5) * Text.Style.send.line
      texts.append(
        Text(
          text: Columns.short(send.label), style: .send,
          anchor: Point(x: place.right - Columns.padding, y: middle + 0.35 * Text.Style.send.size),
          isRightAligned: true))
    }
  }

  /// Adds the boxes of a column, each as near as possible to the middle of its lines, and returns their places.
  private mutating func addPorts(
    _ ports: [(name: String, details: [String])], _ column: Columns.Column, near lines: [[Double]],
    from start: Double, to end: Double
  ) -> [Rectangle] {
    let middles = lines.map { $0.isEmpty ? Double.infinity : $0.reduce(0, +) / Double($0.count) }
    let order = ports.indices.sorted { (middles[$0], $0) < (middles[$1], $1) }
    let heights = ports.indices.map { Columns.height(of: ports[$0].details, lines: lines[$0].count) }
    var tops = ports.map { _ in 0.0 }
    var y = start
    for index in order {
      let wanted = middles[index].isFinite ? middles[index] - heights[index] / 2 : y
      tops[index] = max(y, wanted)
      y = tops[index] + heights[index] + Columns.gap
    }
    // A column that is now too long moves up as far as there is room.
    var limit = max(end, start + heights.reduce(0) { $0 + $1 + Columns.gap } - Columns.gap)
    for index in order.reversed() {
      tops[index] = min(tops[index], limit - heights[index])
      limit = tops[index] - Columns.gap
    }
    for index in order {
      boxes.append(
        Box(
          place: Rectangle(x: column.x, y: tops[index], width: column.width, height: heights[index]),
          style: .port))
      let (x, width) = (column.x + Columns.padding, column.width - 2 * Columns.padding)
      var y = write(ports[index].name, .name, x: x, y: tops[index] + Columns.padding, within: width)
      for detail in ports[index].details where !detail.isEmpty {
        y = write(detail, .detail, x: x, y: y, within: width)
      }
    }
    return ports.indices.map {
      Rectangle(x: column.x, y: tops[$0], width: column.width, height: heights[$0])
    }
  }

  // MARK: Curves

  private mutating func addCurves(_ rows: [PlacedRow], _ sources: [Rectangle], _ sinks: [Rectangle]) {
    for row in rows {
      let end = Point(x: row.place.x, y: (row.place.y + row.place.bottom) / 2)
      for source in row.row.sources {
        let box = sources[source]
        curves.append(
          Curve(
            start: Point(x: box.right, y: box.y + box.height / 2), end: end, way: .output,
            colour: row.session))
      }
    }
    // The lines that reach a sink come in the order of their beginnings, so that they do not cross before it.
    for (index, sink) in sinks.enumerated() {
      let lines = rows.flatMap { row in
        row.row.sends.indices.filter { row.row.sends[$0].sink == index }.map { (row, $0) }
      }
      for (number, (row, send)) in lines.enumerated() {
        let y = sink.y + sink.height * (Double(number) + 0.5) / Double(lines.count)
        curves.append(
          Curve(
            start: Point(x: row.place.right, y: row.height(ofSend: send)), end: Point(x: sink.x, y: y),
            way: row.row.sends[send].way, colour: row.session))
      }
    }
  }
}
