import CSystemd
import SystemCalls

/// A connection to a message bus. No call waits. Belongs to one thread.
///
/// No callbacks are registered: `receive` returns all messages, and the thread decides what they mean.
final class BusConnection {
  private let bus: OpaquePointer
  private let calls: SystemdCalls

  /// Begins to connect.
  /// - Throws: `SystemError` if nothing listens at the address.
  init(_ address: String, _ calls: SystemdCalls) throws(SystemError) {
    var made: OpaquePointer?
    try Self.check("sd_bus_new", calls.bus.sd_bus_new(&made), address)
    guard let bus = made else { throw SystemError("sd_bus_new", .invalidArgument, address) }
    (self.bus, self.calls) = (bus, calls)
    try Self.check("sd_bus_set_address", calls.bus.sd_bus_set_address(bus, address), address)
    try Self.check("sd_bus_set_bus_client", calls.bus.sd_bus_set_bus_client(bus, 1), address)
    try Self.check("sd_bus_start", calls.bus.sd_bus_start(bus), address)
  }

  deinit { _ = calls.bus.sd_bus_close_unref(bus) }

  private static func check(_ call: String, _ result: Int32, _ subject: String) throws(SystemError) {
    if result < 0 { throw SystemError(call, ErrorNumber(rawValue: -result), subject) }
  }

  // MARK: Waiting

  /// The descriptor, and for what to wait there; nil if the connection is lost.
  var awaited: (descriptor: Int32, events: PollEvents)? {
    let (descriptor, events) = (calls.bus.sd_bus_get_fd(bus), calls.bus.sd_bus_get_events(bus))
    return descriptor < 0 || events < 0
      ? nil : (descriptor, PollEvents(rawValue: Int16(truncatingIfNeeded: events)))
  }

  /// When to call `receive` even if nothing has come, in seconds of the monotonic clock; nil for never.
  var due: Double? {
    var microseconds: UInt64 = 0
    guard calls.bus.sd_bus_get_timeout(bus, &microseconds) >= 0, microseconds != .max else { return nil }
    return Double(microseconds) * 1e-6
  }

  // MARK: Messages

  /// What `receive` has found.
  enum Received {
    case message(BusMessage)
    /// The library has done a step of its own, such as one of the greeting.
    case step
    case nothing
  }

  /// Sends what waits, and takes the next message.
  /// - Throws: `SystemError` if the connection is lost.
  func receive() throws(SystemError) -> Received {
    var message: OpaquePointer?
    let result = calls.bus.sd_bus_process(bus, &message)
    try Self.check("sd_bus_process", result, "the session bus")
    guard let message else { return result > 0 ? .step : .nothing }
    return .message(BusMessage(message, calls))
  }

  /// The number of messages that wait for the bus.
  var waiting: Int {
    var count: UInt64 = 0
    return calls.bus.sd_bus_get_n_queued_write(bus, &count) < 0 ? 0 : Int(count)
  }

  /// Our name that no other connection has. Only after the first answer of the bus; before, the call would wait.
  var uniqueName: String? {
    var name: UnsafePointer<CChar>?
    guard calls.bus.sd_bus_get_unique_name(bus, &name) >= 0 else { return nil }
    return name.map { String(cString: $0) }
  }

  /// Calls a method of another program.
  ///
  /// - Returns: the number that the answer bears; nil if the call could not be sent.
  func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = []
  ) -> UInt64? {
    var made: OpaquePointer?
    _ = calls.bus.sd_bus_message_new_method_call(bus, &made, destination, path, interface, member)
    guard let made else { return nil }
    let message = BusMessage(made, calls)
    // A player that has just ended is not started anew.
    _ = calls.bus.sd_bus_message_set_auto_start(made, 0)
    message.append(arguments)
    var cookie: UInt64 = 0
    return calls.bus.sd_bus_send(bus, made, &cookie) < 0 ? nil : cookie
  }

  /// Answers a call.
  func reply(to call: BusMessage, _ answer: PlayerAnswer) {
    guard call.wantsReply else { return }
    var made: OpaquePointer?
    switch answer {
    case .values: _ = calls.bus.sd_bus_message_new_method_return(call.pointer, &made)
    case .refusal(let kind, let text):
      _ = calls.newError(call.pointer, &made, name: kind.name, text: text)
    }
    guard let made else { return }
    let message = BusMessage(made, calls)
    if case .values(let values) = answer { message.append(values) }
    _ = calls.bus.sd_bus_send(bus, made, nil)
  }

  /// Sends a signal to all that listen.
  func signal(_ path: String, _ interface: String, _ member: String, _ arguments: [BusValue]) {
    var made: OpaquePointer?
    _ = calls.bus.sd_bus_message_new_signal(bus, &made, path, interface, member)
    guard let made else { return }
    let message = BusMessage(made, calls)
    message.append(arguments)
    _ = calls.bus.sd_bus_send(bus, made, nil)
  }
}
