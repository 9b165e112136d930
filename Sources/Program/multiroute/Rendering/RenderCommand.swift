import Commands
import JSON5
import Presets
import Router
import SessionModel
import SoundFiles

/// `multiroute render`: plays sound files through the rules and the engine of `run`, and writes the outputs to files.
enum RenderCommand {
  static func perform(_ options: RenderOptions, _ context: Context) throws(CommandFailure) {
    let folders = try Folders(
      LibraryOptions(presetFolder: options.presetFolder, configuration: options.configuration), context)
    let preset = try folders.library.read(options.preset, telling: context.console)
    let script = try options.script.map { path throws(CommandFailure) in try Script.read(path) }
    let player = ScriptPlayer(script)
    let inputs = try Inputs(options.inputs, rate: options.rate)
    let frames = options.seconds.map { Int(($0 * Double(inputs.rate)).rounded()) } ?? inputs.frames
    var renderer: Renderer
    do throws(SessionError) {
      renderer = try Renderer(
        events: preset.events, sources: options.inputs.map { ($0.session, $0.stream) }, rate: inputs.rate,
        period: options.period)
    } catch {
      throw CommandFailure(.badPreset, "multiroute: \(error.sentence)")
    }
    for file in options.outputs {
      guard var problem = preset.unknownWidths[file.output] else { continue }
      problem.severity = .error
      throw CommandFailure(.badPreset, "\(problem)")
    }
    try render(&renderer, player, inputs, frames: frames, options, context)
  }

  private static func render(
    _ renderer: inout Renderer, _ player: ScriptPlayer, _ inputs: Inputs, frames: Int,
    _ options: RenderOptions,
    _ context: Context
  ) throws(CommandFailure) {
    let outputs = try Outputs(options.outputs, renderer.snapshot, rate: inputs.rate)
    var bar = ProgressBar(total: frames, context.console)
    while renderer.frames < frames {
      let start = renderer.frames
      let count = min(options.period, frames - start)
      let end = Double(start + count) / Double(inputs.rate)
      let heard = renderer.render(player.commands(before: end), frames: count) { session, stream, channel in
        inputs.samples(session, stream, channel, from: start, count: count)
      }
      try outputs.write(heard)
      bar.show(renderer.frames)
    }
    try outputs.close()
    bar.end()
    guard player.refusals.isEmpty else { throw CommandFailure(.failure, player.refusals) }
  }
}

/// The sound files that play into streams.
private struct Inputs {
  private var sounds: [String: SoundFile] = [:]
  let rate: Int

  init(_ files: [StreamFile], rate: Int?) throws(CommandFailure) {
    var wanted = rate
    for file in files {
      let sound: SoundFile
      do throws(MediaError) { sound = try SoundFile(path: file.path) } catch {
        throw CommandFailure(.unreadableFile, "multiroute: \(error)")
      }
      let expected = wanted ?? sound.sampleRate
      guard sound.sampleRate == expected else {
        throw CommandFailure(
          .unreadableFile,
          "multiroute: \(file.path) has \(sound.sampleRate) Hz, but \(expected) Hz is rendered; convert it first"
        )
      }
      wanted = expected
      sounds["\(file.session).\(file.stream)"] = sound
    }
    self.rate = wanted ?? 48_000
  }

  /// Frames of the longest file.
  var frames: Int { sounds.values.map(\.frames).max() ?? 0 }

  /// Samples of one channel of a stream; nil if the file has ended or lacks the channel. A mono file plays on all channels.
  func samples(
    _ session: SessionID, _ stream: StreamID, _ channel: Int, from start: Int, count: Int
  ) -> [Float]? {
    guard let sound = sounds["\(session).\(stream)"], start < sound.frames else { return nil }
    let samples: [Float]
    if sound.channels.count == 1 {
      samples = sound.channels[0]
    } else if sound.channels.indices.contains(channel - 1) {
      samples = sound.channels[channel - 1]
    } else {
      return nil
    }
    return Array(samples[start..<min(start + count, samples.count)])
  }
}

/// The files to which outputs are written.
private struct Outputs {
  private var writers: [PortID: SoundFileWriter] = [:]

  init(_ files: [OutputFile], _ state: RouterState, rate: Int) throws(CommandFailure) {
    for file in files {
      guard let port = state.outputs[file.output] else {
        let known = state.outputs.keys.map(\.name).joined(separator: ", ")
        throw CommandFailure(.usage, "multiroute: the preset has no output \(file.output); it has \(known)")
      }
      do throws(MediaError) {
        writers[file.output] = try SoundFileWriter(
          path: file.path, channelCount: port.channels, sampleRate: rate)
      } catch {
        if case .unknownFormat = error { throw CommandFailure(.usage, "multiroute: \(error)") }
        throw CommandFailure(.unreadableFile, "multiroute: \(error)")
      }
    }
  }

  func write(_ heard: [PortID: [[Float]]]) throws(CommandFailure) {
    for (port, writer) in writers {
      guard let channels = heard[port] else { continue }
      do throws(MediaError) { try writer.write(channels) } catch {
        throw CommandFailure(.unreadableFile, "multiroute: \(error)")
      }
    }
  }

  func close() throws(CommandFailure) {
    for writer in writers.values {
      do throws(MediaError) { try writer.close() } catch {
        throw CommandFailure(.unreadableFile, "multiroute: \(error)")
      }
    }
  }
}
