import JSON5
import Parameters
import SessionModel

/// Reads the content of one file, without the presets that it extends.
enum DocumentReader {
  /// Reads the root of a document. Problems go to the document's log.
  static func document(_ root: ValueReader) -> PresetDocument {
    var document = PresetDocument()
    guard let object = root.object(.root) else { return document }
    version(object.required("multiroute", example: "1"))
    _ = object["$schema"]?.text(upTo: PresetObject.longestAddress)
    document.title = object["title"]?.text()
    document.leaves = object.leaves(of: .root)
    document.ducking = object["ducking"]?.leaves(of: .ducking) ?? []
    document.interruptions = object["interruptions"]?.leaves(of: .interruptions) ?? []
    if let extends = object["extends"] { document.extends = extends.placed(extends.identifier()) }
    if let others = object["others"] { document.others = others.placed(others.choice(Others.self)) }
    document.fade = object["fade"].flatMap { $0.number(0...PresetStatus.longestFade, unit: "s") }
    document.scope = object["scope"].flatMap(scope)
    document.safes = object["safe"].flatMap(safes) ?? []
    for (id, entry, position) in object["ports"]?.entries(of: Port.self) ?? [] {
      document.ports[id] = port(entry, entry.place(at: position))
    }
    for (id, entry, position) in entries(
      object["sessions"], of: Session.self, "sessions", atMost: RouterState.maximumSessions)
    {
      document.sessions[id] = session(entry, entry.place(at: position))
    }
    for (id, entry, position) in entries(
      object["players"], of: MediaPlayer.self, "players", atMost: RouterState.maximumPlayers)
    {
      document.players[id] = player(entry, entry.place(at: position))
    }
    for (id, entry, position) in entries(
      object["recorders"], of: MediaRecorder.self, "recorders", atMost: RouterState.maximumRecorders)
    {
      document.recorders[id] = recorder(entry, entry.place(at: position))
    }
    for (id, entry, position) in entries(
      object["groups"], of: SoundGroup.self, "groups", atMost: RouterState.maximumGroups)
    {
      document.groups[id] = group(entry, entry.place(at: position))
    }
    for (id, entry, _) in object["chains"]?.entries(of: NamedChain.self) ?? [] {
      document.chains[id] = entry.effects()
    }
    document.settings = object["settings"].map(objectSettings) ?? []
    document.kept = object["kept"].flatMap { kept($0) }
    for (session, stream) in document.kept?.placed ?? [] {
      document.sessions[session]?.streams[stream]?.isPlacedByDefault = true
    }
    return document
  }

  /// The entries of an object, as many as a router holds. To read and try tens of thousands would take seconds.
  static func entries<Subject>(
    _ value: ValueReader?, of type: Subject.Type, _ noun: String, atMost most: Int
  ) -> ArraySlice<(id: Identifier<Subject>, value: ValueReader, keyPosition: SourcePosition)> {
    let entries = value?.entries(of: type) ?? []
    if entries.count > most {
      entries[most].value.report(
        "there are \(entries.count) \(noun), and a router holds \(most)",
        fix: "remove \(entries.count - most) of them")
    }
    return entries.prefix(most)
  }

  private static func version(_ value: ValueReader?) {
    guard let value, let version = value.integer(1...(.max)), version != 1 else { return }
    value.report("version \(version) is newer than this program", fix: "write 1, or use a newer program")
  }

  /// The settings of sessions and ports; those of the router are no part of a show.
  private static func objectSettings(_ value: ValueReader) -> [SettingEntry] {
    settings(value).filter { setting in
      if !setting.parameter.isOfObject {
        value.report(
          "\(setting.parameter.address.quoted) is no setting of a session or port", fix: "remove it")
      }
      return setting.parameter.isOfObject
    }
  }

  private static func scope(_ value: ValueReader) -> Set<Scope>? {
    guard let text = value.text(inASCII: true) else { return nil }
    do throws(SessionError) { return try Scope.words(in: text) } catch {
      value.report(error.sentence, fix: "join the words with +")
      return nil
    }
  }

  private static func safes(_ value: ValueReader) -> [String]? {
    value.list { element -> String? in
      guard let text = element.text() else { return nil }
      do throws(SessionError) { return try SafePatterns.checked([text]).first } catch {
        element.report(
          error.sentence, fix: "write an address or a pattern such as /output/*/gain", aspect: .meaning)
        return nil
      }
    }
  }

