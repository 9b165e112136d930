import Parameters
import SessionModel

/// A kind of object in a preset and the keys it may have; reader, schema and reference are made from these.
struct PresetObject: Sendable {
  /// What the schema calls it.
  let name: String
  /// Where such objects stand, for the reference; empty for the document itself.
  let place: String
  let summary: String
  /// Keys that give the document its structure.
  let fields: [Field]
  /// Whose parameters are keys too; when several owners know a key, it is the same one.
  let owners: [Table.Owner]
  /// Keys that later versions know.
  let later: [String]
  /// Keys that must be there; in a preset that extends another one they may be there already.
  let required: [String]

  init(
    _ name: String, at place: String, _ summary: String, fields: [Field], owners: [Table.Owner] = [],
    later: [String] = [], required: [String] = []
  ) {
    (self.name, self.place, self.summary, self.fields) = (name, place, summary, fields)
    (self.owners, self.later, self.required) = (owners, later, required)
  }

  /// A key that is no plain parameter.
  struct Field: Sendable {
    let key: String
    let shape: Shape
    let summary: String
    init(_ key: String, _ shape: Shape, _ summary: String) {
      (self.key, self.shape, self.summary) = (key, shape, summary)
    }
  }

  /// What a field holds.
  indirect enum Shape: Sendable {
    case version
    case number(ClosedRange<Double>, unit: String)
    case integer(ClosedRange<Int>)
    case toggle
    case choice([String])
    case text
    case slug
    case list(of: Shape)
    case object(String)
    /// A level or an object.
    case level(or: String)
    case entries(Names, of: Shape)
  }

  /// What the keys of an object of entries look like.
  enum Names: Sendable {
    case slugs, destinations, contributions
  }

  /// The parameters that are keys, in the order of the table.
  var leaves: [Parameter] {
    var leaves: [Parameter] = []
    for parameter in owners.flatMap(Table.keys(of:))
    where !leaves.contains(where: { $0.key == parameter.key }) {
      leaves.append(parameter)
    }
    return leaves
  }

  /// All keys, fields first.
  var keys: [String] { fields.map(\.key) + leaves.map { $0.key! } }
}

extension PresetObject {
  /// All kinds, from the document down.
  static let all = [
    root, port, bridge, session, stream, destination, capture, contribution, ducker, io, ducking,
    interruptions,
  ]

  static let root = PresetObject(
    "preset", at: "", "How the show sounds.",
    fields: [
      Field("$schema", .text, "The schema, for editors; the router does not read it."),
      Field("multiroute", .version, "The version of the format."),
      Field("title", .text, "What people call the preset; its id is the name of its file."),
      Field(
        "extends", .slug,
        "The id of a preset that this one starts from; what stands here is said instead or besides."),
      Field("fade", .number(fadeRange, unit: "s"), "How long a recall takes to move levels."),
      Field("ports", .entries(.slugs, of: .object("port")), "The devices, by id."),
      Field(
        "sessions", .entries(.slugs, of: .object("session")),
        "The sessions, by id; their order is the order of lists and of activation."),
      Field("ducking", .object("ducking"), "What duckers do to the others unless they say so themselves."),
      Field("interruptions", .object("interruptions"), "What calls do."),
    ], owners: [.router], later: ["players", "recorders", "safe", "others", "scope", "strips"],
    required: ["multiroute"])

  static let port = PresetObject(
    "port", at: "ports.<id>",
    "A device. Its name and plug are those of both directions; levels and channels are those of its outputs, or of its inputs if it has nothing else.",
    fields: [
      Field("type", .choice(PortType.allCases.map(\.rawValue)), "What it is."),
      Field(
        "outputs", .list(of: .text),
        "The JACK ports that take sound, in the order of channels: names or globs."),
      Field("inputs", .list(of: .text), "The JACK ports that give sound, likewise."),
      Field(
        "node", .text,
        "PipeWire's node that the JACK ports belong to, a name or glob: it tells identical cards apart. Other servers do not look at it."
      ),
      Field(
        "sources", .entries(.slugs, of: .list(of: .text)),
        "Data sources of an input, by id: the JACK ports that give sound while the source is chosen. The first feeds the input if it names no `inputs`."
      ),
      Field(
        "channels", .integer(1...Port.maximumChannels),
        "How many channels it has when globs stand for several and it is away, or when it is bridged: 2 if nothing is said."
      ),
      Field(
        "bridge", .object("bridge"),
        "The program that makes the JACK ports, for a card or a machine that the audio server does not see; instead of `outputs` and `inputs`."
      ),
    ], owners: [.output, .input],
    required: ["type"])

