import CBenchReference
import Glibc

/// A C client at the server (`CBenchReference`), closed when nobody needs it any more.
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

  /// The full name of a client's output, from 1.
  static func output(_ channel: Int, of client: String) -> String {
    "\(client):out_\((channel + 1) / 2)_\(channel)"
  }

  /// Connects our outputs to another client's inputs `in_n`, one to one.
  func feed(_ other: String, channels: Int) throws(BenchError) {
    for channel in 1...channels { try connect(Self.output(channel, of: name), "\(other):in_\(channel)") }
  }

  var periods: UInt64 { bare_periods(client) }
  var xruns: UInt64 { bare_xruns(client) }
  /// Processor time of the process thread.
  var nanoseconds: UInt64 { bare_thread_nanoseconds(client) }

  /// The present sample of the first input.
  var sample: Float { bare_sample(client) }

  /// Begins to watch the first input for a sample other than `steady`.
  func watch(for steady: Float) { bare_watch(client, steady) }

  /// When that sample was, in microseconds of the server's clock; nil if it has not come.
  var heard: Double? {
    var time = 0.0
    return bare_heard(client, &time) ? time : nil
  }

  /// The server's clock in microseconds.
  static var now: Double { bare_now() }

  /// What the child process says when its client is there.
  static let ready = "ready:"

  /// Is a client until the process is told to end, and tells the port where it receives gains, 0 where it does not; returns the
  /// exit code.
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
