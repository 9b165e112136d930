extension RoutingPlan {
  /// The plan as plain text for a terminal, with a block of lines for each session.
  public var text: String {
    let rows = sessions.flatMap(\.rows)
    let sourceWidth = rows.flatMap(\.sources).map { label(ofSource: $0).count }.max() ?? 0
    let rowWidth = rows.map(\.name.count).max() ?? 0
    var lines = [title]
    for block in sessions {
      lines += ["", "\(block.name)  \(block.kind)"] + block.notes.map { "  \($0)" }
      for row in block.rows {
        lines += self.lines(of: row, sourceWidth, rowWidth)
      }
    }
    lines.append("")
    let sinkWidth = sinks.map(\.name.count).max() ?? 0
    for sink in sinks {
      let details = sink.details.filter { !$0.isEmpty }.joined(separator: " · ")
      lines.append(sink.name.filled(to: sinkWidth) + "  " + details)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func label(ofSource index: Int) -> String {
    ([sources[index].name] + sources[index].details.suffix(1)).joined(separator: " ")
  }

  /// The lines of a stream: sources on the left, destinations on the right, one of each on every line.
  private func lines(of row: Row, _ sourceWidth: Int, _ rowWidth: Int) -> [String] {
    let count = max(row.sources.count, row.sends.count, 1)
    let lines = (0..<count).map { index in
      var line = "  "
      if row.sources.indices.contains(index) {
        line += label(ofSource: row.sources[index]).filled(to: sourceWidth)
      } else {
        line += "".filled(to: sourceWidth)
      }
      line += " " + Self.joint(index, of: row.sources.count, isBeforeName: true) + " "
      line += (index == 0 ? row.name : "").filled(to: rowWidth)
      guard row.sends.indices.contains(index) else { return line }
      let send = row.sends[index]
      return line + " " + Self.joint(index, of: row.sends.count, isBeforeName: false) + send.way.arrow + " "
        + send.label
    }
    let notes = row.notes.isEmpty ? [] : [row.notes.joined(separator: " · ")]
    let indentation = "".filled(to: sourceWidth + 7)
    return lines.map(\.trimmed) + notes.map { indentation + "(\($0))" }
  }

  /// The line between a name and the ends of several lines.
  /// - Parameter isBeforeName: whether the lines come together at the name; otherwise they part there.
  private static func joint(_ index: Int, of count: Int, isBeforeName: Bool) -> String {
    switch (index, count) {
    case (_, 0): isBeforeName ? "   " : ""
    case (0, 1): isBeforeName ? "──▶" : "──"
    case (0, _): isBeforeName ? "┬─▶" : "┬─"
    case (count - 1, _): isBeforeName ? "┘  " : "└─"
    case (count..., _): "   "
    default: isBeforeName ? "┤  " : "├─"
    }
  }
}

extension RoutingPlan.Way {
  fileprivate var arrow: String {
    switch self {
    case .output: "──▶"
    case .capture: "┄┄▷"
    case .off: "   "
    }
  }
}

extension String {
  /// The text with blanks behind it.
  fileprivate func filled(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The text without blanks at its end.
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
