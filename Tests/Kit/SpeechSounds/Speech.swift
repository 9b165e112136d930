import Foundation
import SoundFiles
import TemporaryFolders

/// Speech of `espeak-ng`.
public enum Speech {
  public enum Voice: String {
    case man = "en-us"
    case woman = "en-us+f3"
  }

  /// Some seconds of speech without long pauses, with its peak at an amplitude of 0.5.
  public static func samples(_ voice: Voice, seconds: Double, rate: Int) throws -> [Float] {
    let folder = try TemporaryFolder()
    let path = folder.file("speech.wav")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/espeak-ng")
    process.arguments = ["-v", voice.rawValue, "-g", "0", "-w", path, text]
    try process.run()
    process.waitUntilExit()
    let file = try SoundFile(path: path)
    let spoken = converted(file.channels[0], from: file.sampleRate, to: rate)
    let peak = spoken.reduce(0) { max($0, abs($1)) }
    return (0..<Int(seconds * Double(rate))).map { spoken[$0 % spoken.count] * 0.5 / peak }
  }

  private static func converted(_ samples: [Float], from: Int, to: Int) -> [Float] {
    let converter = RateConverter(channels: 1, from: from, to: to)
    let room = samples.count * to / from + 1
    return [Float](unsafeUninitializedCapacity: room) { output, count in
      guard let output = output.baseAddress else { return }
      count = converter.process(samples, frames: samples.count, into: output, room: room).made
      // The end of the input lets the converter give what it still holds.
      count += converter.process(nil, frames: 0, into: output + count, room: room - count).made
    }
  }

  private static let text = """
    Good evening and welcome. The next caller has waited for twenty minutes, and wants to tell us about the bridge that was closed \
    last winter. Please keep your radio down while you speak, because we hear ourselves otherwise. How did you get to work on that \
    Monday morning, and what did your neighbours think of it? We come back to the weather and the roads in just a moment.
    """
}
