import Checkout
import Foundation
import JackServer
import OSC
import SoundFiles
import TestKit
import Testing

/// A router that runs a shipped preset, as it ships, on a simulated stage with the devices and programs of one evening. Programs and
/// microphones play tones, each at a frequency of its own, and devices tell what they hear.
///
/// The server freewheels, so that what is heard does not depend on how busy the machine is.
final class Evening {
  let server: PrivateServer
  let stage: StageProcess
  let router: RouterProcess
  let surface: ControlSurface
  private let folder: TemporaryFolder
  private let players: [String]

  /// - Parameters:
  ///   - preset: the id of a shipped preset.
  ///   - systemOutputs: the outputs of the card that jackd calls `system`.
  ///   - systemInputs: its inputs, which are silent.
  ///   - period: frames of the server's period.
  ///   - files: the sound files in the media folder, by name.
  ///   - equipment: the commands that make devices and programs.
  init(
    _ preset: String, systemOutputs: Int = 0, systemInputs: Int = 0, period: Int = PrivateServer.period,
    files: [String: Tone] = [:],
    _ equipment: [String]
  ) async throws {
    server = try await PrivateServer {
      ($0.playbackChannels, $0.captureChannels, $0.period) = (systemOutputs, systemInputs, period)
    }
    stage = try server.stage()
    folder = try TemporaryFolder()
    for (name, tone) in files { try Self.write(name, tone, in: folder) }
    for command in equipment { try stage.do(command) }
    if systemOutputs > 0 { try stage.do("listener \(Self.ear) \(systemOutputs)") }
    router = try RouterProcess(preset: preset, server: server.name, in: folder, owners: [stage, server])
    surface = try ControlSurface(port: router.port)
    try surface.subscribe("/event/*")
    try surface.tell("/player/list")
    try surface.sync()
    players = surface.inbox.filter { $0.address == "/player/list" }.compactMap {
      $0.arguments.dropFirst(2).first?.text
    }
    for output in 0..<systemOutputs { try listen(to: "system:playback_\(output + 1)", at: output + 1) }
    for place in ["/session/*/stream/*", "/session/*/capture", "/output/*", "/input/*"] {
      try waitForEffects("\(place)/effect/*/state")
    }
    try freewheel()
  }

  /// Waits until no effect is being loaded.
  ///
  /// - Parameter states: the addresses of their states.
  private func waitForEffects(_ states: String) throws {
    for answer in try surface.subscribe(states) where answer.arguments.first?.text == "loading" {
      try surface.wait(for: answer.address) { $0.arguments.first?.text != "loading" }
    }
    try surface.send("/unsubscribe", .string(states))
  }

  /// Lets the server freewheel once the router has made all connections: a server with a card makes none while it freewheels.
  private func freewheel() throws {
    try surface.sync()
    try stage.do("freewheel on")
    try settle()
  }

  /// A sound file of whole seconds, which can be repeated without a gap.
  struct Tone {
    /// Hz.
    var frequency: Int
    /// dB.
    var level: Double
    var seconds = 1
  }

  /// Writes a tone into the media folder of the router.
  private static func write(_ name: String, _ tone: Tone, in folder: TemporaryFolder) throws {
    let path = folder.file("XDG_DATA_HOME/multiroute/media/\(name)")
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    let amplitude = pow(10, tone.level / 20)
    let second = (0..<48_000).map { frame in
      Float(amplitude * sin(2 * .pi * Double(tone.frequency * frame) / 48_000))
    }
    let samples = Array(repeatElement(second, count: tone.seconds).joined())
    try SoundFile(channels: [samples, samples], sampleRate: 48_000).write(path: path)
  }

  /// A program that hears what the server's own card plays, which nobody can record.
  private static let ear = "Ear"

  private func listen(to output: String, at channel: Int) throws {
    let sources = try stage.ask({ try stage.names("connections \(output)") }, until: { !$0.isEmpty })
    try #require(!sources.isEmpty, "nothing plays to \(output)")
    for source in sources { try stage.do("connect \"\(source)\" \(Self.ear):in_\(channel)") }
  }

  /// Waits until everything is connected and all players that shall play are heard, and lets all ramps, ducks and activations end.
  func settle() throws {
    // Thousands of frames pass in freewheel before the router has reacted to a device, or found a file.
    try surface.sync()
    for player in players {
      let isHeard = try stage.ask(
        {
          try surface.text("/player/\(player)/state") != "playing"
            || surface.number("/player/\(player)/speed") != 0
        }, periods: 50_000, until: { $0 })
      #expect(isHeard, "\(player) does not begin")
    }
    try stage.do("frames 96000")
  }

