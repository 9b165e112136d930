/// The columns of a drawing, as wide as their texts.
struct Columns {
  struct Column {
    var x: Double
    var width: Double
  }

  private(set) var sources = Column(x: margin, width: 0)
  private(set) var sessions = Column(x: 0, width: 0)
  private(set) var sinks = Column(x: 0, width: 0)
  /// The width of the names and notes of streams, which stand to the left of their sends.
  private(set) var rowWidth = 0.0
  var right: Double { sinks.x + sinks.width }

  static let margin = 20.0
  static let padding = 10.0
  /// Between two boxes of a column.
  static let gap = 16.0
  /// The widest text in a box; a longer one is shortened.
  static let widest = 300.0

  init(_ plan: RoutingPlan) {
    let rows = plan.sessions.flatMap(\.rows)
    rowWidth = rows.map { Self.width(name: $0.name, details: $0.notes) }.max() ?? 0
    let sends = rows.flatMap(\.sends).map { Self.width($0.label, .send) }.max() ?? 0
    let heads = plan.sessions.map { Self.width(name: $0.name, details: [$0.kind] + $0.notes) }.max() ?? 0
    let streams = rowWidth + sends + 4 * Self.padding
    sources.width =
      max(Self.emptyWidth, plan.sources.map { Self.width(name: $0.name, details: $0.details) }.max() ?? 0)
      + 2 * Self.padding
    sessions.width = max(heads, streams, Self.emptyWidth) + 2 * Self.padding
    sinks.width =
      max(Self.emptyWidth, plan.sinks.map { Self.width(name: $0.name, details: $0.details) }.max() ?? 0)
      + 2 * Self.padding
    sessions.x = sources.x + sources.width + Self.gutter(lines: rows.reduce(0) { $0 + $1.sources.count })
    sinks.x = sessions.x + sessions.width + Self.gutter(lines: rows.reduce(0) { $0 + $1.sends.count })
  }

  /// The width of a column without boxes: that of its title.
  private static let emptyWidth = 240.0

  /// The room between two columns, for so many lines.
  private static func gutter(lines: Int) -> Double { min(70 + 5 * Double(lines), 200) }

  private static func width(_ text: String, _ style: Drawing.Text.Style) -> Double {
    min(TextWidth.of(text, size: style.size, isBold: style.isBold), widest).rounded(.up)
  }

  private static func width(name: String, details: [String]) -> Double {
    details.reduce(width(name, .name)) { max($0, width($1, .detail)) }
  }

  /// The label of a send, shortened if it is too wide.
  static func short(_ label: String) -> String {
    let style = Drawing.Text.Style.send
    return TextWidth.shortened(label, to: widest, size: style.size, isBold: style.isBold)
  }

  /// The height of a stream's box.
  static func height(of row: RoutingPlan.Row) -> Double {
    let (name, detail) = (Drawing.Text.Style.name.line, Drawing.Text.Style.detail.line)
    let left = name + Double(row.notes.count) * detail
    return max(left, Double(row.sends.count) * Drawing.Text.Style.send.line) + 2 * padding
  }

  /// The height of a port's box that so many lines reach.
  static func height(of details: [String], lines: Int) -> Double {
    let (name, detail) = (Drawing.Text.Style.name.line, Drawing.Text.Style.detail.line)
    let text = name + Double(details.filter { !$0.isEmpty }.count) * detail + 2 * padding
    return max(text, Double(lines) * 11)
  }
}
