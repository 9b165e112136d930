import SystemCalls

/// The loudness of files that were measured, newest last, and its form as a file: a line for each, which begins with a sum over the rest. Lines whose
/// sum is wrong are left out.
struct LoudnessList {
  /// What tells one version of a file from another.
  struct Version: Equatable {
    var size: Int
    /// Nanoseconds since 1970.
    var modified: Int

    init(size: Int, modified: Int) { (self.size, self.modified) = (size, modified) }

    /// nil if there is no such file.
    init?(_ path: String) {
      guard let status = try? System.stat(path) else { return nil }
      self.init(size: status.size, modified: status.modifiedNanoseconds)
    }
  }

  private struct Entry {
    var version: Version
    var loudness: SoundLoudness
    /// Grows with each use.
    var use: Int
  }

  private var entries: [String: Entry] = [:]
  private var uses = 0
  private var hasChanged = false

  /// Files that are kept; those that were not used for longest go first.
  static let most = 4_096
  /// Bytes of a file that is read; longer ones are not of this program.
  static let largest = most * 5_000
  private static let head = "multiroute loudness 1"

  init() {}

  /// Reads what a file has.
  init(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.first == Self.head[...] else { return }
    for line in lines.dropFirst().suffix(Self.most) {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0] == Self.sum(parts[1])[...] else { continue }
      let fields = parts[1].split(separator: " ", maxSplits: 4)
      guard fields.count == 5, let size = Int(fields[0]), let modified = Int(fields[1]),
        let peak = Double(fields[3]), fields[2] == "silent" || Double(fields[2]) != nil
      else { continue }
      uses += 1
      entries[String(fields[4])] = Entry(
        version: Version(size: size, modified: modified),
        loudness: SoundLoudness(loudness: Double(fields[2]), peak: peak), use: uses)
    }
  }

  /// What is known of a version of a file.
  mutating func loudness(_ path: String, _ version: Version) -> SoundLoudness? {
    guard let entry = entries[path], entry.version == version else { return nil }
    uses += 1
    entries[path]?.use = uses
    return entry.loudness
  }

  mutating func add(_ loudness: SoundLoudness, _ path: String, _ version: Version) {
    uses += 1
    entries[path] = Entry(version: version, loudness: loudness, use: uses)
    hasChanged = true
    if entries.count > Self.most, let oldest = entries.min(by: { $0.value.use < $1.value.use }) {
      entries[oldest.key] = nil
    }
  }

  /// The file's bytes, if there is something that the file does not have yet.
  mutating func takeChanges() -> [UInt8]? {
    guard hasChanged else { return nil }
    hasChanged = false
    let lines = entries.sorted { $0.value.use < $1.value.use }.compactMap { path, entry -> String? in
      // A path with a line break has no line.
      guard !path.contains("\n") else { return nil }
      let loudness = entry.loudness.loudness.map { "\($0)" } ?? "silent"
      let text =
        "\(entry.version.size) \(entry.version.modified) \(loudness) \(entry.loudness.peak) \(path)"
      return "\(Self.sum(text[...])) \(text)"
    }
    return Array(([Self.head] + lines).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
  }

  /// The sum FNV-1a of 64 bits, as a hexadecimal number.
  private static func sum(_ text: Substring) -> String {
    String(
      text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
  }
}
