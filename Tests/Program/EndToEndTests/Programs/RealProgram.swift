import Foundation
import SoundFiles
import TestKit

/// Programs of other people, as their users start them. Each one has the test's folder as its home, so that it reads no settings of
/// the user. Kill it before the test ends, since its server must outlive it.
enum RealProgram {
  /// Flags of mpv that show nothing, repeat the file, and read commands from standard input.
  static let quietPlayer = [
    "--no-config", "--no-video", "--no-terminal", "--loop-file=inf", "--input-ipc-client=fd://0",
  ]

  static func start(
    _ program: String, _ arguments: [String], in folder: TemporaryFolder, environment: [String: String]
  ) throws -> ChildProcess {
    try ChildProcess(
      program, arguments, environment: environment.merging(["HOME": folder.path]) { given, _ in given })
  }

  /// Writes a sound file of 20 seconds with a tone at -12.04 dBFS in both channels.
  static func tone(_ frequency: Double = 997, in folder: TemporaryFolder) throws -> String {
    let tone = (0..<48_000 * 20).map { Float(sin(Double($0) * 2 * .pi * frequency / 48_000)) / 4 }
    let file = folder.file("tone.wav")
    try SoundFile(channels: [tone, tone], sampleRate: 48_000).write(path: file)
    return file
  }

  /// Numbers of `count` ports of this machine that belong to this test process.
  static func networkPorts(_ count: Int) -> [Int] {
    (0..<count).map { 20_000 + Int(getpid()) % 10_000 + 10 * $0 }
  }
}

extension House {
  /// Starts a program at the house's server.
  func start(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws
    -> ChildProcess
  {
    let server = ["JACK_DEFAULT_SERVER": server.name, "JACK_NO_START_SERVER": "1"]
    return try RealProgram.start(
      program, arguments, in: folder, environment: server.merging(environment) { $1 })
  }
}

extension Rack {
  /// Starts a program at the rack's PipeWire.
  func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
    try RealProgram.start(program, arguments, in: folder, environment: pipewire.environment)
  }
}
