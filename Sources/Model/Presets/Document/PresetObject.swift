import JSON5
import Parameters
import SessionModel

/// A kind of object in presets, with its keys. The reader, the schema and the reference are made from these.
struct PresetObject: Sendable {
  /// The name of the kind in the schema.
  let name: String
  /// The path of such objects, for the reference; empty for the document itself.
  let place: String
  let summary: String
  /// The keys that form the document's structure.
  let fields: [Field]
  /// The owners whose parameters are also keys. A key of several owners is the same setting.
  let owners: [Table.Owner]
  /// The required keys.
  let required: [String]
  /// Whether a document that this one extends may contain the required keys.
  let isExtensible: Bool

  init(
    _ name: String, at place: String, _ summary: String, fields: [Field], owners: [Table.Owner] = [],
    required: [String] = [], isExtensible: Bool = false
  ) {
    (self.name, self.place, self.summary, self.fields) = (name, place, summary, fields)
    (self.owners, self.required, self.isExtensible) = (owners, required, isExtensible)
  }

  /// A key that is not a parameter.
  struct Field: Sendable {
    let key: String
    let shape: Shape
    let summary: String
    init(_ key: String, _ shape: Shape, _ summary: String) {
      (self.key, self.shape, self.summary) = (key, shape, summary)
    }
  }

  /// The content of a field.
  indirect enum Shape: Sendable {
    case version
    case number(ClosedRange<Double>, unit: String)
    case integer(ClosedRange<Int>)
    case toggle
    case choice([String])
    case text
    /// Text of at most so many bytes.
    case longText(Int)
    /// Text of a form.
    case form(Form)
    case slug
    case list(of: Shape)
    /// A list with at least one element.
    case someOf(Shape)
    case object(String)
    /// A list with at least one text, or an object.
    case someTexts(or: String)
    /// A level, or an object.
    case level(or: String)
    case entries(Names, of: Shape, atMost: Int? = nil)
    /// A chain of effects.
    case effects
    /// Addresses of parameters, with their values.
    case settings(Settings)
  }

  /// Which parameters an object of addresses may contain.
  enum Settings: Sendable {
    /// Those of sessions and ports.
    case ofObjects
    case all
  }

  /// The keys that are parameters, in the order of the table.
  var leaves: [(key: String, parameter: Parameter)] {
    var leaves: [(key: String, parameter: Parameter)] = []
    for parameter in owners.flatMap(Table.keys(of:)) {
      guard let key = parameter.key, !leaves.contains(where: { $0.key == key }) else { continue }
      leaves.append((key, parameter))
    }
    return leaves
  }

  /// All keys, with the fields first.
  var keys: [String] { fields.map(\.key) + leaves.map(\.key) }
}

extension PresetObject {
  /// All kinds, starting with the document.
  static let all = [
    root, port, source, monitor, bridge, session, stream, destination, capture, contribution, ducker, io,
    voice, talkback,
    ducking,
    interruptions, player, recorder, group, kept, interruption, remembered,
  ]

  /// The most bytes of the address of a schema, and of a path.
  static let (longestAddress, longestPath) = (2_048, 4_096)

