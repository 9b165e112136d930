import Numbers
import OSC

/// Players and recorders, for a person.
extension RouterReport {
  /// Each player with what it plays.
  var playerTable: TextTable {
    var table = TextTable([
      ("PLAYER", .left), ("STATE", .left), ("AT", .right), ("OF", .right), ("GAIN", .right), ("ITEM", .right),
      ("TITLE", .left),
    ])
    for player in players {
      let underruns = player.values["underruns"]?.first?.integer ?? 0
      table.append([
        .init(player.id, .bold), Self.state(of: player), .init(Self.clock(player.values["position"])),
        .init(Self.clock(player.values["duration"])), .init(Self.gain(player.values)),
        .init(Self.item(of: player)), .init(Self.title(of: player)),
      ])
      let modes = ["repeat", "shuffle"].compactMap { mode -> String? in
        guard let value = player.values["queue/\(mode)"]?.first?.plain, value != "none", value != "off" else {
          return nil
        }
        return "\(mode) \(value)"
      }
      let late = underruns > 0 ? ["\(underruns) gaps, because the disk was too slow"] : []
      table.append(
        note: .init(
          (["into \(player.place)"] + modes + late).joined(separator: ", "), underruns > 0 ? .yellow : .dim))
    }
    return table
  }

  /// Each recorder with its file.
  var recorderTable: TextTable {
    var table = TextTable([
      ("RECORDER", .left), ("STATE", .left), ("TIME", .right), ("OF", .left), ("FILE", .left),
    ])
    for recorder in recorders {
      table.append([
        .init(recorder.id, .bold), Self.state(of: recorder), .init(Self.clock(recorder.values["time"])),
        .init(recorder.place), .init(recorder.values["file/now"]?.first?.plain ?? ""),
      ])
      if case .float(let lost) = recorder.values["lost"]?.first, lost > 0 {
        let seconds = Double(lost).text(.exactly(2))
        table.append(
          note: .init("\(seconds) s are silence instead, because the disk was too slow", .yellow))
      }
    }
    return table
  }

  private static func state(of medium: Medium) -> TextTable.Cell {
    let state = medium.values["state"]?.first?.plain ?? "?"
    switch state {
    case "stopped", "prepared": return .init(state, .dim)
    case "interrupted", "paused": return .init(state, .yellow)
    default: return .init(state, .green)
    }
  }

  /// The number of the present item, counted from 1, and of all items.
  private static func item(of player: Medium) -> String {
    let length = player.values["queue/length"]?.first?.integer ?? 0
    guard length > 0 else { return "empty" }
    return "\((player.values["queue/index"]?.first?.integer ?? 0) + 1)/\(length)"
  }

  private static func title(of player: Medium) -> String {
    let words = ["artist", "title"].compactMap { player.values[$0]?.first?.plain }.filter { !$0.isEmpty }
    return words.joined(separator: " - ")
  }

  /// Seconds as `1:02:03.4`; empty if they are not known.
  static func clock(_ value: [OSCArgument]?) -> String {
    guard case .float(let seconds)? = value?.first, seconds.isFinite, seconds >= 0 else { return "" }
    let tenths = Int((Double(seconds) * 10).rounded())
    let (minutes, rest) = (tenths / 600, tenths % 600)
    let second = "\(rest < 100 ? "0" : "")\(rest / 10).\(rest % 10)"
    guard minutes >= 60 else { return "\(minutes):\(second)" }
    return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(second)"
  }
}
