public import SystemCalls

/// Reads a sound file in pieces: wav, rf64, w64, aiff, caf, au, flac, ogg (Vorbis, Opus, FLAC) and mp3. The first bytes of the file decide,
/// not its name.
///
/// One thread at a time may use it; reading blocks on the disk. A file that is removed or replaced meanwhile can be read to its end. One that is
/// changed in place ends at once, within what was read before and by a fade: its bytes are not those of the file that was opened.
public final class SoundFileReader {
  private var source: any SoundSource
  /// The file that this object closes; -1 if libsndfile has taken it over.
  private var descriptor: Int32
  private let path: String
  /// The file, for looks at it and for advice to the system; libsndfile closes its own.
  private var file: Int32
  /// The file when it was opened; nil if the system does not tell.
  private var witness: FileWitness?
  private let size: Int
  /// Whether the file was changed since.
  private var isChanged = false
  /// Decoded frames; the last 20 ms are kept back for a fade.
  private var held: HeldFrames
  /// Whether the decoder has given all.
  private var isDry = false
  /// The next frame.
  private var position = 0
  /// The frame up to which the system was asked to read ahead.
  private var ahead = 0
  private var interleaved: [Float] = []

  /// Greatest number of channels of a file; more are taken for damage.
  public static let mostChannels = 64
  /// Sample rates in Hz; others are taken for damage.
  public static let rates = 4_000...768_000

  /// How much of a file is read to open it.
  public enum Depth: Sendable {
    /// As much as it takes to play the file: of an mp3 the headers of all frames.
    case wholeFile
    /// What the beginning and the end say. Only the description of the sound may then be asked for, and the length of an mp3 may be an estimate.
    case header
  }

  /// Opens a file.
  ///
  /// - Throws: `MediaError.unreadable` if the system cannot open or read the file, `notAudio` or `foreign` if its format is not read,
  ///   `unplayable` if it declares a rate or a number of channels that cannot be meant.
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
      // An mp3 may have anything before its first frame: the decoder finds that, or there is none.
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
  /// Whether the file is an Ogg file of several links, of which libraries for tags know only the first or the last.
  public var isChained: Bool { source is ChainedSource }
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
    if given < frames { noteEnd() }
    return given
  }

  /// Frames that are kept back: 20 ms.
  private var keptBack: Int { sampleRate / 50 }

  /// Decodes so much that some of the next frames can be given away. What was decoded from a file that has been changed meanwhile is dropped.
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

  /// Frames that are decoded at a time, so that a reader takes little memory.
  private static let mostDecoded = 2_048

  /// Whether the bytes of the file were changed since it was opened.
  private var hasChanged: Bool {
    if !isChanged, witness?.hasChanged(file) == true { isChanged = true }
    return isChanged
  }

  /// The file that now has the name of the one that was opened, if it has another content; nil if it has not, or if the name is gone.
  public var successor: FileStatus? {
    guard let now = try? System.stat(path), let opened = try? System.fstat(file) else { return nil }
    return hasChanged || !now.isSameFile(as: opened) ? now : nil
  }

  private static let change = "it was changed while it was read"

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
    // Whatever comes behind the last frame, such as a tag, is no sound.
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

  /// Makes a frame, counted from the start of the file, the next one that is read, to the sample.
  ///
  /// A place behind the end is the end. Where the decoder refuses to jump, because the file's own table of places is wrong, it decodes from the
  /// start up to the place.
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

  /// Begins anew with the same file, whatever has its name now.
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
