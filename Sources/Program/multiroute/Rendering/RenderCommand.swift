import Commands
import JSON5
import MediaFolders
import Presets
import Queues
import Router
import SessionModel
import SoundFiles

/// `multiroute render`: plays sound files through the rules and the engine of `run`, and writes the outputs to files.
enum RenderCommand {
  static func perform(_ options: RenderOptions, _ context: Context) throws(CommandFailure) {
    let folders = try Folders(options, context)
    let finder = Finder(folders)
    let preset = try folders.library.read(options.preset, telling: context.console)
    let script = try options.script.map { path throws(CommandFailure) in try Script.read(path) }
    let player = ScriptPlayer(script)
    var renderer: Renderer
    let inputs = try Inputs(options.inputs, rate: options.rate)
    do throws(SessionError) {
      renderer = try Renderer(
        events: preset.events, sources: options.inputs.map(\.source), rate: inputs.rate,
        period: options.period, media: MediaSettings(folders: folders.media, recordings: folders.recordings),
        find: finder.items)
    } catch {
      throw CommandFailure(.badPreset, "multiroute: \(error.sentence)")
    }
    try inputs.check(renderer.snapshot)
    try check(options.outputs, renderer.snapshot, MediaFolders(folders.media))
    for file in options.outputs {
      guard case .output(let output) = file.sink, var problem = preset.unknownWidths[output] else { continue }
      problem.severity = .error
      throw CommandFailure(.badPreset, "\(problem)")
    }
    try render(&renderer, player, inputs, options, context)
    let end = Double(renderer.frames) / Double(inputs.rate)
    for line in player.rest(beyond: end) { context.console.tell(line) }
    guard player.refusals.isEmpty else { throw CommandFailure(.failure, player.refusals) }
    let problems = finder.problems + renderer.problems
    guard problems.isEmpty else {
      throw CommandFailure(.failure, problems.map { "multiroute: \($0)" })
    }
  }

  /// Refuses to write a file that a player plays. No script gives a player other files.
  private static func check(
    _ outputs: [SinkFile], _ state: RouterState, _ folders: MediaFolders
  ) throws(CommandFailure) {
    let written = outputs.map { FilePlace($0.path) }
    for player in state.players.values {
      for item in player.queue.value.items {
        guard let path = try? folders.find(item.name).path,
          let index = written.firstIndex(of: FilePlace(path))
        else { continue }
        throw CommandFailure(
          .usage,
          "multiroute: --out writes \(outputs[index].path), which the player \(player.id) plays; name another file"
        )
      }
    }
  }

  private static func render(
    _ renderer: inout Renderer, _ player: ScriptPlayer, _ inputs: Inputs, _ options: RenderOptions,
    _ context: Context
  ) throws(CommandFailure) {
    let isInterrupted = context.interruption.listen()
    let frames = options.seconds.map { Int(($0 * Double(inputs.rate)).rounded()) }
    let outputs = try Outputs(options.outputs, renderer.snapshot, rate: inputs.rate)
    var bar = ProgressBar(
      total: frames ?? inputs.length ?? .max, inLines: options.showsProgress, context.console)
    defer { bar.end() }
    while renderer.frames < frames ?? .max {
      guard !isInterrupted() else {
        throw CommandFailure(.failure, "multiroute: stopped; nothing was written")
      }
      let wanted = min(options.period, (frames ?? .max) - renderer.frames)
      let read = try inputs.advance(frames: wanted)
      // Without a given length the longest file ends the work.
      let count = frames == nil ? read : wanted
      guard count > 0 else { break }
      let end = Double(renderer.frames + count) / Double(inputs.rate)
      let heard = renderer.render(player.commands(before: end), frames: count, input: inputs.samples)
      try outputs.write(heard, frames: count)
      bar.show(renderer.frames)
    }
    try outputs.finish()
  }
}

/// Finds the files of players, as a router that runs does.
private final class Finder {
  private let desk: MediaDesk
  /// Why words mean no file that can be played.
  private(set) var problems: [String] = []

  init(_ folders: Folders) { desk = MediaDesk(folders) }

  func items(for words: [String]) -> [QueueItem] {
    words.flatMap { word in
      let addition = desk.items(for: word)
      problems += addition.problems
      return addition.items
    }
  }
}

/// The sound files that play into streams and inputs.
private final class Inputs {
  private let feeds: [RenderSource: SoundFeed]
  private var widths: [RenderSource: Int] = [:]
  let rate: Int

