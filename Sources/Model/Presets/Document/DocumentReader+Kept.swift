import JSON5
import Parameters
import SessionModel

extension DocumentReader {
  /// The object `kept`, which a router adds to the state that it keeps.
  static func kept(_ value: ValueReader) -> KeptEntry? {
    guard let object = value.object(.kept) else { return nil }
    func text(_ key: String) -> String { object[key]?.text(upTo: PresetObject.longestPath) ?? "" }
    func ids<Subject>(_ key: String) -> [Identifier<Subject>] {
      object[key]?.list { $0.identifier() } ?? []
    }
    var head = KeptHead(
      preset: object["preset"]?.identifier(PresetEntry.self)?.name ?? "", path: text("path"),
      hash: text("hash"), time: text("time"))
    head.start = object["start"]?.text(upTo: PresetObject.longestPath)
    head.isModified = object["modified"]?.bool() ?? false
    let taken = object["taken"]?.list { connection($0) } ?? []
    if !taken.isEmpty { head.taken = TakenConnections(server: text("server"), connections: Set(taken)) }
    var entry = KeptEntry(head: head)
    (entry.active, entry.interrupted, entry.waiting) = (ids("active"), ids("interrupted"), ids("waiting"))
    entry.present = ids("present")
    entry.interruptions = object["interruptions"]?.list { interruption($0) } ?? []
    entry.placed = object["placed"]?.list { placed($0) } ?? []
    for (direction, key) in [(Direction.output, "outputs"), (.input, "inputs")] {
      for (id, value, position) in object[key]?.entries(of: Port.self) ?? [] {
        entry.found[direction, default: Registry()][id] = port(value, value.place(at: position))
      }
    }
    entry.settings = object["settings"].map(settings) ?? []
    entry.remembered = object["remembered"]?.list { remembered($0) } ?? []
    return entry
  }

  private static func connection(_ value: ValueReader) -> TakenConnections.Connection? {
    guard let names = value.list({ $0.text(upTo: PresetObject.longestPath) }), names.count == 2 else {
      return nil
    }
    return TakenConnections.Connection(source: names[0], sink: names[1])
  }

  private static func interruption(_ value: ValueReader) -> Interruption? {
    guard let object = value.object(.interruption),
      let id = object.required("source", example: "\"phone\"")?.identifier(Interruption.self)
    else { return nil }
    var interruption = Interruption(id: id)
    let reason = object["reason"]?.choice(InterruptionReason.allCases.map(\.name))
    interruption.reason = InterruptionReason.allCases.first { $0.name == reason } ?? .default
    interruption.isOn = object["on"]?.bool() ?? false
    interruption.isRinging = object["ringing"]?.bool() ?? false
    return interruption
  }

  private static func remembered(_ value: ValueReader) -> (SessionID, RememberedLimits.Limits)? {
    guard let object = value.object(.remembered),
      let id = object.required("session", example: "\"show\"")?.identifier(Session.self)
    else { return nil }
    var limits = RememberedLimits.Limits()
    limits.maximum = object["max"]?.number(Decibels.floor...Decibels.highest)
    let never = object["never"]?.list { $0.identifier(Port.self) }
    if let stream = object["stream"]?.identifier(SessionStream.self) { limits.never[stream] = never }
    return (id, limits)
  }

  private static func placed(_ value: ValueReader) -> (session: SessionID, stream: StreamID)? {
    guard let text = value.text(inASCII: true) else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let session = SessionID(parts[0]), let stream = StreamID(parts[1]) else {
      value.report("\(text.quoted) is not a valid stream", fix: "write session.stream")
      return nil
    }
    return (session, stream)
  }

  /// Settings by the addresses of their parameters.
  static func settings(_ value: ValueReader) -> [SettingEntry] {
    value.members()?.compactMap { setting($0.key, $0.value) } ?? []
  }

  private static func setting(_ address: String, _ value: ValueReader) -> SettingEntry? {
    // An address begins with the separator.
    let parts = Array(address.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
    for parameter in Table.parameters where parameter.isSetting {
      guard address.first == "/", let target = parameter.target(of: parts) else { continue }
      guard let setting = value.setting(parameter) else { return nil }
      return SettingEntry(parameter: parameter, target: target, value: setting, place: value.place)
    }
    value.report("\(address.quoted) is not an address that can be set", fix: "remove it")
    return nil
  }
}

extension ValueReader {
  /// A value of a parameter's kind. Unlike in presets, texts may be long or empty.
  fileprivate func setting(_ parameter: Parameter) -> Value? {
    switch (parameter.kind, value.kind) {
    case (.text, .string(let text)): .text(text)
    case (.texts, .array), (.names, .array), (.programPorts, .array):
      list { element in
        if case .string(let text) = element.value.kind { return text }
        element.reportKind(wanted: "text in quotes")
        return nil
      }.map { .texts($0) }
    default: leaf("", parameter)?.value
    }
  }
}