  // MARK: Doing

  /// Sends a command and lets its ramps end.
  func send(_ address: String, _ arguments: OSCArgument...) throws {
    try surface.send(address, arguments)
    try settle()
  }

  /// Has another surface open a talkback.
  func open(talkback id: String, as name: String) throws -> ControlSurface {
    let other = try ControlSurface(port: router.port)
    try other.send("/hello", .string(name))
    try other.send("/talkback/\(id)/on", 1)
    try settle()
    return other
  }

  /// Has another surface leave, and waits until what it held has ended.
  ///
  /// - Parameter lamp: the address that tells what the surface holds.
  func leave(_ other: ControlSurface, until lamp: String) throws {
    #expect(try surface.subscribe(lamp).contains { $0.address == lamp && $0.arguments == [.int32(1)] })
    try other.send("/bye")
    try surface.wait(for: lamp) { $0.arguments == [.int32(0)] }
    try settle()
  }

  /// Switches all voice processing of sessions off, so that their captures are exact.
  func leaveVoices(of sessions: [String]) throws {
    for session in sessions {
      for part in ["echo", "noise", "level", "highpass"] {
        try surface.send("/session/\(session)/voice/\(part)", 0)
      }
    }
    try settle()
  }

  /// Has devices or programs come or go, and waits until the router has told of it.
  ///
  /// - Parameters:
  ///   - event: the name of the router's event, with the words that its arguments begin with.
  func happen(_ command: String, until event: String, _ words: OSCArgument...) throws {
    // A client that comes or goes would stop a server that freewheels.
    try stage.do("freewheel off")
    try stage.do(command)
    try surface.event(event) { $0.starts(with: words) }
    try freewheel()
  }

  /// Changes what a program or a microphone plays, and lets what follows end.
  func play(_ name: String, _ channel: Int, _ signal: String) throws {
    try stage.do("play \"\(name)\" \(channel) \(signal)")
    try settle()
  }

  // MARK: Hearing

  /// Expects tones at the channels of a device, in dB, rounded; nil is silence.
  ///
  /// - Parameter tones: by frequency in Hz, the levels of all channels.
  func expect(
    at device: String, _ tones: [Int: [Int?]], _ promise: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let name = device == "system" ? Self.ear : device
    for (frequency, levels) in tones.sorted(by: { $0.key < $1.key }) {
      let answer = try stage.do("tones 0.1 \(frequency) \"\(name)\"")
      let heard = answer.split(separator: " ").map { word in
        Double(word).flatMap { $0 > -80 ? Int($0.rounded()) : nil }
      }
      #expect(
        heard == levels, "\(frequency) Hz at \(device): \(promise?.rawValue ?? "")",
        sourceLocation: sourceLocation)
    }
  }

  /// The highest peak at a channel of a device, in dBFS.
  func peak(at device: String, _ channel: Int) throws -> Double {
    try stage.value("peak", of: "level \"\(device == "system" ? Self.ear : device)\" \(channel) 0.1")
  }

  /// Records a device while `body` runs.
  func record(_ device: String, while body: () throws -> Void) throws -> DeviceSound {
    try record([device == "system" ? Self.ear : device], while: body)[0]
  }

  /// Records devices and programs while `body` runs, from one frame on.
  func record(_ devices: [String], while body: () throws -> Void) throws -> [DeviceSound] {
    try DeviceRecorder(stage: stage, folder: folder).hear(devices, clock: .freewheel, while: body)
  }

  /// Expects that the router has every address that the page of the evening has.
  func expectAddresses(on page: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let text = try Checkout.text("docs/guide/shows/\(page).md")
    let addresses = text.matches(of: /`(\/[a-z][^` ]*)[^`]*`/).map { String($0.output.1) }
    #expect(addresses.count >= 3, sourceLocation: sourceLocation)
    for address in addresses {
      do {
        try surface.send("/get", .string(address))
      } catch let refusal as ControlSurface.Refusal where refusal.symbol == "unknownAddress" {
        Issue.record(
          "\(page) has an address that the router has not: \(refusal)", sourceLocation: sourceLocation)
      } catch is ControlSurface.Refusal {
        // A trigger has no value.
      }
    }
  }

  /// Expects that the router refuses a command, as the page of the evening promises.
  func expectRefusal(
    _ address: String, _ arguments: OSCArgument..., symbol: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    do {
      try surface.send(address, arguments)
      Issue.record("\(address) was carried out", sourceLocation: sourceLocation)
    } catch let refusal as ControlSurface.Refusal {
      #expect(refusal.symbol == symbol, "\(refusal)", sourceLocation: sourceLocation)
    }
  }
}
