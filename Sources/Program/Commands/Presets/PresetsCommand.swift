import Drawings
import EffectsHost
import OSC
import Presets
import SessionModel
import SessionPolicy

/// `multiroute presets`: the library with titles; one preset as text, as a drawing or as a script for WirePlumber; a new one from what is
/// connected; or what its recall would change in a running router. A preset that `check` refuses is marked.
enum PresetsCommand {
  struct Options {
    var library: LibraryOptions
    var job: Job
    var form: Form

    /// The form in which a preset is shown.
    enum Form { case file, plan, picture, wirePlumber }

    enum Job {
      case list
      case show(String)
      case preview(String, ClientOptions)
      /// Has a running router write its library.
      case write(OSCMessage, ClientOptions)
      case versions(String, ClientOptions)
      /// Writes a preset from what is connected at a JACK server; nil is the default server.
      case new(PresetID, title: String?, server: String?)
    }

    init(_ arguments: ParsedArguments, _ context: Context) throws(CommandFailure) {
      library = LibraryOptions(arguments)
      let forms: [(flag: Flag, form: Form)] = [
        (.plan, .plan), (.svg, .picture), (.wirePlumber, .wirePlumber),
      ]
      let asked = forms.filter { arguments.has($0.flag) }
      form = asked.first?.form ?? .file
      let words = arguments.positionals
      switch (words.first, words.count) {
      case (nil, _): job = .list
      case ("show", 2): job = .show(words[1])
      case ("preview", 2): job = .preview(words[1], try ClientOptions(arguments, context))
      case ("versions", 2): job = .versions(words[1], try ClientOptions(arguments, context))
      case ("new", 2):
        job = .new(
          try NewPresetCommand.id(words[1]), title: arguments.text(.title), server: arguments.text(.server))
      default:
        guard let message = PresetsCommand.message(words, arguments) else {
          throw .usage(
            of: .presets,
            [
              "\(words.joined(separator: " ")) is not understood; write: multiroute presets, and show, new, preview, store, update, versions or delete with an id, or restore ID N"
            ])
        }
        job = .write(message, try ClientOptions(arguments, context))
      }
      if arguments.text(.title) != nil, words.first != "store", words.first != "new" {
        throw .usage(of: .presets, ["--title belongs to new ID and store ID"])
      }
      if arguments.text(.server) != nil, words.first != "new" {
        throw .usage(of: .presets, ["--server belongs to new ID"])
      }
      if arguments.has(.dropComments), words.first != "update" {
        throw .usage(of: .presets, ["--drop-comments belongs to update ID"])
      }
      if let flag = asked.first?.flag, words.first != "show" {
        throw .usage(of: .presets, ["\(flag.name) belongs to show PRESET"])
      }
      if asked.count > 1 {
        throw .usage(of: .presets, ["one of \(asked.map(\.flag.name).joined(separator: ", ")) at a time"])
      }
    }
  }

  /// The message that has a router write its library; nil for words that mean none.
  private static func message(_ words: [String], _ arguments: ParsedArguments) -> OSCMessage? {
    switch (words.first, words.count) {
    case ("store", 2):
      let title = arguments.text(.title).map { [OSCArgument.string($0)] } ?? []
      return OSCMessage("/preset/store", [.string(words[1])] + title)
    case ("update", 2):
      return OSCMessage("/preset/update", .string(words[1]), .int32(arguments.has(.dropComments) ? 1 : 0))
    case ("restore", 3):
      return Int32(words[2]).map { OSCMessage("/preset/restore", .string(words[1]), .int32($0)) }
    case ("delete", 2): return OSCMessage("/preset/delete", .string(words[1]))
    default: return nil
    }
  }

  /// - Parameter equipment: reads the devices and programs at a JACK server.
  static func perform(
    _ options: Options, at equipment: (String?) throws(CommandFailure) -> Equipment,
    _ installed: InstalledEffects, _ context: Context
  ) throws(CommandFailure) {
    switch options.job {
    case .new(let id, let title, let server):
      try NewPresetCommand.perform(
        id, title: title, try equipment(server), installed, try Folders(options.library, context), context)
    case .write(let message, let client):
      var link = try RouterLink(client)
      _ = try link.request(message)
    case .versions(let preset, let client): try versions(preset, client, context)
    case .list: list(try Folders(options.library, context), context)
    case .show(let preset): try show(preset, options, context)
    case .preview(let preset, let client): try preview(preset, client, context)
    }
  }

  private static func versions(
    _ preset: String, _ options: ClientOptions, _ context: Context
  ) throws(CommandFailure) {
    var link = try RouterLink(options)
    var table = TextTable([("VERSION", .right), ("REPLACED", .left)])
    for answer in try link.request(OSCMessage("/preset/versions", .string(preset))) {
      let words = answer.arguments.dropFirst(2).map(\.plain)
      if words.count == 3 { table.append([.init(words[1], .bold), .init(words[2])]) }
    }
    guard !table.isEmpty else { return context.console.print("There is no earlier version of \(preset).") }
    for line in table.lines(context.console) { context.console.print(line) }
  }

  private static func preview(
    _ preset: String, _ options: ClientOptions, _ context: Context
  ) throws(CommandFailure) {
    guard PresetID(preset) != nil else {
      throw .usage(of: .presets, ["'\(preset)' is no id of a preset; multiroute presets lists them"])
    }
    var link = try RouterLink(options)
    PreviewTable(
      try link.request(OSCMessage("/preset/\(preset)/preview")),
      ifEmpty: "The preset is in force: a recall would change nothing."
    ).print(to: context.console)
  }

  private static func show(
    _ shown: String, _ options: Options, _ context: Context
  ) throws(CommandFailure) {
    let folders = try Folders(options.library, context)
    func preset() throws(CommandFailure) -> Preset {
      try folders.library.read(shown, telling: context.console)
    }
    let text =
      switch options.form {
      case .file: try folders.library.text(of: shown)
      case .plan: RoutingPlan(of: try preset(), law: Policy.reduce).text
      case .picture: RoutingPlan(of: try preset(), law: Policy.reduce).svg
      case .wirePlumber: WirePlumberScript(try preset()).text
      }
    context.console.write(text)
  }

  private static func list(_ folders: Folders, _ context: Context) {
    var table = TextTable([("PRESET", .left), ("TITLE", .left), ("FILE", .left)])
    for entry in folders.library.list() {
      let isRefused = (try? folders.library.examine(entry.file))?.preset == nil
      let title = isRefused ? "refused; see: multiroute check \(entry.id.name)" : entry.title
      table.append([.init(entry.id.name, .bold), .init(title), .init(entry.file, .dim)])
    }
    guard !table.isEmpty else {
      return context.console.tell("There is no preset in \(folders.presets.joined(separator: ", ")).")
    }
    for line in table.lines(context.console) { context.console.print(line) }
  }
}