  static let bridge = PresetObject(
    "bridge", at: "ports.<id>.bridge",
    "A program of zita-ajbridge or zita-njbridge that the router starts, watches, starts again and ends.",
    fields: [
      Field(
        "tool", .choice(Bridge.Tool.allCases.map(\.rawValue)),
        "To a card, from a card, to the network, from the network."),
      Field("device", .text, "ALSA's name of the card, such as `hw:USB`; cards only."),
      Field(
        "rate", .integer(cardRates),
        "The card's sample rate in Hz; the server's if nothing is said. Cards only."),
      Field("period", .integer(cardPeriods), "The card's period in frames; cards only."),
      Field("periods", .integer(cardBuffers), "How many periods the card buffers; cards only."),
      Field(
        "address", .text,
        "The address that is sent to, or that is received at; multicast is allowed. Networks only."
      ),
      Field("port", .integer(networkPorts), "The UDP port; networks only."),
      Field("interface", .text, "The network interface, which multicast needs; networks only."),
      Field(
        "format", .choice(Bridge.Format.allCases.map(\.rawValue)),
        "How samples travel, 24bit if nothing is said; `zita-j2n` only."),
      Field(
        "buffer", .number(networkBuffers, unit: "s"),
        "How unevenly packets may come, 0.01 if nothing is said; `zita-n2j` only."),
    ], required: ["tool"])

  static let cardRates = 8_000...384_000
  static let cardPeriods = 16...8_192
  static let cardBuffers = 2...16
  static let networkPorts = 1...65_535
  static let networkBuffers = 0.0...1.0

  static let session = PresetObject(
    "session", at: "sessions.<id>", "A source with a role.",
    fields: [
      Field("category", .choice(Category.allCases.map(\.rawValue)), "What the session is for."),
      Field("mode", .choice(Mode.allCases.map(\.rawValue)), "Its specialisation."),
      Field("options", .list(of: .choice(optionNames)), "How it behaves beside others."),
      Field("streams", .entries(.slugs, of: .object("stream")), "Its sounds, by id."),
      Field("capture", .object("capture"), "What its programs receive."),
      Field("active", .toggle, "Makes it active or inactive when everything else is in place."),
      Field("ducking", .object("ducker"), "What it does to the others when it ducks them."),
      Field("io", .object("io"), "Whether its programs play and record, for those that do not show it."),
    ], owners: [.session], required: ["category"])

  static let stream = PresetObject(
    "stream", at: "sessions.<id>.streams.<id>", "One of the separate sounds of a session.",
    fields: [
      Field(
        "channels", .integer(1...SessionStream.maximumChannels),
        "How many channels it has; 2 if nothing is said."),
      Field(
        "to", .entries(.destinations, of: .level(or: "destination")),
        "Where it goes in a multiRoute session, at most once per output: a port's id, `port:n` or `port:first-last`, each with its gain."
      ),
    ], owners: [.stream])

  static let destination = PresetObject(
    "destination", at: "sessions.<id>.streams.<id>.to.<port>",
    "One place where a stream goes; a plain level says its gain.",
    fields: [], owners: [.destination])

  static let capture = PresetObject(
    "capture", at: "sessions.<id>.capture", "What a session's programs receive.",
    fields: [
      Field(
        "mix", .entries(.contributions, of: .level(or: "contribution")),
        "What it contains besides its input: ids of sessions and inputs, each with its gain; `input:` before an id says that an input is meant."
      )
    ], owners: [.capture])

  static let contribution = PresetObject(
    "contribution", at: "sessions.<id>.capture.mix.<id>",
    "One part of a capture; a plain level says its gain.",
    fields: [], owners: [.captureSession, .captureInput])

  static let ducker = PresetObject(
    "ducker", at: "sessions.<id>.ducking", "What a session does to the others when it ducks them.",
    fields: [], owners: [.ducker])

  static let io = PresetObject(
    "io", at: "sessions.<id>.io", "Whether a session's programs play and record.", fields: [], owners: [.io])

  static let ducking = PresetObject(
    "ducking", at: "ducking", "What duckers do to the others unless they say so themselves.",
    fields: [], owners: [.ducking])

  static let interruptions = PresetObject(
    "interruptions", at: "interruptions", "What calls do.", fields: [], owners: [.interruptions])

  /// Seconds a recall may take.
  static let fadeRange = 0.0...120.0

  /// `allowBluetooth` is the old name of `allowBluetoothHFP`.
  static let optionNames = SessionOptions.named.map(\.name) + ["allowBluetooth"]
}