  static let root = PresetObject(
    "preset", at: "", "The settings of a show.",
    fields: [
      Field("$schema", .longText(longestAddress), "The schema, for editors; the router does not read it."),
      Field("multiroute", .version, "The version of the format."),
      Field("title", .text, "The name for people; the preset's id is the name of its file."),
      Field(
        "extends", .slug,
        "The preset that this one starts from; keys here add to its keys or replace them."),
      Field(
        "others", .choice(Others.allCases.map(\.rawValue)),
        "What happens to settings that the preset before named and this one does not: by default they are reset; `keep` leaves them; `remove` also removes sessions made over OSC."
      ),
      Field(
        "fade", .number(0...PresetStatus.longestFade, unit: "s"),
        "The fade of a recall of this preset; without this key that of `/preset/fade`."),
      Field(
        "scope", .form(.scope),
        "The parts of the settings that a recall of this preset may change, joined by `+`, or `all`: \(Scope.allCases.map { "`\($0.rawValue)`" }.joined(separator: " "))."
      ),
      Field(
        "safe", .list(of: .text),
        "Patterns of OSC addresses that its recall does not touch, with everything below."),
      Field("ports", .entries(.slugs, of: .object("port")), "The devices, by id."),
      Field(
        "sessions", .entries(.slugs, of: .object("session"), atMost: RouterState.maximumSessions),
        "The sessions, by id, in the order of lists and activation."),
      Field(
        "players", .entries(.slugs, of: .object("player"), atMost: RouterState.maximumPlayers),
        "The players of sound files, by id."),
      Field(
        "recorders", .entries(.slugs, of: .object("recorder"), atMost: RouterState.maximumRecorders),
        "The recorders, by id."),
      Field(
        "groups", .entries(.slugs, of: .object("group"), atMost: RouterState.maximumGroups),
        "The groups with a common gain and mute, by id."),
      Field(
        "chains", .entries(.slugs, of: .effects),
        "Chains of effects, by ids that `effects` may name: each a short name or URI, then `off`, `preset=\"name\"`, `sidechain=stream:show.voice` (or `output:usb`), values such as `HPfreq=100`."
      ),
      Field("ducking", .object("ducking"), "The ducking by sessions without values of their own."),
      Field("interruptions", .object("interruptions"), "The effect of calls."),
      Field(
        "settings", .settings(.ofObjects),
        "Settings without a key of their own, by OSC address, such as `/input/usb/1/gain`. Those of devices never seen are left out."
      ),
      Field(
        "kept", .object("kept"),
        "What a router adds to its kept state; leave it out of your own presets. `multiroute run` goes on where that state ends; a recall ignores it."
      ),
    ], owners: [.router],
    required: ["multiroute"])

  static let port = PresetObject(
    "port", at: "ports.<id>",
    "A device. Levels and channels are those of its outputs, or of its inputs if it has no outputs.",
    fields: [
      Field("type", .choice(PortType.allCases.map(\.rawValue)), "The type of the device."),
      Field(
        "outputs", .someOf(.text),
        "The JACK ports that take sound, names or globs, in the order of channels."),
      Field(
        "inputs", .someOf(.text),
        "The JACK ports that give sound, in the order of channels: names or globs."),
      Field(
        "node", .text,
        "PipeWire's node of the JACK ports, a name or glob, for identical cards. Other servers ignore it."
      ),
      Field(
        "sources", .entries(.sources, of: .someTexts(or: "source")),
        "Data sources of an input, by id: JACK ports, or an object that also says for which modes. Without `inputs` the first one feeds it."
      ),
      Field(
        "channels", .integer(1...Port.maximumChannels),
        "How many channels the device has while absent or bridged; a bridged device has 2 by default."
      ),
      Field(
        "bridge", .object("bridge"),
        "The program for a card or machine that the server cannot see; instead of `outputs` and `inputs`."
      ),
      Field("solo", .object("monitor"), "Makes its outputs a monitor output, which hears what is soloed."),
    ], owners: [.output, .input],
    required: ["type"], isExtensible: true)

  static let source = PresetObject(
    "source", at: "ports.<id>.sources.<id>", "A data source of an input; a plain list is its JACK ports.",
    fields: [
      Field(
        "ports", .someOf(.text), "The JACK ports that give sound while the source is chosen: names or globs."),
      Field(
        "for", .list(of: .choice(Mode.capturing.map(\.rawValue))),
        "The modes that choose the source, unless `source` does; of the sessions that capture from the input the newest active one counts."
      ),
    ], required: ["ports"])

