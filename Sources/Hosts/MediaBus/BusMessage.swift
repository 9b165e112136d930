import CSystemd

/// A message of the bus. Belongs to the thread of its connection.
final class BusMessage {
  enum Kind { case call, reply, failure, signal }

  let pointer: OpaquePointer
  let calls: SystemdCalls

  /// Takes over a reference to a message.
  init(_ pointer: OpaquePointer, _ calls: SystemdCalls) { (self.pointer, self.calls) = (pointer, calls) }

  deinit { _ = calls.bus.sd_bus_message_unref(pointer) }

  // MARK: Its head

  var kind: Kind? {
    var type: UInt8 = 0
    return calls.bus.sd_bus_message_get_type(pointer, &type) < 0 ? nil : SystemdCalls.kind(type)
  }

  /// Whether the caller waits for an answer.
  var wantsReply: Bool { calls.bus.sd_bus_message_get_expect_reply(pointer) > 0 }

  var path: String? { calls.bus.sd_bus_message_get_path(pointer).map { String(cString: $0) } }
  var interface: String? { calls.bus.sd_bus_message_get_interface(pointer).map { String(cString: $0) } }
  var member: String? { calls.bus.sd_bus_message_get_member(pointer).map { String(cString: $0) } }
  /// The unique name of the sender.
  var sender: String? { calls.bus.sd_bus_message_get_sender(pointer).map { String(cString: $0) } }
  var signature: String {
    calls.bus.sd_bus_message_get_signature(pointer, 1).map { String(cString: $0) } ?? ""
  }
  /// The words of the error, if the message is one.
  var errorText: String? { calls.errorText(pointer) }

  /// The number of the call that this message answers.
  var answered: UInt64? {
    var cookie: UInt64 = 0
    return calls.bus.sd_bus_message_get_reply_cookie(pointer, &cookie) < 0 ? nil : cookie
  }

  // MARK: Writing

  /// Adds values. A value that the bus does not allow, such as a path with a space, spoils the message, which then cannot be sent.
  func append(_ values: [BusValue]) { for value in values { append(value) } }

  private func append(_ value: BusValue) {
    switch value {
    case .bool(let value): append("b", Int32(value ? 1 : 0))
    case .double(let value): append("d", value)
    case .int(let value): append("x", value)
    case .count(let value): append("u", value)
    case .string(let text): append("s", text)
    case .path(let path): append("o", path)
    case .strings(let texts):
      container("a", "s") { for text in texts { append("s", text) } }
    case .table(let table):
      container("a", "{sv}") {
        for (key, value) in table.sorted(by: { $0.key < $1.key }) {
          container("e", "sv") {
            append("s", key)
            append(.variant(value))
          }
        }
      }
    case .variant(let value): container("v", value.signature) { append(value) }
    case .other: break
    }
  }

  private func append(_ type: Unicode.Scalar, _ value: some BitwiseCopyable) {
    withUnsafeBytes(of: value) {
      _ = calls.bus.sd_bus_message_append_basic(pointer, CChar(type.value), $0.baseAddress)
    }
  }

  private func append(_ type: Unicode.Scalar, _ text: String) {
    text.withCString { _ = calls.bus.sd_bus_message_append_basic(pointer, CChar(type.value), $0) }
  }

  private func container(_ type: Unicode.Scalar, _ contents: String, _ body: () -> Void) {
    _ = calls.bus.sd_bus_message_open_container(pointer, CChar(type.value), contents)
    body()
    _ = calls.bus.sd_bus_message_close_container(pointer)
  }
}
