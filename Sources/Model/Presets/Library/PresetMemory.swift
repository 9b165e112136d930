import JSON5
import SessionModel
import Synchronization
import SystemCalls

/// The presets that a library has read last, and the titles of all its files. To parse and check a preset of thousands of settings takes a hundred times
/// as long as to read its bytes.
///
/// A preset is valid while its file, and each file that it extends, is found in the same place with the same bytes. No time stamp decides that,
/// because two writings may have the same. A title decides nothing, and is valid while the status of its file stays the same.
final class PresetMemory: Sendable {
  typealias Result = (preset: Preset?, problems: [Problem])

  private struct Reading {
    let source: PresetSource
    /// The presets that the source extends.
    let bases: [PresetSource]
    let result: Result

    var size: Int { bases.reduce(source.bytes.count) { $0 + $1.bytes.count } }
  }

  private struct Title {
    let status: FileStatus
    let text: String?
  }

  private struct Contents {
    /// The last one used comes last.
    var readings: [Reading] = []
    var titles: [String: Title] = [:]
  }

  private let contents = Mutex(Contents())
  private let time: @Sendable () -> Double

  /// - Parameter time: the time of day, in seconds since 1970.
  init(time: @escaping @Sendable () -> Double = System.realtime) { self.time = time }

  /// The greatest number of presets: those of a few scenes to and fro. Beyond the last two, all files together have at most `greatestSize` bytes.
  private static let mostReadings = 8
  private static let greatestSize = 1 << 19

  // MARK: Presets

  /// What reading a preset has given; nil if it must be read.
  ///
  /// - Parameter base: finds a preset that it extends, as it is now.
  func reading(of source: PresetSource, base: (PresetID) -> PresetSource?) -> Result? {
    let known = contents.withLock { $0.readings.first { $0.source == source } }
    guard let known, known.bases.allSatisfy({ base($0.id) == $0 }) else { return nil }
    keep(known)
    return known.result
  }

  /// Notes what reading a preset has given. One with errors is read again each time.
  func note(_ result: Result, of source: PresetSource, extending bases: [PresetSource]) {
    guard result.preset != nil else { return }
    keep(Reading(source: source, bases: bases, result: result))
  }

  private func keep(_ reading: Reading) {
    contents.withLock { contents in
      contents.readings.removeAll {
        ($0.source.id, $0.source.file) == (reading.source.id, reading.source.file)
      }
      contents.readings.append(reading)
      while contents.readings.count > 2,
        contents.readings.count > Self.mostReadings
          || contents.readings.reduce(0, { $0 + $1.size }) > Self.greatestSize
      {
        contents.readings.removeFirst()
      }
    }
  }

  // MARK: Titles

  /// The titles of files; nil for a file without one. Only files that have changed are read. All other titles are forgotten.
  func titles(of files: some Sequence<String>, reading: (String) -> String?) -> [String: String?] {
    let known = contents.withLock { $0.titles }
    var (titles, texts): ([String: Title], [String: String?]) = ([:], [:])
    for file in files {
      let status = try? System.stat(file)
      if let status, let title = known[file], title.status == status {
        titles[file] = title
        texts[file] = .some(title.text)
        continue
      }
      let text = reading(file)
      texts[file] = .some(text)
      if let status, status.isAtRest(at: time()), (try? System.stat(file)) == status {
        titles[file] = Title(status: status, text: text)
      }
    }
    contents.withLock { [titles] in $0.titles = titles }
    return texts
  }
}

extension FileStatus {
  /// Whether every later writing has another time than the last one. The clock for files ticks every few milliseconds, on some disks every two
  /// seconds.
  fileprivate func isAtRest(at time: Double) -> Bool {
    Int(time * 1_000_000_000) - max(modifiedNanoseconds, changedNanoseconds) > 3_000_000_000
  }
}