  static func port(_ value: ValueReader, _ place: Place) -> PortEntry {
    var entry = PortEntry(place: place)
    guard let object = value.object(.port) else {
      entry.isDamaged = true
      return entry
    }
    if let type = object["type"] {
      entry.type = type.placed(type.choice(PortType.self, everydayWords: PortType.everydayWords))
    }
    for (direction, key) in [(Direction.output, "outputs"), (.input, "inputs")] {
      entry.globs[direction] = object[key].map { globs($0) }
    }
    if let node = object["node"] { entry.node = node.placed(node.text().flatMap { PortGlob($0) }) }
    for (id, source, _) in object["sources"]?.entries(of: Port.DataSource.self) ?? [] {
      if id.name == "none" {
        source.report("\"none\" means that no source is chosen", fix: "choose another name")
      }
      entry.sources[id] = self.source(source)
    }
    reportModesOfSeveral(entry.sources, at: object["sources"])
    if let channels = object["channels"] {
      entry.channels = channels.placed(channels.integer(1...Port.maximumChannels))
    }
    entry.bridge = object["bridge"].flatMap { value in value.placed(bridge(value)) }
    entry.leaves = object.leaves(of: .port)
    if let solo = object["solo"] { entry.solo = self.solo(solo) }
    if let solo = object["solo"], !entry.directions.contains(.output) {
      solo.report("solos are heard at outputs, and this device has none", fix: "remove it", aspect: .meaning)
    }
    entry.isDamaged =
      object["type"] != nil && entry.type == nil || object["bridge"] != nil && entry.bridge == nil
    return entry
  }

  /// The settings of a monitor output, which is one unless the object says otherwise.
  private static func solo(_ value: ValueReader) -> [Leaf] {
    let leaves = value.leaves(of: .monitor)
    return leaves["on"] == nil ? [Leaf("on", .flag(true), at: value.place)] + leaves : leaves
  }

  /// A data source: a list of JACK ports, or an object.
  private static func source(_ value: ValueReader) -> SourceEntry {
    if case .array = value.value.kind { return SourceEntry(globs: globs(value)) }
    guard case .object = value.value.kind else {
      value.reportKind(wanted: "a list of JACK ports between [ and ], or an object between { and }")
      return SourceEntry()
    }
    guard let object = value.object(.source) else { return SourceEntry() }
    let modes = object["for"]?.list { element in
      element.placed(element.choice(Mode.capturing.map(\.rawValue)).flatMap { Mode(rawValue: $0) })
    }
    let ports = object.required("ports", example: "[\"system:capture_1\"]")
    return SourceEntry(globs: ports.map { globs($0) } ?? [], modes: modes ?? [])
  }

  /// Reports modes that several data sources of one input are meant for.
  private static func reportModesOfSeveral(
    _ sources: Registry<SourceID, SourceEntry>, at value: ValueReader?
  ) {
    var owners: [Mode: SourceID] = [:]
    for (id, source) in sources {
      for mode in source.modes.map(\.value) {
        if let owner = owners[mode], owner != id {
          value?.report(
            "the mode \(mode.rawValue) would choose \(owner) and \(id)", fix: "name it for one of them",
            aspect: .meaning)
        }
        owners[mode] = id
      }
    }
  }

  /// The JACK ports of one direction. If the list cannot be read, the direction has no ports.
  private static func globs(_ value: ValueReader) -> [Placed<PortGlob>] {
    if value.value.kind == .array([]) {
      value.report("the list is empty", fix: "name at least one JACK port, or remove the key")
    }
    return value.list { element in element.placed(element.text().flatMap { PortGlob($0) }) } ?? []
  }

