import CFlac
import SystemCalls

/// All calls into libFLAC, which decodes FLAC in Ogg. No other file calls the library, which is loaded for the first such file.
enum FlacCalls {
  typealias Decoder = UnsafeMutablePointer<FLAC__StreamDecoder>

  private static let library = DynamicLibrary.functions(
    mr_flac(), mr_flac_names(), of: .flac)

  /// For all functions but `open`, without which they have nothing to work on.
  private static var calls: mr_flac { try! library.get() }

  /// Why a file cannot be opened.
  struct Failure: Error {
    var reason: String
  }

  /// Opens a file and reads what stands before its sound. `feed` must live as long as the decoder.
  static func open(_ feed: FlacFeed) throws(Failure) -> Decoder {
    if case .failure(let missing) = library { throw Failure(reason: missing.description) }
    guard let decoder = calls.FLAC__stream_decoder_new() else { throw Failure(reason: "no memory is left") }
    _ = calls.FLAC__stream_decoder_set_metadata_respond(decoder, FLAC__METADATA_TYPE_VORBIS_COMMENT)
    let status = calls.FLAC__stream_decoder_init_ogg_stream(
      decoder,
      { _, buffer, count, context in
        guard let buffer, let count else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
        count.pointee = FlacCalls.feed(context).part.read(buffer, count: count.pointee)
        return count.pointee == 0
          ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
      },
      { _, offset, context in
        FlacCalls.feed(context).part.place = Int(clamping: offset)
        return FLAC__STREAM_DECODER_SEEK_STATUS_OK
      },
      { _, offset, context in
        offset?.pointee = UInt64(FlacCalls.feed(context).part.place)
        return FLAC__STREAM_DECODER_TELL_STATUS_OK
      },
      { _, length, context in
        length?.pointee = UInt64(FlacCalls.feed(context).part.size)
        return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
      },
      { _, context in
        let part = FlacCalls.feed(context).part
        return part.place >= part.size ? 1 : 0
      },
      { _, frame, samples, context in
        guard let header = frame?.pointee.header, let samples else {
          return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
        }
        let isTaken = FlacCalls.feed(context).take(
          samples, channels: Int(header.channels), frames: Int(header.blocksize),
          bits: Int(header.bits_per_sample))
        return isTaken
          ? FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE : FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
      },
      { _, block, context in
        guard let block else { return }
        FlacCalls.describe(block.pointee, to: FlacCalls.feed(context))
      },
      { _, status, context in
        FlacCalls.feed(context).fault =
          status == FLAC__STREAM_DECODER_ERROR_STATUS_LOST_SYNC
          ? "what follows is no FLAC" : "a frame of FLAC is damaged"
      },
      Unmanaged.passUnretained(feed).toOpaque())
    guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK,
      calls.FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0, feed.channelCount > 0
    else {
      delete(decoder)
      throw Failure(reason: "it begins like FLAC in Ogg, but does not describe its sound")
    }
    return decoder
  }

  private static func feed(_ context: UnsafeMutableRawPointer?) -> FlacFeed {
    Unmanaged<FlacFeed>.fromOpaque(context!).takeUnretainedValue()
  }

  private static func describe(_ block: FLAC__StreamMetadata, to feed: FlacFeed) {
    if block.type == FLAC__METADATA_TYPE_STREAMINFO {
      let info = block.data.stream_info
      (feed.channelCount, feed.sampleRate) = (Int(info.channels), Int(info.sample_rate))
      feed.length = info.total_samples > 0 ? Int(info.total_samples) : nil
    } else if block.type == FLAC__METADATA_TYPE_VORBIS_COMMENT {
      let comments = block.data.vorbis_comment
      for index in 0..<Int(comments.num_comments) {
        let comment = comments.comments[index]
        guard let bytes = comment.entry else { continue }
        feed.describe(
          String(decoding: UnsafeBufferPointer(start: bytes, count: Int(comment.length)), as: UTF8.self))
      }
    }
  }

  /// Decodes the next frame into the feed; false at the end, and where nothing more can be decoded.
  static func processSingle(_ decoder: Decoder) -> Bool {
    calls.FLAC__stream_decoder_process_single(decoder) != 0
      && calls.FLAC__stream_decoder_get_state(decoder) != FLAC__STREAM_DECODER_END_OF_STREAM
  }

  /// Decodes from a frame on; the feed gets the first samples. False if that is impossible.
  static func seekAbsolute(_ decoder: Decoder, to frame: Int) -> Bool {
    if calls.FLAC__stream_decoder_seek_absolute(decoder, UInt64(frame)) != 0 { return true }
    if calls.FLAC__stream_decoder_get_state(decoder) == FLAC__STREAM_DECODER_SEEK_ERROR {
      _ = calls.FLAC__stream_decoder_flush(decoder)
    }
    return false
  }

  /// Goes back to the start of the file.
  static func reset(_ decoder: Decoder) -> Bool { calls.FLAC__stream_decoder_reset(decoder) != 0 }

  static func delete(_ decoder: Decoder) { calls.FLAC__stream_decoder_delete(decoder) }
}
