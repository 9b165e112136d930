import SessionModel
import SoundFiles
import SystemCalls

/// A recording that is being written: its file, its rate, and what keeps the file valid. Only the writer thread uses it.
final class RecordingFile {
  let path: String
  private let writer: SoundFileWriter
  private let status: FileStatus?
  private let channels: Int
  private let planRate: Int
  private let fileRate: Int
  private let converter: RateConverter?
  private var converted: [Float] = []
  /// Frames at the plan's rate.
  private(set) var frames = 0
  private let bytesPerSecond: Int
  /// Counts the bytes of the file, and how many it has counted.
  private let written: WrittenBytes
  private var counted = 0
  private var headerAt = 0
  private var syncAt = 0

  /// Bytes that a recording leaves free on the disk for other programs, but at most a hundredth of the disk.
  private static let reserve = 16 << 20
  /// Seconds for which room is reserved, where there is so much.
  private static let reservedSeconds = [10, 5, 2, 1]
  /// Most files of one name.
  private static let mostNumbers = 9_999

  /// Begins a new file, under a name that no file has.
  ///
  /// - Parameter start: seconds since 1970 of the first frame.
  /// - Throws: `MediaError.unwritable`.
  init(
    recorder: String, _ settings: RecorderSettings, channels: Int, planRate: Int, start: Double,
    written: WrittenBytes
  ) throws(MediaError) {
    let fileRate = settings.fileRate(planRate)
    if fileRate != planRate, let missing = RateConverter.missing {
      throw .unwritable(path: settings.folder, reason: missing.description)
    }
    let local = System.localtime(Int(start.rounded(.down)))
    let sinceMidnight = Double(local.sinceMidnight) + start - start.rounded(.down)
    let stamp = BroadcastStamp(
      description: recorder, originator: "multiroute", date: local.day, time: local.time,
      framesSinceMidnight: Int((sinceMidnight * Double(fileRate)).rounded()))
    var texts = SoundTags()
    (texts.title, texts.date) = (recorder, local.day)
    texts.comment = "begins at \(local.day) \(local.time), frame \(stamp.framesSinceMidnight) of the day"
    (path, writer) = try Self.create(recorder, settings, local.day, local.time) { path throws(MediaError) in
      try SoundFileWriter(
        newPath: path, settings.coding, channelCount: channels, sampleRate: fileRate, texts: texts,
        stamp: stamp)
    }
    (self.channels, self.planRate, self.fileRate) = (channels, planRate, fileRate)
    self.written = written
    converter = fileRate == planRate ? nil : RateConverter(channels: channels, from: planRate, to: fileRate)
    bytesPerSecond = settings.coding.bytesPerSecond(channels: channels, sampleRate: fileRate)
    status = try? System.stat(path)
    (headerAt, syncAt) = (planRate / 2, planRate)
    try checkDisk()
    WholeFile.syncFolder(of: path)
  }

  /// Makes a file under the first name that is free.
  private static func create(
    _ recorder: String, _ settings: RecorderSettings, _ day: String, _ time: String,
    _ make: (String) throws(MediaError) -> SoundFileWriter
  ) throws(MediaError) -> (String, SoundFileWriter) {
    if !System.access(settings.folder) {
      if let own = settings.ownFolder { try? System.makeFolders(own, permissions: 0o700) }
      try? System.mkdir(settings.folder, permissions: 0o700)
    }
    let values: [RecordingWord: String] = [
      .recorder: recorder, .date: day, .time: time.split(separator: ":").joined(separator: "-"),
      .scene: settings.scene, .session: settings.session,
    ]
    for number in 1...mostNumbers {
      let name = settings.template.name(values, number: number)
      let path = "\(settings.folder)/\(name).\(settings.coding.format.ending)"
      // Another program may take the name meanwhile: then the call below fails, and the next number is tried.
      if System.access(path) { continue }
      do throws(MediaError) { return (path, try make(path)) } catch {
        guard System.access(path), number < mostNumbers, (try? System.stat(path))?.size ?? 0 > 0 else {
          throw error
        }
      }
    }
    throw .unwritable(
      path: settings.folder, reason: "\(mostNumbers) files have the name \(settings.template)")
  }

  /// Appends interleaved frames at the plan's rate.
  ///
  /// - Throws: `MediaError.unwritable`.
  func write(_ samples: UnsafePointer<Float>, frames: Int) throws(MediaError) {
    if let converter {
      var done = 0
      while done < frames {
        done += try convert(converter, samples + done * channels, frames: frames - done)
      }
    } else {
      try writer.write(interleaved: samples, frames: frames)
    }
    self.frames += frames
    try keepValid()
  }

  /// Returns the frames that were used; with nil as the input, those that were written.
  private func convert(
    _ converter: RateConverter, _ samples: UnsafePointer<Float>?, frames: Int
  ) throws(MediaError) -> Int {
    let room = 8_192
    if converted.isEmpty { converted = [Float](repeating: 0, count: room * channels) }
    let (used, made) = converted.withUnsafeMutableBufferPointer {
      converter.process(samples, frames: frames, into: $0.baseAddress!, room: room)
    }
    if made > 0 { try writer.write(interleaved: converted[..<(made * channels)]) }
    return samples == nil ? made : used
  }

  /// Appends silence.
  func writeSilence(frames: Int) throws(MediaError) {
    let block = 4_096
    let silence = [Float](repeating: 0, count: block * channels)
    var left = frames
    while left > 0 {
      let count = min(left, block)
      // A closure cannot throw typed errors through the array's own function.
      let result: Result<Void, MediaError> = silence.withUnsafeBufferPointer { samples in
        Result { () throws(MediaError) in try write(samples.baseAddress!, frames: count) }
      }
      try result.get()
      left -= count
    }
  }

  /// Every half second the header becomes true, and every second the disk has all and is looked at.
  private func keepValid() throws(MediaError) {
    if frames >= headerAt {
      headerAt = frames + planRate / 2
      writer.updateHeader()
      countBytes()
    }
    if frames >= syncAt {
      syncAt = frames + planRate
      writer.sync()
      try checkDisk()
    }
  }

  private func countBytes() {
    guard let size = writer.size else { return }
    written.add(size - counted)
    counted = size
  }

  private func checkDisk() throws(MediaError) {
    if let status, (try? System.stat(path))?.isSameFile(as: status) != true {
      throw .unwritable(path: path, reason: "it was removed or replaced while it was recorded")
    }
    if let (size, free) = try? System.statvfs(path), free < min(Self.reserve, size / 100) {
      throw .unwritable(path: path, reason: "the disk is full: \(free / 1_024) KiB are left")
    }
    try reserve()
  }

  /// Reserves room for the seconds to come, as many as there are: what other programs write then does not end the recording at once.
  private func reserve() throws(MediaError) {
    for seconds in Self.reservedSeconds {
      guard let bytes = writer.reserve(bytes: seconds * bytesPerSecond) else { return }
      if bytes >= seconds * bytesPerSecond { return }
    }
    throw .unwritable(
      path: path,
      reason: "there is no room for another second: the disk is full, or files may not be so large")
  }

  /// Finishes the file.
  ///
  /// - Throws: `MediaError.unwritable`.
  func close() throws(MediaError) {
    defer { countBytes() }
    if let converter {
      while try convert(converter, nil, frames: 0) > 0 {}
    }
    try writer.close()
  }
}
