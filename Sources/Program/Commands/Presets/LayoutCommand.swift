import Compression
import JSON5
import Layouts
import Presets
import SessionModel
import SessionPolicy
import SystemCalls

/// `multiroute layout`: a file for a tablet, made from a preset.
enum LayoutCommand {
  struct Options {
    var library: LibraryOptions
    var format: LayoutFormat
    /// A preset's id or path; nil for a layout that fits every show.
    var preset: String?
    /// Number of faders.
    var bank: Int
    /// Number of the bank that they form.
    var tablet: Int

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      library = LibraryOptions(arguments)
      let word = arguments.positionals[0]
      guard let format = LayoutFormat(rawValue: word) else {
        let known = LayoutFormat.allCases.map(\.rawValue)
        let near = NearestName.suggestion(for: word, among: known).map { "did you mean \($0)?" }
        throw .usage(
          of: .layout,
          ["there are no layouts for '\(word)'; \(near ?? "write \(known.joined(separator: " or "))")"])
      }
      self.format = format
      preset = arguments.text(.layoutPreset)
      bank = arguments.integer(.bank) ?? 8
      tablet = arguments.integer(.tablet) ?? 1
      let most = Layout.mostFaders(of: tablet)
      guard bank <= most else {
        throw .usage(
          of: .layout,
          [
            "tablet \(tablet) has at most \(most) faders, because there are 64 strips; write --bank \(most), or a lower --tablet"
          ])
      }
    }
  }

  static func perform(_ options: Options, _ context: Context) throws(CommandFailure) {
    if options.format == .touchOSC, context.console.output.isTerminal {
      throw .usage(of: .layout, ["a layout of TouchOSC is no text; write it to a file: > layout.tosc"])
    }
    let scenes = try Configuration.find(options.library.configuration, context).scenes
    let library = try Folders(options.library, context).library
    let preset = try options.preset.map { (name) throws(CommandFailure) in
      try library.read(name, telling: context.console)
    }
    let layout = Layout(
      of: preset, scenes: scenes.isEmpty ? preset.map(library.relatives(of:)) ?? [] : scenes,
      bank: options.bank,
      tablet: options.tablet,
      law: Policy.reduce)
    switch options.format {
    case .openStageControl: context.console.write(layout.openStageControl.text)
    case .touchOSC:
      do throws(DynamicLibrary.Missing) {
        context.console.write(try ZlibStream.bytes(of: Array(layout.touchOSC.utf8)))
      } catch { throw CommandFailure(.unavailable, "multiroute: \(error).") }
    }
  }
}

/// The programs that `layout` writes files for.
enum LayoutFormat: String, CaseIterable {
  case openStageControl = "open-stage-control"
  case touchOSC = "touchosc"
}

extension PresetLibrary {
  /// A preset with those of the library that extend it, that it extends, or that extend the same one; sorted as the library is.
  func relatives(of preset: Preset) -> [PresetID] {
    var bases: [PresetID: PresetID] = [:]
    let known = list().map(\.id)
    for id in known { bases[id] = (try? examine(id.name))?.preset?.base }
    bases[preset.id] = preset.base
    func root(_ id: PresetID) -> PresetID {
      var chain = [id]
      while let base = bases[chain[chain.count - 1]], !chain.contains(base) { chain.append(base) }
      return chain[chain.count - 1]
    }
    let family = known.filter { root($0) == root(preset.id) }
    return family.contains(preset.id) ? family : [preset.id] + family
  }
}
