public import SystemCalls

/// Reads a sound file in pieces: wav, rf64, w64, aiff, caf, au, flac, ogg (Vorbis, Opus, FLAC) and mp3. The first bytes
/// of the file decide on the format, not its name.
///
/// Only one thread at a time may use a reader, and reading blocks on the disk. A file that is removed or replaced
/// meanwhile can be read to its end. A file that is changed in place ends at once, with a fade over frames that were
/// read before the change: the new bytes are not those of the opened file.
public final class SoundFileReader {
  private var source: any SoundSource
  /// The descriptor that this object closes; -1 if libsndfile closes it.
  private var descriptor: Int32
  private let path: String
  /// The open descriptor, for `fstat` and `posix_fadvise`, whoever closes it.
  private var file: Int32
  /// The contents of the file when it was opened; nil if the system does not tell the status of the file.
  private var witness: FileWitness?
  private let size: Int
  /// Whether the file was changed since it was opened.
  private var isChanged = false
  /// Decoded frames; the last 20 ms are kept back for a fade.
  private var held: HeldFrames
  /// Whether the decoder has no more frames.
  private var isDry = false
  /// The next frame.
  private var position = 0
  /// The frame up to which the system was asked to read ahead.
  private var ahead = 0
  private var interleaved: [Float] = []

  /// Greatest number of channels of a file. A file that declares more counts as damaged.
  public static let mostChannels = 64
  /// Sample rates in Hz. A file that declares another rate counts as damaged.
  public static let rates = 4_000...768_000

  /// How much of a file is read to open it.
  public enum Depth: Sendable {
    /// Everything that is needed to play the file: of an mp3 the headers of all frames.
    case wholeFile
    /// The beginning and the end. The caller may then only ask for the description of the sound, and the length of an
    /// mp3 may be an estimate.
    case header
  }

  /// Opens a file.
  ///
  /// - Throws: `MediaError.unreadable` if the system cannot open or read the file, `notAudio` or `foreign` if its
  ///   format is not supported, `unplayable` if it declares a rate or a number of channels out of range.
  public init(path: String, depth: Depth = .wholeFile) throws(MediaError) {
    let opened = try Self.open(path)
    (file, witness) = (opened, FileWitness(opened))
    size = witness?.size ?? 0
    (source, descriptor) = try Self.decoder(of: opened, path, depth)
    self.path = path
    held = HeldFrames(channels: source.channelCount)
    guard (1...Self.mostChannels).contains(channelCount) else {
      throw .unplayable(
        path: path, reason: "it has \(channelCount) channels, and a sound file may have \(Self.mostChannels)")
    }
    guard Self.rates.contains(sampleRate) else {
      throw .unplayable(
        path: path,
        reason:
          "its rate is \(sampleRate) Hz, and may be \(Self.rates.lowerBound) to \(Self.rates.upperBound) Hz")
    }
  }

  deinit { System.close(descriptor) }

  /// Makes the decoder of an open file, which is closed on failure.
  ///
  /// - Returns: the decoder, and the descriptor that its owner closes; -1 if the decoder has taken it over.
  private static func decoder(
    of opened: Int32, _ path: String, _ depth: Depth = .wholeFile
  ) throws(MediaError) -> (any SoundSource, descriptor: Int32) {
    if let links = OggLinks.find(opened, depth), SoundFileCalls.missing == nil {
      do throws(OggLinkError) {
        return (try ChainedSource(descriptor: opened, links: links), opened)
      } catch {
        System.close(opened)
        throw .notAudio(path: path, reason: plain(error.reason))
      }
    }
    switch SoundSignature(bytes(opened, at: 0), later: { bytes(opened, at: $0) }) {
    case .sndfile:
      if let missing = SoundFileCalls.missing {
        System.close(opened)
        throw .unreadable(path: path, reason: missing.description)
      }
      guard let source = SndfileSource(descriptor: opened) else {
        throw .notAudio(path: path, reason: plain(SoundFileCalls.errorText(nil)))
      }
      return (source, -1)
    case .mpeg:
      do throws(Mpg123Calls.Failure) { return (try Mpg123Source(descriptor: opened, depth), opened) } catch {
        System.close(opened)
        throw .notAudio(path: path, reason: error.reason)
      }
    case .oggFlac:
      do throws(FlacCalls.Failure) { return (try OggFlacSource(FilePart(opened)), opened) } catch {
        System.close(opened)
        throw .notAudio(path: path, reason: error.reason)
      }
    case .foreign(let format):
      System.close(opened)
      throw .foreign(path: path, format: format)
    case .unknown:
      // An mp3 may have any bytes before its first frame, so let the decoder search for a frame.
      if let source = try? Mpg123Source(descriptor: opened, depth) { return (source, opened) }
      let isEmpty = bytes(opened, at: 0).isEmpty
      System.close(opened)
      throw .notAudio(
        path: path,
        reason: isEmpty ? "it has no bytes" : "its first bytes are those of no format that is read")
    }
  }

