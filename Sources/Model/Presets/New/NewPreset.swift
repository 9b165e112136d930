import JSON5
import Parameters
public import SessionModel

/// A preset for people, made from the equipment that is connected: every line has a comment.
///
/// Programs are heard at the first output, 20 dB down. Inputs are listed in comments and routed nowhere, and a program that a microphone reaches waits
/// for a command, so that nothing can howl.
public struct NewPreset: Sendable {
  private let id: PresetID
  private let title: String
  /// The path of the schema, for editors; nil if it is not known.
  private let schema: String?
  private let outputs: [Output]
  private let inputs: [Port]
  private let programs: [Equipment.Source]
  /// Outputs that no pattern distinguishes from an earlier one.
  private let hidden: [Port]

  /// dB.
  private static let level = -20

  /// An output with its id and its JACK ports as a preset names them.
  private struct Output {
    let id: PortID
    let port: Port
    let names: [String]
    var hasWildcard: Bool { names.contains { PortGlob($0)?.isPattern ?? false } }
  }

  public init(_ id: PresetID, title: String, schema: String? = nil, _ equipment: Equipment) {
    (self.id, self.title, self.schema) = (id, title, schema)
    (inputs, programs) = (equipment.inputs, Array(equipment.programs.prefix(RouterState.maximumSessions)))
    var ids = FreeNames<Port>(reserved: "/output", "/input")
    var (outputs, hidden, taken) = ([Output](), [Port](), Set<String>())
    for port in equipment.outputs {
      let names = port.globs.prefix(Port.maximumChannels).map { PortName.glob($0.literal ?? $0.text) }
      guard Set(names).count == names.count, taken.isDisjoint(with: names) else {
        hidden.append(port)
        continue
      }
      taken.formUnion(names)
      outputs.append(Output(id: ids.take(port.id.name), port: port, names: names))
    }
    (self.outputs, self.hidden) = (outputs, hidden)
  }

  /// The output that all programs are heard at: the first one that takes any session.
  private var main: Output? {
    let session = Session(id: "any")
    return outputs.first { session.mayUse(output: $0.port.type, isNamed: true) }
  }

