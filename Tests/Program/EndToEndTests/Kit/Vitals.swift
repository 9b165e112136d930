import Foundation

/// The resources of a process, to find leaks.
struct Vitals: CustomStringConvertible {
  var descriptors: Int
  var threads: Int
  /// Bytes of the process and of its files, without the memory that libjack shares with the server.
  var memory: Int
  /// Seconds of processor time so far.
  var processorTime: Double

  init(of identifier: Int32) throws {
    let process = "/proc/\(identifier)"
    descriptors = try FileManager.default.contentsOfDirectory(atPath: process + "/fd").count
    threads = try FileManager.default.contentsOfDirectory(atPath: process + "/task").count
    let status = try String(contentsOfFile: process + "/status", encoding: .utf8)
    memory = status.split(separator: "\n").filter { $0.hasPrefix("RssAnon:") || $0.hasPrefix("RssFile:") }
      .compactMap { line in Int(line.filter(\.isNumber)) }.reduce(0) { $0 + 1_024 * $1 }
    let fields =
      try String(contentsOfFile: process + "/stat", encoding: .utf8)
      .split(separator: ")").last?.split(separator: " ") ?? []
    // The 14th and 15th field of the line; the name is the second.
    let ticks = fields.dropFirst(11).prefix(2).compactMap { Double($0) }.reduce(0, +)
    processorTime = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The resources of a process that has no more descriptors and threads than before, which is awaited for 5 s: no notice tells when a
  /// process has closed what it needs for moments. What it still has then has leaked.
  ///
  /// - Parameter pause: waits for a moment.
  static func atRest(of identifier: Int32, since before: Vitals, pause: () throws -> Void) throws -> Vitals {
    let end = ContinuousClock.now + .seconds(5)
    var now = try Vitals(of: identifier)
    while now.descriptors > before.descriptors || now.threads > before.threads, ContinuousClock.now < end {
      try pause()
      now = try Vitals(of: identifier)
    }
    return now
  }

  var description: String {
    "\(descriptors) descriptors, \(threads) threads, \(memory / 1_024) KiB"
  }
}