  public var channelCount: Int { source.channelCount }
  /// Sample rate in Hz.
  public var sampleRate: Int { source.sampleRate }
  /// The length in frames that the file declares; nil if it declares none. A damaged file may end earlier.
  public var length: Int? { source.length }
  /// Whether the file is an Ogg file of several links. Libraries for tags read only the first or the last link.
  public var isChained: Bool { source is ChainedSource }
  public var tags: SoundTags { source.tags }

  /// The start of a recording in frames since midnight, from the file's broadcast extension; nil if the file has none.
  public var framesSinceMidnight: Int? { (source as? SndfileSource)?.framesSinceMidnight }

  /// Why the sound ended early; nil if it has not ended early. `read` never throws for a damaged file: the frames that
  /// could be decoded are played.
  public private(set) var damage: MediaError?

  /// Opens a regular file. Never waits for another program, as opening a FIFO would.
  private static func open(_ path: String) throws(MediaError) -> Int32 {
    do throws(SystemError) {
      let descriptor = try System.open(path, .nonblocking)
      let kind: FileStatus.Kind
      do throws(SystemError) { kind = try System.fstat(descriptor).kind } catch {
        System.close(descriptor)
        throw error
      }
      guard kind == .file else {
        System.close(descriptor)
        if kind == .folder { throw SystemError("open", .isFolder) }
        throw SystemError("open", .invalidArgument, reason: "it is \(kind.noun), not a file")
      }
      return descriptor
    } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
  }

  private static func bytes(_ descriptor: Int32, at position: Int) -> [UInt8] {
    (try? System.pread(descriptor, count: SoundSignature.length, at: position)) ?? []
  }

  /// The library's error text. A plainer text replaces its text about a refused rate or number of channels.
  private static func plain(_ reason: String) -> String {
    reason.hasPrefix("SF_INFO struct incomplete")
      ? "it declares no channels, too many channels, or a sample rate of 0 Hz" : reason
  }

  /// Reads up to `frames` interleaved frames.
  ///
  /// Samples that are not finite are read as 0.
  /// - Returns: the number of frames, which is lower at the file's end only. `damage` then says whether the end came early.
  public func read(interleaved samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    var given = 0
    while given < frames {
      let ready = isDry ? held.count : held.count - keptBack
      if ready > 0 {
        let count = min(ready, frames - given)
        held.take(count, into: samples + given * channelCount)
        given += count
      } else if isDry {
        break
      } else {
        decode(frames - given)
      }
    }
    position += given
    if given < frames { explainEarlyEnd() }
    return given
  }

  /// Number of frames that are kept back for a fade: 20 ms.
  private var keptBack: Int { sampleRate / 50 }

  /// Decodes until some of the next frames can be given away. Drops the frames that it has decoded if the file was
  /// changed meanwhile.
  private func decode(_ frames: Int) {
    let wanted = min(frames, Self.mostDecoded) + keptBack - held.count
    readAhead(wanted)
    let count =
      hasChanged
      ? 0
      : held.append(wanted) { [source] samples in
        let count = source.read(samples, frames: wanted)
        for index in 0..<count * channelCount where !samples[index].isFinite { samples[index] = 0 }
        return count
      }
    isDry = count < wanted
    guard hasChanged else { return }
    held.removeLast(count)
    held.fadeOut(keptBack)
    isDry = true
  }

