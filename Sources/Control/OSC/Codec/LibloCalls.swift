import CLiblo

/// All calls to liblo: they decode and encode one message.
///
/// liblo keeps no state between these calls, so any thread may make them.
enum LibloCalls {
  /// Reads the arguments of a valid message; nil if liblo refuses the message.
  ///
  /// - Parameters:
  ///   - bytes: a message that `MessageLayout` has checked and converted to the form that liblo reads.
  ///   - tags: the type tags as sent, one per argument; `r` marks an integer that is a colour.
  static func arguments(of bytes: Span<UInt8>, tags: [UInt8]) -> [OSCArgument]? {
    let message = bytes.withUnsafeBufferPointer { buffer in
      // liblo declares the bytes as mutable, but only copies them.
      lo_message_deserialise(UnsafeMutableRawPointer(mutating: buffer.baseAddress), buffer.count, nil)
    }
    guard let message else { return nil }
    defer { lo_message_free(message) }
    guard Int(lo_message_get_argc(message)) == tags.count else { return nil }
    guard !tags.isEmpty else { return [] }
    guard let values = lo_message_get_argv(message) else { return nil }
    var arguments: [OSCArgument] = []
    arguments.reserveCapacity(tags.count)
    for (index, tag) in tags.enumerated() {
      guard let argument = argument(tag, at: values[index]) else { return nil }
      arguments.append(argument)
    }
    return arguments
  }

  /// Encodes a message.
  static func bytes(of message: OSCMessage) -> [UInt8] {
    guard let handle = lo_message_new() else { fatalError("no memory for an OSC message") }
    defer { lo_message_free(handle) }
    for argument in message.arguments {
      precondition(add(argument, to: handle) == 0, "no memory for an OSC argument")
    }
    var bytes = message.address.withCString { address in
      let size = lo_message_length(handle, address)
      return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        lo_message_serialise(handle, address, buffer.baseAddress, nil)
        count = size
      }
    }
    markColours(of: message, in: &bytes)
    return bytes
  }

  /// Reads one value. liblo aligns values to 4 bytes, and gives no pointer for types without data.
  private static func argument(_ tag: UInt8, at value: UnsafeMutablePointer<lo_arg>?) -> OSCArgument? {
    switch tag {
    case UInt8(ascii: "T"): return .boolean(true)
    case UInt8(ascii: "F"): return .boolean(false)
    case UInt8(ascii: "N"): return .null
    case UInt8(ascii: "I"): return .impulse
    default: break
    }
    guard let value else { return nil }
    // Reads through the pointer. Copying the union would read beyond the end of most values and would cut strings.
    let data = UnsafeRawPointer(value)
    switch tag {
    case UInt8(ascii: "i"): return .int32(data.loadUnaligned(as: Int32.self))
    case UInt8(ascii: "h"): return .int64(data.loadUnaligned(as: Int64.self))
    case UInt8(ascii: "f"): return .float(data.loadUnaligned(as: Float.self))
    case UInt8(ascii: "d"): return .double(data.loadUnaligned(as: Double.self))
    case UInt8(ascii: "s"): return .string(String(cString: data.assumingMemoryBound(to: CChar.self)))
    case UInt8(ascii: "S"): return .symbol(String(cString: data.assumingMemoryBound(to: CChar.self)))
    case UInt8(ascii: "c"):
      return .character(UInt8(truncatingIfNeeded: data.loadUnaligned(as: UInt32.self)))
    case UInt8(ascii: "t"):
      return .timetag(
        OSCTimetag(
          seconds: data.loadUnaligned(as: UInt32.self),
          fraction: data.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    case UInt8(ascii: "m"): return .midi(UInt32(bigEndian: data.loadUnaligned(as: UInt32.self)))
    case UInt8(ascii: "r"): return .colour(data.loadUnaligned(as: UInt32.self))
    case UInt8(ascii: "b"):
      let blob = UnsafeMutableRawPointer(value)
      let size = Int(lo_blob_datasize(blob))
      return .blob([UInt8](UnsafeRawBufferPointer(start: lo_blob_dataptr(blob), count: size)))
    default: return nil
    }
  }

  private static func add(_ argument: OSCArgument, to message: lo_message) -> Int32 {
    switch argument {
    case .int32(let value): lo_message_add_int32(message, value)
    case .int64(let value): lo_message_add_int64(message, value)
    case .float(let value): lo_message_add_float(message, value)
    case .double(let value): lo_message_add_double(message, value)
    case .string(let text): lo_message_add_string(message, text)
    case .symbol(let text): lo_message_add_symbol(message, text)
    case .character(let code): lo_message_add_char(message, CChar(bitPattern: code))
    case .timetag(let time):
      lo_message_add_timetag(message, lo_timetag(sec: time.seconds, frac: time.fraction))
    case .midi(let bytes): add(midi: bytes, to: message)
    case .colour(let channels): lo_message_add_int32(message, Int32(bitPattern: channels))
    case .boolean(true): lo_message_add_true(message)
    case .boolean(false): lo_message_add_false(message)
    case .null: lo_message_add_nil(message)
    case .impulse: lo_message_add_infinitum(message)
    case .blob(let bytes): add(blob: bytes, to: message)
    }
  }

  private static func add(midi: UInt32, to message: lo_message) -> Int32 {
    var bytes = midi.bigEndian
    return withUnsafeMutableBytes(of: &bytes) { buffer in
      lo_message_add_midi(message, buffer.assumingMemoryBound(to: UInt8.self).baseAddress)
    }
  }

  /// Lays out the blob as `lo_arg.blob` declares it, because `lo_blob_new` refuses an empty blob.
  private static func add(blob: [UInt8], to message: lo_message) -> Int32 {
    withUnsafeTemporaryAllocation(byteCount: 4 + blob.count, alignment: 4) { buffer in
      buffer.storeBytes(of: Int32(blob.count), as: Int32.self)
      UnsafeMutableRawBufferPointer(rebasing: buffer[4...]).copyBytes(from: blob)
      return lo_message_add_blob(message, buffer.baseAddress)
    }
  }

  /// Restores the tag `r` of colours, which liblo encodes as integers because it has no colour type.
  private static func markColours(of message: OSCMessage, in bytes: inout [UInt8]) {
    guard let end = bytes.firstIndex(of: 0) else { return }
    let firstTag = ((end + 4) & ~3) + 1
    for (index, argument) in message.arguments.enumerated() {
      if case .colour = argument { bytes[firstTag + index] = UInt8(ascii: "r") }
    }
  }
}
