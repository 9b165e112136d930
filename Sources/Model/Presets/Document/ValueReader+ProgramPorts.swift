import JSON5
import SessionModel

extension ValueReader {
  /// Reads JACK ports and programs: a list, or an object with a list for each channel. Each entry becomes the text that addresses write.
  func programPorts() -> [Placed<String>]? {
    guard case .object = value.kind else { return list { $0.programEntry(channel: nil) } }
    let lists = members()?.map { key, value, position -> [Placed<String>] in
      guard let channel = Int(key), ProgramPorts.channels.contains(channel), key == "\(channel)" else {
        value.log.report(
          at: position, path: value.path, "\(key.quoted) is no channel",
          fix: "write a channel's number, such as \"1\", or a list between [ and ] for all channels")
        return []
      }
      return value.list { $0.programEntry(channel: channel) } ?? []
    }
    return lists?.flatMap(\.self)
  }

  /// An entry of such a list: a text, or an object with patterns.
  private func programEntry(channel: Int?) -> Placed<String>? {
    guard case .object = value.kind else { return textEntry(channel: channel) }
    let keys = ["ports"] + ProgramNames.Key.allCases.map(\.rawValue)
    guard let object = object(keys) else { return nil }
    var names: [ProgramNames.Key: PortGlob] = [:]
    for key in ProgramNames.Key.allCases {
      names[key] = object[key.rawValue]?.text().flatMap { PortGlob($0) }
    }
    let ports = object["ports"]?.text().flatMap { PortGlob($0) }
    guard let entry = ProgramPorts(channel: channel, ports: ports, names: names) else {
      if object.members.isEmpty {
        report(
          "the entry names no program",
          fix: "write at least one of \(keys.map(\.quoted).joined(separator: ", "))")
      }
      return nil
    }
    return placed(entry.text)
  }

  private func textEntry(channel: Int?) -> Placed<String>? {
    guard let text = text(upTo: Self.longestEntry) else { return nil }
    guard let channel else { return placed(text) }
    guard case .ports(var entry)? = StreamSource(text), entry.channel == nil else {
      report(
        "\(text.quoted) has channels of its own", fix: "write it in a list, without \"\(channel)\" before it",
        aspect: .meaning)
      return nil
    }
    entry.channel = channel
    return placed(entry.text)
  }

  /// In bytes: four patterns, as kept states write them.
  static let longestEntry = 1_400
}