  /// Greatest number of frames that are decoded at a time, so that a reader needs little memory.
  private static let mostDecoded = 2_048

  /// Whether the bytes of the file were changed since it was opened.
  private var hasChanged: Bool {
    if !isChanged, witness?.hasChanged(file) == true { isChanged = true }
    return isChanged
  }

  /// The file that now has the path of the opened file, if its content is another; nil if the content is the same, or
  /// if the path is gone.
  public var successor: FileStatus? {
    guard let now = try? System.stat(path), let opened = try? System.fstat(file) else { return nil }
    return hasChanged || !now.isSameFile(as: opened) ? now : nil
  }

  private static let change = "it was changed while it was read"

  /// Asks the system to read 10 s ahead, once per second of sound, so that a slow disk delivers in time. The positions
  /// in bytes are estimated from the mean size of a frame.
  private func readAhead(_ frames: Int) {
    guard position + frames + Self.aheadSeconds * sampleRate > ahead + sampleRate, let length = source.length,
      length > 0
    else { return }
    let start = max(position, ahead)
    ahead = position + frames + Self.aheadSeconds * sampleRate
    let bytes = Double(size) / Double(length)
    guard start < length else { return }
    System.posix_fadvise(
      file, willNeed: Int(Double(start) * bytes), count: Int(Double(ahead - start) * bytes) + 1)
  }

  private static let aheadSeconds = 10

  private func explainEarlyEnd() {
    guard damage == nil else { return }
    // Bytes behind the last frame, such as a tag, are no sound.
    if let length, position >= length, !isChanged { return }
    if isChanged {
      damage = .damaged(path: path, reason: "\(Self.change), \(seconds(position)) s after the start")
    } else if let fault = source.fault {
      damage = .damaged(path: path, reason: "\(fault), \(seconds(position)) s after the start")
    } else if let length {
      damage = .damaged(
        path: path, reason: "it declares \(seconds(length)) s and ends after \(seconds(position)) s")
    }
  }

  /// Seconds with at most one decimal.
  private func seconds(_ frame: Int) -> String {
    let tenths = (frame * 10 + sampleRate / 2) / sampleRate
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Reads the next `frames` frames into one array for each channel. The arrays are shorter at the file's end and empty after it.
  public func read(frames: Int) -> [[Float]] {
    if interleaved.count < frames * channelCount {
      interleaved = [Float](repeating: 0, count: frames * channelCount)
    }
    let count = interleaved.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { read(interleaved: $0, frames: frames) } ?? 0
    }
    return (0..<channelCount).map { channel in
      (0..<count).map { interleaved[$0 * channelCount + channel] }
    }
  }

  /// Makes a frame the next that is read, exactly to the sample. Frames are counted from the start of the file.
  ///
  /// A frame behind the end means the end. If the decoder refuses to seek, because the file's own seek table is wrong,
  /// the reader decodes from the start up to the frame.
  ///
  /// - Throws: `MediaError.unreadable` if the file was changed since it was opened, or cannot be opened again.
  public func seek(to frame: Int) throws(MediaError) {
    guard !hasChanged else { throw .unreadable(path: path, reason: Self.change) }
    let wanted = length.map { min($0, frame) } ?? frame
    held.clear()
    (isDry, damage) = (false, nil)
    guard !source.seek(to: wanted) else {
      (position, ahead) = (wanted, wanted)
      return
    }
    try reopen()
    skip(to: wanted)
    damage = nil
  }

  /// Opens the same file again at its start, even if another file has its path now.
  private func reopen() throws(MediaError) {
    let (again, old) = (try Self.open("/proc/self/fd/\(file)"), (source, descriptor))
    (source, descriptor) = try Self.decoder(of: again, path)
    file = again
    withExtendedLifetime(old.0) {}
    System.close(old.1)
    (position, ahead) = (0, 0)
  }

  /// Decodes frames and drops them.
  private func skip(to frame: Int) {
    let most = 8_192
    withUnsafeTemporaryAllocation(of: Float.self, capacity: most * channelCount) { dropped in
      while position < frame {
        let count = min(most, frame - position)
        guard read(interleaved: dropped.baseAddress!, frames: count) == count else { return }
      }
    }
  }
}
