import MediaFolders
import Players
import Recorders
import SoundConversion
import SoundFiles
import Threads

/// The folders of sound files, and the threads that read and write them. They are the same for all audio servers of a run. The threads begin
/// with the first player and the first recorder. Belongs to the policy thread.
final class MediaFiles {
  /// Where items of players are found.
  let folders: MediaFolders
  /// Where recordings go; nil if there are no media folders.
  let recordings: String?
  /// The user's own media folder, which is made when something is to be written there; nil if other folders are set.
  let ownFolder: String?
  /// The file that keeps the loudness of sound files; nil if they are not measured.
  private let loudnessFile: String?
  private var startedReader: PlayerReader?
  private var startedLoudness: LoudnessCache?
  private var startedWriter: RecorderWriter?
  private(set) var freewheels: Bool

  /// Seconds that the end of all recordings may take when the router stops.
  private static let patience = 0.2

  /// - Parameter freewheels: whether the audio always waits for the disk.
  init(_ settings: MediaSettings, freewheels: Bool = false) {
    folders = MediaFolders(settings.folders)
    ownFolder = settings.ownFolder
    recordings = settings.recordings ?? settings.folders.first.map { "\($0)/recordings" }
    loudnessFile = settings.loudnessFile
    self.freewheels = freewheels
  }

  var reader: PlayerReader {
    if let startedReader { return startedReader }
    startedLoudness = loudnessFile.map { LoudnessCache(path: $0) }
    let reader = PlayerReader(loudness: startedLoudness) { [folders] name throws(MediaError) in
      do throws(MediaNameError) { return try folders.find(name).path } catch {
        throw .unreadable(path: name, reason: error.description)
      }
    }
    reader.setFreewheel(freewheels)
    startedReader = reader
    return reader
  }

  var writer: RecorderWriter {
    if let startedWriter { return startedWriter }
    let writer = RecorderWriter()
    writer.setFreewheel(freewheels)
    startedWriter = writer
    return writer
  }

  /// Whether the audio waits for the disk, because no device plays the sound.
  func setFreewheel(_ freewheels: Bool) {
    self.freewheels = freewheels
    startedReader?.setFreewheel(freewheels)
    startedWriter?.setFreewheel(freewheels)
  }

  /// The passes of both threads since the start, and the seconds of the longest one since the last call.
  func takePasses() -> (sum: PassTimes, longest: Double) {
    let sum = (startedReader?.passTimes ?? PassTimes()) + (startedWriter?.passTimes ?? PassTimes())
    return (sum, max(startedReader?.takeLongestPass() ?? 0, startedWriter?.takeLongestPass() ?? 0))
  }

  /// How loud a sound file of the media folders is. A file that cannot be read counts as silent, and is reported when it plays. Blocks on
  /// the disk.
  func loudness(of name: String) -> SoundLoudness {
    let measured = (try? folders.find(name).path).flatMap { try? SoundLoudness.measure(path: $0) }
    return measured ?? SoundLoudness(loudness: nil, peak: 0)
  }

  /// Makes recordings whole whose writer was killed, on a thread of its own.
  func repair() {
    guard let recordings else { return }
    OwnThread("mr-repair") { _ = RecordingRepair.repair(folder: recordings) }.detach()
  }

  /// Ends the threads and finishes all recordings. A disk that does not answer is left behind.
  func stop() {
    let (reader, writer, loudness) = (startedReader, startedWriter, startedLoudness)
    guard reader != nil || writer != nil else { return }
    _ = OwnThread.run("mr-end-media", within: Self.patience) {
      writer?.stop()
      reader?.stop()
      loudness?.stop()
    }
  }
}

/// Where the sound files of players and recorders are.
public struct MediaSettings: Sendable {
  /// The media folders in the order of the search. Players play no files from elsewhere.
  public var folders: [String] = []
  /// Where recordings go; nil is `recordings` in the first media folder.
  public var recordings: String?
  /// The user's own media folder, which is made when something is to be written there; nil if other folders are set.
  public var ownFolder: String?
  /// The file that keeps the loudness of sound files; nil if they are not measured.
  public var loudnessFile: String?

  public init(
    folders: [String] = [], recordings: String? = nil, ownFolder: String? = nil, loudnessFile: String? = nil
  ) {
    (self.folders, self.recordings) = (folders, recordings)
    (self.ownFolder, self.loudnessFile) = (ownFolder, loudnessFile)
  }
}