  /// The document.
  public var text: String {
    let lines = head + root + ["}"]
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: The document itself

  private var head: [String] {
    let place =
      main.map { "at the output \($0.id), \(-Self.level) dB down" }
      ?? "nowhere yet, because no output is connected"
    return [
      "// Written by \"multiroute presets new \(id)\" from the devices and programs that were connected.",
      "// Programs are heard \(place). Inputs are heard nowhere, so nothing can howl.",
      "//",
      "// A preset is JSON5: comments and trailing commas are welcome. \"multiroute check \(id)\" names every mistake in it,",
      "// docs/guide/presets.md lists every key, and \"multiroute run \(id)\" makes it heard.",
      "{",
    ]
  }

  private var root: [String] {
    var lines: [String] = []
    if let schema {
      lines += [
        "  // Editors that know JSON Schema complete the keys.", "  \"$schema\": \(PortName.quoted(schema)),",
      ]
    }
    lines += [
      "  // The version of the format.", "  \"multiroute\": 1,",
      "  // The name for people.", "  \"title\": \(PortName.quoted(title)),", "",
      "  // The devices. An id is a name of your own. A device that disappears and returns keeps its level and its routes.",
      "  \"ports\": {",
    ]
    // An exact name goes before a pattern that may match it, so that each device gets its own ports.
    for output in outputs.filter({ !$0.hasWildcard }) + outputs.filter(\.hasWildcard) {
      lines += entry(output)
    }
    lines += hidden.map { port in
      "    // \(PortName.quoted(port.name)) is left out: no pattern distinguishes its ports from those of another device."
    }
    return lines + inputLines + ["  },", ""] + sessionLines
  }

  // MARK: Devices

  private func entry(_ output: Output) -> [String] {
    var lines = [
      "    // \(PortName.quoted(output.port.name)).",
      "    \(PortName.quoted(output.id.name)): {",
      "      \"type\": \"\(output.port.type.rawValue)\", // Because of this: \(PortName.plain(output.port.typeReason)). docs/operate/devices.md lists the types.",
      "      \"outputs\": \(PortName.list(output.names)), // Its JACK ports, in the order of its channels.",
    ]
    if output.hasWildcard {
      lines.append(
        "      \"channels\": \(output.names.count), // A ? stands for one character that a preset cannot name, so the number of channels is given."
      )
    }
    if let input = inputs.first(where: { $0.name == output.port.name }) {
      lines.append(
        "      // \"inputs\": \(PortName.list(input.globs.map { PortName.glob($0.literal ?? $0.text) })), // Its inputs, routed nowhere; without the first // they may be used."
      )
    }
    return lines + ["    },"]
  }

  /// The devices with inputs alone, in comments.
  private var inputLines: [String] {
    let only = inputs.filter { input in !outputs.contains { $0.port.name == input.name } }
    var ids = FreeNames<Port>(reserved: "/output", "/input")
    for output in outputs { _ = ids.take(output.id.name) }
    guard !only.isEmpty else { return inputs.isEmpty ? ["    // There is no input."] : [] }
    return [
      "    // Inputs, routed nowhere. Without the // before it a line makes an input known; a stream takes it by \"from\": [\"input:ID\"]."
    ]
      + only.map { input in
        let names = PortName.list(input.globs.map { PortName.glob($0.literal ?? $0.text) })
        return
          "    // \(PortName.quoted(ids.take(input.id.name).name)): { \"type\": \"\(input.type.rawValue)\", \"inputs\": \(names) },"
      }
  }

  // MARK: Programs

  private var sessionLines: [String] {
    var ids = FreeNames<Session>(reserved: "/session")
    var lines = [
      "  // The programs: each is a session of its own. The operator's levels are /session/ID/gain.",
      "  \"sessions\": {",
    ]
    if programs.isEmpty {
      lines.append(
        "    // No program has JACK ports that sound comes from. Start one, and write its ports under \"from\"; \"multiroute presets new\" shows how."
      )
    }
    for program in programs {
      lines += entry(program, ids.take(SessionID(slugging: program.client).name, of: program.client))
    }
    return lines + ["  },"]
  }

  private func entry(_ program: Equipment.Source, _ id: SessionID) -> [String] {
    let widest = max(main?.port.globs.count ?? 0, 2)
    let ports = program.ports.prefix(min(widest, SessionStream.maximumChannels))
    let waits = !program.microphones.isEmpty
    var lines = [
      "    // The program \(PortName.quoted(program.client))."
        + (waits
          ? " It gets the sound of \(PortName.plain(list(program.microphones))), so it is not heard before you say so."
          : ""),
      "    \(PortName.quoted(id.name)): {",
      "      \"category\": \"playback\", // It plays at one output. \"multiRoute\" reaches several at once.",
      "      \"options\": [\"mixWithOthers\"], // It plays beside the others; with [] it interrupts them.",
      waits
        ? "      \"activate\": \"manual\", // Heard after: multiroute send /session/\(id)/active 1"
        : "      \"activate\": \"connected\", // Heard as soon as the program is there; \"manual\" waits for a command.",
    ]
    lines.append(
      main.map {
        "      \"output\": \(PortName.quoted($0.id.name)), // Where it is heard. If this output is away, it waits."
      }
        ?? "      // No \"output\": it is heard at the first one that is plugged in.")
    lines += [
      "      \"gain\": \(Self.level), // In dB, low for the first time. Louder: multiroute send /session/\(id)/gain -10",
      "      \"streams\": { // Its separate sounds; here one.",
      "        \"main\": {",
      "          \"channels\": \(ports.count), // \(ports.count == 1 ? "One channel is heard at the first two of the output." : "The first goes to the first of the output, and so on.")",
      "          \"from\": \(PortName.list(ports.map(PortName.source))), // The program's JACK ports, in the order of the channels.",
    ]
    if ports.count < program.ports.count {
      lines.append("          // Not heard: \(PortName.plain(list(Array(program.ports[ports.count...])))).")
    }
    return lines + exclusiveLines(program) + ["        },", "      },", "    },"]
  }

  private func exclusiveLines(_ program: Equipment.Source) -> [String] {
    guard !program.devices.isEmpty else { return [] }
    let devices = PortName.plain(list(program.devices))
    guard program.programs.isEmpty else {
      return [
        "          // It is also connected to \(devices), past the router, and to \(PortName.plain(list(program.programs))). The next line would take all of that away.",
        "          // \"exclusive\": true,",
      ]
    }
    return [
      "          \"exclusive\": true, // It was connected to \(devices), past the router. The router takes that away while it runs."
    ]
  }

  private func list(_ names: [String]) -> String {
    let shown = names.prefix(4).joined(separator: ", ")
    return names.count > 4 ? "\(shown) and \(names.count - 4) more" : shown
  }
}

/// JACK's names as texts of a preset.
private enum PortName {
  /// A pattern that matches the name. Control characters become `?`; what is too long for a preset is cut.
  static func glob(_ name: String) -> String {
    // Quoted in parts, because the `?` of a control character is a wildcard.
    var text = name.unicodeScalars.split(omittingEmptySubsequences: false) {
      $0.properties.generalCategory == .control
    }.map { PortGlob.quoted(String($0)) }.joined(separator: "?")
    guard text.utf8.count > mostBytes else { return text }
    while text.utf8.count >= mostBytes { text.removeLast() }
    return text + "*"
  }

  /// The most bytes of a text in a preset.
  private static let mostBytes = 256

  static func quoted(_ text: String) -> String {
    String(JSONValue.string(text).text.dropLast())
  }

  /// Text for a comment.
  static func plain(_ text: String) -> String {
    String(quoted(text).dropFirst().dropLast()).replacing("\\\"", with: "\"")
  }

  /// A pattern for a stream's source. A name that would mean an input of the router or a channel begins with `?`.
  static func source(_ name: String) -> String {
    let glob = glob(name)
    let isPlain = PortGlob(glob).map { StreamSource(glob) == .ports(ProgramPorts($0)) } ?? false
    return isPlain ? glob : "?" + glob.unicodeScalars.dropFirst().map(String.init).joined()
  }

  static func list(_ names: [String]) -> String { "[\(names.map(quoted).joined(separator: ", "))]" }
}

/// Ids that no other object has, and that are no words of addresses.
private struct FreeNames<Subject> {
  private var taken: Set<String>

  init(reserved templates: String...) {
    taken = templates.reduce(into: []) { $0.formUnion(Table.reservedNames(below: $1)) }
  }

  /// Takes the nearest free id.
  ///
  /// - Parameter name: the name for people that the slug was made from; one without any letter or digit of ASCII becomes `program`.
  mutating func take(_ slug: String, of name: String? = nil) -> Identifier<Subject> {
    let isEmpty = name.map { !$0.contains { $0.isASCII && ($0.isLetter || $0.isNumber) } } ?? false
    let slug = isEmpty ? "program" : slug
    let free =
      taken.contains(slug)
      ? (2...).lazy.map { "\(slug.prefix(28))-\($0)" }.first { !taken.contains($0) }! : slug
    taken.insert(free)
    return Identifier<Subject>(free) ?? Identifier<Subject>(slugging: free)
  }
}
