/// Plays the links of a chained Ogg file one after the other, as one sound in the sample rate of the first link.
///
/// The sound has as many channels as the widest link. A link of one channel is heard on all of them.
final class ChainedSource: SoundSource {
  let channelCount: Int
  let sampleRate: Int
  let tags: SoundTags
  private let descriptor: Int32
  private let links: [Link]
  /// Why links behind the last one of `links` cannot be played, if there are any.
  private let missing: String?
  private var current = 0
  private var reader: LinkReader

  /// A link, and what the decoder says of it.
  private struct Link {
    var bytes: Range<Int>
    /// The first frame in the whole sound.
    var start = 0
    /// In frames of the whole sound; nil if the link declares none.
    var length: Int?
  }

  /// Opens every link once, for its length. The caller keeps the descriptor open for as long as this object lives, and closes it.
  ///
  /// - Parameter links: at least one.
  /// - Throws: why the first link cannot be read. A later one that cannot be read ends the sound with a fault.
  init(descriptor: Int32, links ranges: [Range<Int>]) throws(OggLinkError) {
    self.descriptor = descriptor
    let first = try Self.decoder(descriptor, ranges[0])
    (sampleRate, tags) = (first.sampleRate, first.tags)
    var (links, widest, missing): ([Link], Int, String?) = ([], 1, nil)
    for range in ranges {
      do throws(OggLinkError) {
        let source = links.isEmpty ? first : try Self.decoder(descriptor, range)
        if source.sampleRate != sampleRate, let absent = RateConverter.missing {
          throw OggLinkError(reason: "it has another sample rate; \(absent)")
        }
        var link = Link(bytes: range)
        link.start = links.last.map { $0.start + ($0.length ?? 0) } ?? 0
        link.length = source.length.map { LinkReader.frames($0, of: source.sampleRate, at: first.sampleRate) }
        links.append(link)
        widest = max(widest, source.channelCount)
      } catch {
        missing = "part \(links.count + 1) of its \(ranges.count) parts cannot be read: \(error.reason)"
        break
      }
    }
    (self.links, self.missing, channelCount) = (links, missing, widest)
    reader = LinkReader(first, length: links[0].length, channels: channelCount, sampleRate: sampleRate)
  }

  /// The sum of all links; nil if one declares none, or cannot be played.
  var length: Int? {
    guard missing == nil, let last = links.last, links.allSatisfy({ $0.length != nil }) else { return nil }
    return last.length.map { last.start + $0 }
  }

  var fault: String? { reader.fault ?? (current == links.count - 1 ? missing : nil) }

  private static func decoder(
    _ descriptor: Int32, _ range: Range<Int>
  ) throws(OggLinkError) -> any SoundSource {
    let part = FilePart(descriptor, range)
    do throws(FlacCalls.Failure) {
      let signature = SoundSignature(part.bytes(at: 0, count: SoundSignature.length)) { _ in [] }
      if signature == .oggFlac { return try OggFlacSource(part) }
    } catch {
      throw OggLinkError(reason: error.reason)
    }
    guard let source = SndfileSource(part) else {
      throw OggLinkError(reason: SoundFileCalls.errorText(nil))
    }
    guard (1...SoundFileReader.mostChannels).contains(source.channelCount),
      SoundFileReader.rates.contains(source.sampleRate)
    else { throw OggLinkError(reason: "it declares a rate or a number of channels that cannot be meant") }
    return source
  }

  private func open(_ index: Int) -> Bool {
    guard links.indices.contains(index), let source = try? Self.decoder(descriptor, links[index].bytes) else {
      return false
    }
    current = index
    reader = LinkReader(
      source, length: links[index].length, channels: channelCount, sampleRate: sampleRate)
    return true
  }

  func read(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    var done = 0
    while done < frames {
      let count = reader.read(samples + done * channelCount, frames: frames - done)
      done += count
      if count == 0, !open(current + 1) { break }
    }
    return done
  }

  func seek(to frame: Int) -> Bool {
    guard links.dropLast().allSatisfy({ $0.length != nil }),
      let index = links.lastIndex(where: { $0.start <= frame }), open(index)
    else {
      return false
    }
    return reader.seek(to: frame - links[index].start)
  }
}

/// Why a link cannot be read, as the end of a sentence.
struct OggLinkError: Error {
  var reason: String
}
