import SystemCalls

/// Reads a sound file in pieces: wav, rf64, w64, aiff, caf, au, flac, ogg (Vorbis, Opus, FLAC) and mp3. The first bytes of the file decide,
/// not its name.
///
/// One thread at a time may use it; reading blocks on the disk. A file that is removed meanwhile can be read to its end.
public final class SoundFileReader {
  private let source: any SoundSource
  /// The file that libmpg123 or libFLAC reads; -1 if libsndfile has taken it over.
  private let descriptor: Int32
  private let path: String
  /// The file, for advice to the system; libsndfile closes its own.
  private let file: Int32
  private let size: Int
  /// The next frame.
  private var position = 0
  /// The frame up to which the system was asked to read ahead.
  private var ahead = 0
  private var interleaved: [Float] = []

  /// Greatest number of channels of a file; more are taken for damage.
  public static let mostChannels = 64
  /// Sample rates in Hz; others are taken for damage.
  public static let rates = 4_000...768_000

  /// Opens a file.
  ///
  /// - Throws: `MediaError.unreadable` if the system cannot open or read the file, `notAudio` or `foreign` if its format is not read,
  ///   `unplayable` if it declares a rate or a number of channels that cannot be meant.
  public init(path: String) throws(MediaError) {
    let opened = try Self.open(path)
    (file, size) = (opened, (try? System.fstat(opened))?.size ?? 0)
    let signature = SoundSignature(Self.bytes(opened, at: 0)) { Self.bytes(opened, at: $0) }
    switch signature {
    case .sndfile:
      if let missing = SoundFileCalls.missing {
        System.close(opened)
        throw .unreadable(path: path, reason: missing.description)
      }
      guard let source = SndfileSource(descriptor: opened) else {
        throw .notAudio(path: path, reason: Self.plain(SoundFileCalls.errorText(nil)))
      }
      (self.source, descriptor) = (source, -1)
    case .mpeg:
      do throws(Mpg123Calls.Failure) { source = try Mpg123Source(descriptor: opened) } catch {
        System.close(opened)
        throw .notAudio(path: path, reason: error.reason)
      }
      descriptor = opened
    case .oggFlac:
      do throws(FlacCalls.Failure) { source = try OggFlacSource(descriptor: opened) } catch {
        System.close(opened)
        throw .notAudio(path: path, reason: error.reason)
      }
      descriptor = opened
    case .foreign(let format):
      System.close(opened)
      throw .foreign(path: path, format: format)
    case .unknown:
      let isEmpty = Self.bytes(opened, at: 0).isEmpty
      System.close(opened)
      throw .notAudio(
        path: path,
        reason: isEmpty ? "it has no bytes" : "its first bytes are those of no format that is read")
    }
    self.path = path
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

  public var channelCount: Int { source.channelCount }
  /// Sample rate in Hz.
  public var sampleRate: Int { source.sampleRate }
  /// The length in frames that the file declares; nil if it declares none. A damaged file may end earlier.
  public var length: Int? { source.length }
  /// The texts that the file has about itself.
  public var tags: SoundTags { source.tags }

  /// The frame of the day at which a recording began, as its broadcast stamp says; nil without one.
  public var framesSinceMidnight: Int? { (source as? SndfileSource)?.framesSinceMidnight }

  /// Why the sound ended early; nil as long as it has not. `read` never throws for a damaged file: what was decoded is played.
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

  /// The library's sentence; the one about a rate or a number of channels that it refuses says little.
  private static func plain(_ reason: String) -> String {
    reason.hasPrefix("SF_INFO struct incomplete")
      ? "it declares no channels, too many channels, or a sample rate of 0 Hz" : reason
  }

  /// Reads up to `frames` interleaved frames.
  ///
  /// Samples that are not finite are read as 0.
  /// - Returns: the number of frames, which is lower at the file's end only. `damage` then says whether the end came early.
  public func read(interleaved samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    readAhead(frames)
    let count = source.read(samples, frames: frames)
    for index in 0..<count * channelCount where !samples[index].isFinite { samples[index] = 0 }
    position += count
    if count < frames { noteEnd() }
    return count
  }

  /// Has the system read 10 s ahead, once in a second: a slow disk then has them when they are needed. The bytes are guessed from the mean.
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

  private func noteEnd() {
    guard damage == nil else { return }
    if let fault = source.fault {
      damage = .damaged(path: path, reason: "\(fault), \(seconds(position)) s after the start")
    } else if let length, position < length {
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

  /// Makes a frame, counted from the start of the file, the next one that is read, to the sample.
  ///
  /// - Throws: `MediaError.unreadable` if there is no such frame, or if the file allows no jumps.
  public func seek(to frame: Int) throws(MediaError) {
    guard source.seek(to: frame) else {
      throw .unreadable(path: path, reason: source.fault ?? "it has no frame \(frame)")
    }
    (position, ahead, damage) = (frame, frame, nil)
  }
}