  static let bridge = PresetObject(
    "bridge", at: "ports.<id>.bridge",
    "A program of zita-ajbridge or zita-njbridge that the router starts, watches, restarts and ends.",
    fields: [
      Field(
        "tool", .choice(Bridge.Tool.allCases.map(\.rawValue)),
        "To a card, from a card, to the network, from the network."),
      Field("device", .text, "ALSA's name of the card, such as `hw:USB`; cards only."),
      Field(
        "rate", .integer(cardRates),
        "The card's sample rate in Hz; the server's rate by default. Cards only."),
      Field("period", .integer(cardPeriods), "The card's period in frames; cards only."),
      Field("periods", .integer(cardBuffers), "How many periods the card buffers; cards only."),
      Field(
        "address", .form(.word),
        "The address to send to, or to receive at; multicast is allowed. Networks only."
      ),
      Field("port", .integer(networkPorts), "The UDP port; networks only."),
      Field("interface", .form(.word), "The network interface, which multicast needs; networks only."),
      Field(
        "format", .choice(Bridge.Format.allCases.map(\.rawValue)),
        "The format of samples on the network, 24bit by default; `zita-j2n` only."),
      Field(
        "buffer", .number(networkBuffers, unit: "s"),
        "The longest delay of a packet that causes no gap, 0.01 by default; `zita-n2j` only."),
    ], required: ["tool"])

  static let cardRates = 8_000...384_000
  static let cardPeriods = 16...8_192
  static let cardBuffers = 2...16
  static let networkPorts = 1...65_535
  static let networkBuffers = 0.0...1.0

  static let session = PresetObject(
    "session", at: "sessions.<id>", "A source of sound with a role, such as music or a call.",
    fields: [
      Field("category", .choice(Category.allCases.map(\.rawValue)), "The session's category."),
      Field("mode", .choice(Mode.allCases.map(\.rawValue)), "The session's mode."),
      Field(
        "options", .list(of: .choice(optionNames)),
        "The session's options."),
      Field("streams", .entries(.slugs, of: .object("stream")), "Its separate sounds, by id."),
      Field("capture", .object("capture"), "The sound that its programs receive."),
      Field("active", .toggle, "Activates or deactivates the session, last of all."),
      Field("ducking", .object("ducker"), "The effect on the sessions that it ducks."),
      Field("io", .object("io"), "Whether its programs play and record, for programs that do not show it."),
      Field("voice", .object("voice"), "The processing of the voice that its programs receive."),
      Field(
        "talkback", .object("talkback"), "Makes it a talkback: a microphone that speaks to some outputs."),
    ], owners: [.session], required: ["category"], isExtensible: true)

  static let stream = PresetObject(
    "stream", at: "sessions.<id>.streams.<id>", "One of the separate sounds of a session.",
    fields: [
      Field(
        "channels", .integer(1...SessionStream.maximumChannels),
        "How many channels the stream has; \(SessionDefaults.streamChannels) by default."),
      Field(
        "to", .entries(.destinations, of: .level(or: "destination")),
        "The stream's destinations in a multiRoute session: a port's id, `port:n` or `port:first-last`, with a gain."
      ),
    ], owners: [.stream])

  static let destination = PresetObject(
    "destination", at: "sessions.<id>.streams.<id>.to.<port>",
    "One destination of a stream; a plain level is its gain.",
    fields: [], owners: [.destination])

  static let capture = PresetObject(
    "capture", at: "sessions.<id>.capture", "The sound that a session's programs receive.",
    fields: [
      Field(
        "mix", .entries(.contributions, of: .level(or: "contribution")),
        "The capture's content: ids of sessions, or of inputs behind `input:`, each with a gain. Without `mix`: the input of the session's route."
      )
    ], owners: [.capture])

  static let contribution = PresetObject(
    "contribution", at: "sessions.<id>.capture.mix.<id>",
    "One part of a capture; a plain level is its gain.",
    fields: [], owners: [.captureSession, .captureInput])

