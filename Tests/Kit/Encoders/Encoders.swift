import Foundation
public import SoundFiles

/// Sound files that programs other than ours have written.
public enum Encoders {
  /// A format of a test file, by the program that writes it.
  public enum Format: String, CaseIterable, Sendable {
    case wav, rf64, w64, aiff, caf, flac, oggFlac, vorbis, opus, mp3

    /// The formats that keep every bit of 24.
    public static let lossless: [Format] = [.wav, .rf64, .w64, .aiff, .caf, .flac, .oggFlac]

    var ending: String {
      switch self {
      case .oggFlac, .vorbis: "ogg"
      case .rf64: "wav"
      default: rawValue
      }
    }
  }

  /// The program failed.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  /// Writes a sound into a folder in a format, with 24 bits where the format has bits. Returns the path.
  public static func write(_ sound: SoundFile, _ format: Format, in folder: String, name: String = "a") throws
    -> String
  {
    let (raw, path) = ("\(folder)/\(name).raw.wav", "\(folder)/\(name).\(format.ending)")
    try sound.write(path: raw)
    switch format {
    case .rf64: try rf64(sound, path)
    case .wav, .w64, .aiff, .caf, .flac: try run("sox", ["-D", raw, "-b", "24", path])
    case .oggFlac:
      try run("sox", ["-D", raw, "-b", "24", "\(path).flac"])
      try run("flac", ["-s", "-f", "--ogg", "-o", path, "\(path).flac"])
    case .vorbis:
      try run("sox", ["-D", raw, "-b", "24", "\(path).24.wav"])
      try run("oggenc", ["-Q", "-q", "6", "-o", path, "\(path).24.wav"])
    case .opus: try run("opusenc", ["--quiet", "--bitrate", "160", raw, path])
    case .mp3:
      try run("sox", ["-D", raw, "-b", "16", "\(path).16.wav"])
      try run("lame", ["--quiet", "-V", "2", "\(path).16.wav", path])
    }
    return path
  }

  /// An RF64 file as EBU Tech 3306 describes it, 24 bits: no program here writes a short one.
  private static func rf64(_ sound: SoundFile, _ path: String) throws {
    let (width, frames) = (sound.channels.count, sound.frames)
    var data = Data()
    func number<Value: FixedWidthInteger>(_ value: Value) {
      withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }
    let bytes = frames * width * 3
    data += Data("RF64".utf8)
    number(UInt32.max)
    data += Data("WAVEds64".utf8)
    number(UInt32(28))
    number(UInt64(bytes + 72))
    number(UInt64(bytes))
    number(UInt64(frames))
    number(UInt32(0))
    data += Data("fmt ".utf8)
    number(UInt32(16))
    number(UInt16(1))
    number(UInt16(width))
    number(UInt32(sound.sampleRate))
    number(UInt32(sound.sampleRate * width * 3))
    number(UInt16(width * 3))
    number(UInt16(24))
    data += Data("data".utf8)
    number(UInt32.max)
    for frame in 0..<frames {
      for channel in sound.channels {
        let value = Int32(max(-8_388_608, min(8_388_607, (channel[frame] * 8_388_608).rounded())))
        withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0.prefix(3)) }
      }
    }
    try data.write(to: URL(fileURLWithPath: path))
  }

  /// Runs a program to its end. Returns what it printed.
  ///
  /// - Throws: `Failure` with what it said, if it fails.
  @discardableResult
  public static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    let complained = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(program): \(String(decoding: complained, as: UTF8.self))")
    }
    return String(decoding: said, as: UTF8.self)
  }
}
