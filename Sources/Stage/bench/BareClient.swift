import CBenchReference
import Glibc

/// A C client at the server (`CBenchReference`). It is closed when the last reference to it goes.
final class BareClient {
  private let client: OpaquePointer
  let name: String

  /// - Throws: `BenchError` when the server refuses.
  init(
    _ server: BenchServer, _ name: String, _ work: bare_work, inputs: Int = 0, outputs: Int = 0,
    isDevice: Bool = false
  ) throws(BenchError) {
    guard
      let opened = bare_open(server.name, name, work, Int32(inputs), Int32(outputs), isDevice)
    else { throw BenchError("the server refuses the client \(name)") }
    (client, self.name) = (opened, name)
  }

  deinit { bare_close(client) }

  /// Connects two ports by full name.
  /// - Throws: `BenchError` when the server refuses.
  func connect(_ source: String, _ destination: String) throws(BenchError) {
    guard bare_connect(client, source, destination) else {
      throw BenchError("the server does not connect \(source) and \(destination)")
    }
  }

  /// Connects two ports when both are there.
  /// - Throws: `BenchError` if they do not come in time.
  func connect(_ source: String, _ destination: String, within seconds: Double) throws(BenchError) {
    let end = Self.now + seconds * 1_000_000
    while !bare_connect(client, source, destination) {
      guard Self.now < end else { return try connect(source, destination) }
      usleep(10_000)
    }
  }

  /// The full name of a client's output, counted from 1.
  static func output(_ channel: Int, of client: String) -> String {
    "\(client):out_\((channel + 1) / 2)_\(channel)"
  }

  /// Connects this client's outputs to another client's inputs `in_n`, one to one.
  func feed(_ other: String, channels: Int) throws(BenchError) {
    for channel in 1...channels { try connect(Self.output(channel, of: name), "\(other):in_\(channel)") }
  }

  var periods: UInt64 { bare_periods(client) }
  var xruns: UInt64 { bare_xruns(client) }
  /// The processor time of the process thread.
  var nanoseconds: UInt64 { bare_thread_nanoseconds(client) }

  /// The last sample of the first input.
  var sample: Float { bare_sample(client) }

  /// Begins to watch the first input for a sample other than `steady`.
  func watch(for steady: Float) { bare_watch(client, steady) }

  /// The time of that sample in microseconds of the server's clock; nil if it has not come yet.
  var heard: Double? {
    var time = 0.0
    return bare_heard(client, &time) ? time : nil
  }

  /// The server's clock in microseconds.
  static var now: Double { bare_now() }

  /// The beginning of the line that the child process prints when its client runs.
  static let ready = "ready:"

  /// Runs a client until the process gets a signal to end; returns the exit code. The first line that it prints ends with the UDP port at
  /// which it receives gains, or with 0 if it receives none.
  ///
  /// - Parameter words: server, client, inputs and outputs.
  static func workForParent(_ work: bare_work, _ words: [String]) -> Int32 {
    guard words.count == 4, let inputs = Int32(words[2]), let outputs = Int32(words[3]),
      let client = bare_open(words[0], words[1], work, inputs, outputs, false)
    else { return 70 }
    tell("\(ready)\(work == bare_gain ? bare_receive(client) : 0)")
    var byte: UInt8 = 0
    while read(STDIN_FILENO, &byte, 1) == 1 {}
    bare_close(client)
    return 0
  }
}
