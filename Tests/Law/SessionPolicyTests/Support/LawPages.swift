import LawWorld
import SessionModel

/// Compares the tables of `docs/develop/law` with the code, and returns the differences.
enum LawPages {
  /// The rows of the first table below a heading, without its header; each cell as plain text.
  static func table(below heading: String, in page: String) -> [[String]] {
    rows(below: heading, in: page).dropFirst(2).map { $0 }
  }

  /// The cells of the first row of that table.
  static func header(below heading: String, in page: String) -> [String] {
    rows(below: heading, in: page).first ?? []
  }

  private static func rows(below heading: String, in page: String) -> [[String]] {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { $0 != "## \(heading)" }.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.map {
      $0.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map { cell in
        String(cell.filter { $0 != "`" }.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
    }
  }

  // MARK: Differences from the code

  /// Categories whose row differs from the code.
  static func categories(_ page: String) -> [String] {
    let rows = table(below: "1. The categories", in: page)
    guard
      rows.map(\.[0]) == Category.allCases.map(\.rawValue).filter({ $0 != "audioProcessing" })
        + ["audioProcessing"]
    else { return ["the categories are \(rows.map(\.[0]))"] }
    return rows.flatMap { row -> [String] in
      let category = Category(rawValue: row[0])!
      let says = [
        (row[1], category.hasInput ? "yes" : "-"),
        (row[2], category.hasOutput ? "yes" : category.hasStreams ? "offline only" : "-"),
        (row[4], category.obeysSilentSwitch ? "yes" : category.hasOutput ? "no" : "-"),
        (row[5], category.playsInBackground ? "yes" : "no"),
      ]
      let mixes = category.alwaysMixes ? row[3] == "always" : row[3] != "always"
      return says.filter { $0.0 != $0.1 }.map { "\(category): \($0.0) is \($0.1)" }
        + (mixes ? [] : ["\(category) mixes otherwise than '\(row[3])'"])
    }
  }

  /// Modes that a category accepts or refuses contrary to the table.
  static func modes(_ page: String) throws -> [String] {
    let categories = header(below: "1. Modes and categories", in: page).dropFirst()
    let rows = table(below: "1. Modes and categories", in: page)
    var found = rows.map(\.[0]) == Mode.allCases.map(\.rawValue) ? [] : ["the modes are \(rows.map(\.[0]))"]
    for row in rows {
      for (name, cell) in zip(categories, row.dropFirst()) {
        guard let mode = Mode(rawValue: row[0]), let category = Category(rawValue: name) else {
          found.append("\(row[0]), \(name)")
          continue
        }
        let options: SessionOptions = mode == .dualRoute && category == .multiRoute ? .allowBluetoothHFP : []
        if try accepts(category, mode, options) != (cell == "yes") {
          found.append("\(name), \(mode): \(cell)")
        }
      }
    }
    return found
  }

  /// Options that a category and mode accept or refuse contrary to the table.
  static func options(_ page: String) throws -> [String] {
    let columns = header(below: "1. The options", in: page).dropFirst(2)
    let rows = table(below: "1. The options", in: page)
    let names = SessionOptions.named.map(\.name)
    var found = rows.map(\.[0]) == names ? [] : ["the options are \(rows.map(\.[0]))"]
    for row in rows {
      guard let option = SessionOptions.option(named: row[0]) else { continue }
      let bit =
        row[1].hasPrefix("0x")
        ? Int(row[1].dropFirst(2), radix: 16) : Int(row[1].dropFirst(5)).map { 1 << $0 }
      if bit != option.rawValue { found.append("\(row[0]) is not \(row[1])") }
      for (column, cell) in zip(columns, row.dropFirst(2)) {
        let parts = column.split(separator: ",")
        guard let category = Category(rawValue: String(parts[0])) else {
          found.append("there is no \(column)")
          continue
        }
        for mode in modes(of: column) {
          let base: SessionOptions = mode == .dualRoute ? .allowBluetoothHFP : []
          let takes = try accepts(category, mode, option.union(base))
          let wanted =
            switch cell {
            case "yes", "always", "needed": true
            case "with HFP": mode == .dualRoute
            case "in mode default": mode == .default
            default: false
            }
          if takes != wanted { found.append("\(column) in mode \(mode), \(row[0]): \(cell)") }
          if cell == "with HFP", try !accepts(category, mode, [option, .allowBluetoothHFP]) {
            found.append("\(column), \(row[0]): not with HFP either")
          }
          if cell == "needed", try accepts(category, mode, []) { found.append("\(row[0]) is not needed") }
        }
      }
    }
    return found
  }

  /// The modes that a column of the table of options means.
  private static func modes(of column: String) -> [Mode] {
    switch column {
    case "multiRoute, mode default": [.default]
    case "multiRoute, mode dualRoute": [.dualRoute]
    case "multiRoute, other modes": [.measurement, .spokenAudio, .voicePrompt]
    case "playAndRecord": [.default, .measurement]
    default: [.default]
    }
  }

  /// Reasons and errors that have another number or name than their row says.
  static func numbers(routes: String, interruptions: String, osc: String) -> [String] {
    var found: [String] = []
    for row in table(below: "6. Reasons", in: routes)
    where Int(row[0]).flatMap(RouteChangeReason.init).map({ "\($0)" }) != row[1] {
      found.append("route \(row[0])")
    }
    let reasons = table(below: "2. Reasons", in: interruptions).map { "\($0[0]) \($0[1])" }
    if reasons != InterruptionReason.allCases.map({ "\($0.rawValue) \($0.name)" }) {
      found.append("the reasons of interruptions are \(reasons)")
    }
    let errors = table(below: "13. Errors", in: osc).map { "\($0[0]) \($0[1])" }
    let own = ErrorCode.allCases.filter { $0.rawValue > 0 && $0.rawValue < 100 }
    let apples = ErrorCode.allCases.filter { !own.contains($0) }
    if errors != apples.map({ "\($0.rawValue) \($0.symbol)" }) { found.append("the errors are \(errors)") }
    let text = osc.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for code in own where !text.contains(" \(code.rawValue) `\(code.symbol)`") { found.append("\(code)") }
    return found
  }

  /// Port types that multiRoute uses contrary to the table, and differences in the list of types.
  static func ports(multiRoute: String, ports: String) -> [String] {
    var found: [String] = []
    let cells = table(below: "1. Outputs", in: multiRoute).map { row in
      row[0].split(separator: ",").map { String($0.drop { $0 == " " }) }
    }
    for type in PortType.allCases {
      let row = cells.firstIndex { $0.contains(type.rawValue) } ?? 2
      let isFound = type.isEligibleForMultiRoute(namedByPreset: false)
      let isNamed = type.isEligibleForMultiRoute(namedByPreset: true)
      if (isFound, isNamed) != (row == 0, row < 2) { found.append("\(type) is eligible otherwise") }
    }
    let list = ports.split(separator: "\n").filter { $0.hasPrefix("`builtIn") || $0.hasPrefix("carAudio ") }
    let names = list.joined(separator: " ").split(separator: "`").first?.split(separator: " ").map(
      String.init)
    if names != PortType.allCases.map(\.rawValue) { found.append("the types are \(names ?? [])") }
    return found
  }

  /// Whether a session may have a configuration.
  private static func accepts(_ category: Category, _ mode: Mode, _ options: SessionOptions) throws -> Bool {
    var world = try World.stage()
    try world.create("show", .playback)
    let configuration = SessionConfiguration(category: category, mode: mode, options: options)
    return world.refusal(.configure("show", configuration)) == nil
  }
}