  init(_ files: [SourceFile], rate: Int?) throws(CommandFailure) {
    var wanted = rate
    var feeds: [RenderSource: SoundFeed] = [:]
    for file in files {
      let feed: SoundFeed
      do throws(MediaError) { feed = try SoundFeed(path: file.path) } catch {
        throw CommandFailure(.unreadableFile, "multiroute: \(error)")
      }
      let expected = wanted ?? feed.sampleRate
      guard feed.sampleRate == expected else {
        throw CommandFailure(
          .unreadableFile,
          "multiroute: \(file.path) has \(feed.sampleRate) Hz, but \(expected) Hz is rendered; convert it first"
        )
      }
      wanted = expected
      feeds[file.source] = feed
    }
    (self.feeds, self.rate) = (feeds, wanted ?? 48_000)
  }

  /// Refuses files with more channels than their streams and inputs.
  func check(_ state: RouterState) throws(CommandFailure) {
    for (source, feed) in feeds {
      let (name, width) =
        switch source {
        case .stream(let session, let stream):
          ("the stream \(source)", state.sessions[session]?.streams[stream]?.channels ?? 0)
        case .input(let input): ("the input \(source)", state.inputs[input]?.channels ?? 0)
        }
      guard width > 0 else {
        throw CommandFailure(
          .badPreset,
          "multiroute: the number of channels of \(name) is known only while it is connected, so it cannot be rendered; "
            + Self.advice(for: source, state))
      }
      widths[source] = width
      if let misfit = feed.misfit(with: name, channels: width) {
        throw CommandFailure(.unreadableFile, "multiroute: \(misfit)")
      }
    }
  }

  /// What makes the number of channels of an input known.
  private static func advice(for source: RenderSource, _ state: RouterState) -> String {
    if case .input(let id) = source, state.outputs.contains(id) {
      return
        "write each of its JACK ports by its full name in \"inputs\" of the preset, because \"channels\" counts the outputs of \(id)"
    }
    return "add \"channels\" to the preset, for instance \"channels\": 1"
  }

  /// Frames of the longest file; nil if a file does not say its length.
  var length: Int? {
    let lengths = feeds.values.map(\.length)
    return lengths.contains(nil) ? nil : lengths.compactMap(\.self).max()
  }

  /// Goes on in all files.
  ///
  /// - Returns: the frames that the longest file has, at most `frames`.
  func advance(frames: Int) throws(CommandFailure) -> Int {
    var most = 0
    for feed in feeds.values {
      do throws(MediaError) { most = max(most, try feed.advance(frames: frames)) } catch {
        throw CommandFailure(.unreadableFile, "multiroute: \(error)")
      }
    }
    return most
  }

  /// Samples of one channel of a source; nil if the file has ended.
  func samples(_ source: RenderSource, _ channel: Int) -> [Float]? {
    feeds[source]?.samples(channel: channel, of: widths[source] ?? 0)
  }
}

/// The files to which outputs and captures are written.
private struct Outputs {
  private var files: [RenderSink: NewSoundFile] = [:]

  init(_ files: [SinkFile], _ state: RouterState, rate: Int) throws(CommandFailure) {
    for file in files {
      let channels = try Self.channels(of: file.sink, in: state)
      do throws(MediaError) {
        self.files[file.sink] = try NewSoundFile(
          path: file.path, replaces: true, channelCount: channels, sampleRate: rate)
      } catch {
        if case .unknownFormat = error { throw CommandFailure(.usage, "multiroute: \(error)") }
        throw CommandFailure(.unreadableFile, "multiroute: \(error)")
      }
    }
  }

  private static func channels(of sink: RenderSink, in state: RouterState) throws(CommandFailure) -> Int {
    switch sink {
    case .output(let output):
      if let port = state.outputs[output] { return port.channels }
      let known = state.outputs.keys.map(\.name).joined(separator: ", ")
      throw CommandFailure(.usage, "multiroute: the preset has no output \(output); it has \(known)")
    case .capture(let id):
      if let session = state.sessions[id], session.hasCapture { return session.capture.channels }
      let known = state.sessions.values.filter(\.hasCapture).map(\.id.name).joined(separator: ", ")
      throw CommandFailure(
        .usage,
        "multiroute: no session \(id) of the preset has a capture; "
          + (known.isEmpty ? "none has" : "these have one: \(known)"))
    }
  }

  /// Writes what was heard of each file's sink. A script may remove a sink or change its channels; the file has silence for what is missing.
  func write(_ heard: [RenderSink: [[Float]]], frames: Int) throws(CommandFailure) {
    let silence = [Float](repeating: 0, count: frames)
    for (sink, file) in files {
      let present = heard[sink]?.prefix(file.channelCount) ?? []
      let missing = repeatElement(silence, count: file.channelCount - present.count)
      do throws(MediaError) { try file.write(Array(present) + missing) } catch {
        throw CommandFailure(.unreadableFile, "multiroute: \(error)")
      }
    }
  }

  func finish() throws(CommandFailure) {
    for file in files.values {
      do throws(MediaError) { try file.finish() } catch {
        throw CommandFailure(.unreadableFile, "multiroute: \(error)")
      }
    }
  }
}
