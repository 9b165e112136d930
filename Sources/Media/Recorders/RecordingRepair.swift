public import SoundFiles
import SystemCalls

/// Makes recordings whole whose writer was killed. A wav is valid as it is; a flac lacks its length.
public enum RecordingRepair {
  /// Writes the length into every flac of a folder that lacks it. Blocks on the disk: for a start, before anything is recorded there.
  ///
  /// - Returns: the paths of the files that were repaired.
  public static func repair(folder: String) -> [String] {
    let names = (try? System.readdir(folder)) ?? []
    return names.filter { $0.hasSuffix(".flac") }.map { "\(folder)/\($0)" }.filter { path in
      (try? repair(path: path)) ?? false
    }
  }

  /// Writes the length into a flac that lacks it: the 36 bits of its frames, which end the 18th byte of STREAMINFO (RFC 9639, 8.2).
  ///
  /// - Returns: whether the length was missing.
  /// - Throws: `MediaError`.
  public static func repair(path: String) throws(MediaError) -> Bool {
    do throws(SystemError) {
      let descriptor = try System.open(path, [.readWrite, .noLink])
      defer { System.close(descriptor) }
      let head = try System.pread(descriptor, count: 26, at: 0)
      guard head.count == 26, head.starts(with: "fLaC".utf8), head[4] & 0x7F == 0 else { return false }
      guard head[21] & 0x0F == 0, head[22...25].allSatisfy({ $0 == 0 }) else { return false }
      let frames = count(path)
      guard frames > 0 else { return false }
      let high = head[21] & 0xF0 | UInt8(truncatingIfNeeded: frames >> 32 & 0x0F)
      let low = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: frames >> $0) }
      try System.pwrite(descriptor, [high] + low, at: 21)
      try System.fsync(descriptor)
      return true
    } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
  }

  /// The frames that can be read.
  private static func count(_ path: String) -> Int {
    guard let reader = try? SoundFileReader(path: path) else { return 0 }
    let block = 16_384
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: block * reader.channelCount)
    defer { samples.deallocate() }
    var frames = 0
    while true {
      let count = reader.read(interleaved: samples, frames: block)
      frames += count
      if count < block { return frames }
    }
  }
}