  private static func session(_ value: ValueReader, _ place: Place) -> SessionEntry {
    var entry = SessionEntry(place: place)
    guard let object = value.object(.session) else {
      entry.isDamaged = true
      return entry
    }
    if let category = object["category"] {
      entry.category = category.placed(category.choice(Category.self))
      entry.isDamaged = entry.category == nil
    }
    if let mode = object["mode"] { entry.mode = mode.placed(mode.choice(Mode.self)) }
    if let options = object["options"] { entry.options = options.placed(self.options(options)) }
    entry.leaves = object.leaves(of: .session)
    for (id, value, position) in object["streams"]?.entries(of: SessionStream.self) ?? [] {
      entry.streams[id] = stream(value, value.place(at: position))
    }
    entry.namesStreams = object["streams"] != nil
    entry.capture = object["capture"].map { capture($0) }
    if let active = object["active"] { entry.isActive = active.placed(active.bool()) }
    entry.ducking = object["ducking"]?.leaves(of: .ducker) ?? []
    entry.io = object["io"]?.leaves(of: .io) ?? []
    entry.voice = object["voice"]?.leaves(of: .voice) ?? []
    entry.talkback = object["talkback"]?.leaves(of: .talkback) ?? []
    return entry
  }

  private static func options(_ value: ValueReader) -> SessionOptions? {
    let names = value.list { $0.choice(PresetObject.optionNames) }
    return names?.reduce(into: SessionOptions()) { $0.formUnion(SessionOptions.option(named: $1)!) }
  }

  private static func stream(_ value: ValueReader, _ place: Place) -> StreamEntry {
    var entry = StreamEntry(place: place)
    guard let object = value.object(.stream) else { return entry }
    if let channels = object["channels"] {
      entry.channels = channels.placed(channels.integer(1...SessionStream.maximumChannels))
    }
    entry.leaves = object.leaves(of: .stream)
    for (key, value, position) in object["to"]?.members() ?? [] {
      destination(key, value, value.place(at: position), to: &entry)
    }
    entry.namesRoute = object["to"] != nil
    return entry
  }

  private static func destination(
    _ key: String, _ value: ValueReader, _ place: Place, to entry: inout StreamEntry
  ) {
    let leaves = value.levelOrObject(.destination)
    let destination: (port: PortID, channels: ChannelSelection)
    do throws(SessionError) { destination = try StreamRoute.destination(key) } catch {
      return value.log.report(
        at: place.position, path: place.path, "\(key.quoted) is not a valid destination",
        fix: "write the id of a port, with channels if needed, such as \"pa\" or \"pa:1-2\"",
        aspect: PresetObject.Names.destinations.accept(key) ? .meaning : .shape)
    }
    if let other = entry.destinations[destination.port] {
      return value.log.report(
        at: place.position, path: place.path,
        "the stream already goes to \(destination.port.name.quoted), by line \(other.place.position.line)",
        fix: "keep one of the two; a stream goes to each output at most once", aspect: .meaning)
    }
    if destination.channels != .default, let map = leaves["map"] {
      value.log.report(
        at: map.place.position, path: map.place.path, "the key already contains the channels",
        fix: "write \(destination.port.name.quoted) as the key, or remove the map", aspect: .meaning)
    }
    entry.destinations[destination.port] = DestinationEntry(
      place: place, channels: destination.channels, leaves: leaves)
  }

  private static func capture(_ value: ValueReader) -> CaptureEntry {
    var entry = CaptureEntry(place: value.place)
    guard let object = value.object(.capture) else { return entry }
    entry.leaves = object.leaves(of: .capture)
    entry.namesMix = object["mix"] != nil
    for (key, value, position) in object["mix"]?.members() ?? [] {
      if PortID(key.hasPrefix("input:") ? key.dropFirst("input:".count) : key[...]) == nil {
        value.log.report(
          at: position, path: value.path, "\(key.quoted) is not the name of a session or input",
          fix: "write an id such as \"show\", or \"input:mic\"")
      }
      entry.mix[key] = MixEntry(place: value.place(at: position), leaves: value.levelOrObject(.contribution))
    }
    return entry
  }
}

// MARK: Values of presets

extension ValueReader {
  /// An object with the keys of its kind.
  func object(_ kind: PresetObject) -> ObjectReader? { object(kind.keys) }

  /// An object that contains only settings.
  func leaves(of kind: PresetObject) -> [Leaf] { object(kind)?.leaves(of: kind) ?? [] }

  /// A level, or an object. A level alone means an object with only a gain.
  func levelOrObject(_ kind: PresetObject) -> [Leaf] {
    if case .object = value.kind { return leaves(of: kind) }
    return level(upTo: Self.highestLevel).map { [Leaf("gain", .number($0.value), at: place)] } ?? []
  }
}
