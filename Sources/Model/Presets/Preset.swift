public import JSON5
public import SessionModel

/// A preset that was read without errors: the settings of a show.
public struct Preset: Sendable {
  /// The id, made from the file's name.
  public let id: PresetID
  /// The name for people; the id if there is no title.
  public let title: String
  /// The ids of its ports, in the order of the file. Here and below, extended presets come first.
  public let ports: [PortID]
  public let sessions: [SessionID]
  /// The preset's file, as named by its reader.
  public let file: String
  /// Changes with the content of the file and of the presets that it extends.
  public let hash: ContentHash
  let document: PresetDocument
  /// The state of a router that started with the preset. A recall needs it, and making it takes longer than all the rest, so the reader
  /// makes it. Nil for a preset that was not read.
  let fresh: RouterState?
  private let reading = Reading()

  /// Stands for one reading of the files. Copies of the preset share it.
  private final class Reading: Sendable {}

  /// Whether the preset comes from the same reading of the same files as another one.
  public func isSame(as other: Preset) -> Bool { reading === other.reading }

  /// The preset that it extends.
  public var base: PresetID? { document.extends?.value }
  /// The fade of its recall in seconds; nil if it names none.
  public var fade: Double? { document.fade }
  /// The parts of the settings that its recall may change.
  public var scope: Set<Scope> { document.scope ?? Set(Scope.allCases) }
  /// Patterns of addresses that its recall does not touch, beside those of the router.
  public var safes: [String] { document.safes }

  /// The streams of one of its sessions.
  public func streams(of session: SessionID) -> [StreamID] { document.sessions[session]?.streams.keys ?? [] }

  /// Whether it names a port.
  public func has(_ direction: Direction, _ port: PortID) -> Bool {
    document.ports[port]?.directions.contains(direction) ?? false
  }

  /// The programs that feed its streams and that its captures feed, in the order of the file.
  public var programs: [ProgramPorts] {
    var programs: [ProgramPorts] = []
    for (_, session) in document.sessions {
      let lists = session.streams.values.map { $0.leaves["from"] } + [session.capture?.leaves["to"]]
      for case let leaf? in lists {
        for entry in leaf.entries where !programs.contains(entry.value) { programs.append(entry.value) }
      }
    }
    return programs
  }

  /// Problems with ports whose number of channels is known only while they are connected, by output.
  public var unknownWidths: Registry<PortID, Problem> {
    var problems = Registry<PortID, Problem>()
    for (id, entry) in document.ports {
      guard entry.leading == .output, entry.channels == nil, entry.bridge == nil,
        entry.port(id, .output, instead: nil).channels == 0
      else { continue }
      problems[id] = entry.place.problem(
        "the number of channels of \(id.name.quoted) is known only while it is connected, so it cannot be rendered",
        fix: "add \"channels\", for instance \"channels\": 2", severity: .warning)
    }
    return problems
  }

  init(id: PresetID, file: String, hash: ContentHash, document: PresetDocument, fresh: RouterState? = nil) {
    (self.id, self.file, self.hash) = (id, file, hash)
    (self.document, self.fresh) = (document, fresh)
    title = document.title ?? id.name
    (ports, sessions) = (document.ports.keys, document.sessions.keys)
  }

  /// The events that bring a router from a state to the preset. Settings that the preset does not name stay.
  ///
  /// The order is: ports, the router's settings, sessions and streams, the settings of those, captures,
  /// activation. A guard comes before the destinations of its stream, so that no sound goes to the wrong
  /// output even for a moment. A setting that is in force already gives no event. On an empty state with a
  /// running server the policy accepts all events.
  public func events(for state: RouterState) -> [Event] {
    document.steps(for: state, at: 0).compactMap { try? $0.outcome.get() }
  }
}