  static let ducker = PresetObject(
    "ducker", at: "sessions.<id>.ducking", "The effect of a session on the sessions that it ducks.",
    fields: [], owners: [.ducker])

  static let io = PresetObject(
    "io", at: "sessions.<id>.io", "Whether a session's programs play and record.", fields: [], owners: [.io])

  static let voice = PresetObject(
    "voice", at: "sessions.<id>.voice",
    "The processing of the voice that a session's programs receive.",
    fields: [], owners: [.voice])

  static let ducking = PresetObject(
    "ducking", at: "ducking", "The ducking by sessions without values of their own.",
    fields: [], owners: [.ducking])

  static let interruptions = PresetObject(
    "interruptions", at: "interruptions", "The effect of calls.", fields: [], owners: [.interruptions])

  static let kept = PresetObject(
    "kept", at: "kept",
    "What a router adds to the state that it keeps against a crash.",
    fields: [
      Field("preset", .slug, "The id of the preset that was in force."),
      Field("path", .longText(longestPath), "The file of that preset."),
      Field(
        "hash", .longText(longestPath),
        "A hash of that preset and those that it extends (FNV-1a, 64 bits), against edits."
      ),
      Field("time", .longText(longestPath), "The time when the state was written, in ISO 8601."),
      Field("modified", .toggle, "Whether a setting had changed since that preset came into force."),
      Field(
        "start", .longText(longestPath),
        "The file of the preset with which the run began, if it began with one."),
      Field("server", .longText(longestPath), "The audio server that the connections in `taken` belong to."),
      Field(
        "taken", .list(of: .list(of: .longText(longestPath))),
        "The connections that exclusive streams took from other programs: source and sink."),
      Field(
        "active", .list(of: .slug), "The sessions that were active, in the order in which they became so."),
      Field(
        "interrupted", .list(of: .slug),
        "The sessions that were interrupted, in the order in which that happened."),
      Field(
        "waiting", .list(of: .slug), "The sessions that were inactive because their programs were absent."),
      Field(
        "present", .list(of: .slug),
        "The sessions whose signal was present, and the inactive ones whose programs were."),
      Field(
        "interruptions", .list(of: .object("interruption")),
        "The interruptions from outside the router, in the order in which they began."),
      Field(
        "placed", .list(of: .form(.streamOfSession)),
        "The streams without a route of their own, as `session.stream`."),
      Field(
        "outputs", .entries(.slugs, of: .object("port")),
        "The outputs that the router found without an entry in `ports`."),
      Field(
        "inputs", .entries(.slugs, of: .object("port")),
        "The inputs that the router found without an entry in `ports`."),
      Field("settings", .settings(.all), "The router's own settings without a preset key, by OSC address."),
      Field(
        "remembered", .list(of: .object("remembered")),
        "The guards and maxima of sessions and streams that were removed."),
    ])

  static let remembered = PresetObject(
    "remembered", at: "kept.remembered[]",
    "A guard or maximum of an id that does not exist now, in force as soon as it does.",
    fields: [
      Field("session", .slug, "The session."),
      Field("max", .number(Decibels.floor...Decibels.highest, unit: "dB"), "The session's maximum."),
      Field("stream", .slug, "The stream that has the guard."),
      Field("never", .list(of: .slug), "The outputs to which the stream never goes."),
    ], required: ["session"])

  static let interruption = PresetObject(
    "interruption", at: "kept.interruptions[]",
    "Something outside the router that interrupted, such as a phone.",
    fields: [
      Field("source", .slug, "The id of the source."),
      Field("reason", .choice(InterruptionReason.allCases.map(\.name)), "The reason of the interruption."),
      Field("on", .toggle, "Whether it was interrupting."),
      Field("ringing", .toggle, "Whether it was ringing."),
    ], required: ["source"])

  /// `allowBluetooth` is the old name of `allowBluetoothHFP`.
  static let optionNames = SessionOptions.named.map(\.name) + ["allowBluetooth"]
}
