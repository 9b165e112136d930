import CSystemd
import SystemCalls

/// The functions of sd-bus that are used (libsystemd), which is loaded when a bus is first there: it costs 1.4 MB. Only `BusConnection` and `BusMessage`
/// call them.
struct SystemdCalls: Sendable {
  let bus: mr_sd_bus

  private static let library = DynamicLibrary.functions(
    mr_sd_bus(), mr_sd_bus_names(), of: .bus)

  /// Nil if the library is not installed. The first use loads it.
  static let loaded = (try? library.get()).map { SystemdCalls(bus: $0) }

  // MARK: Constants and errors

  /// What a message is.
  static func kind(_ type: UInt8) -> BusMessage.Kind? {
    switch Int(type) {
    case Int(SD_BUS_MESSAGE_METHOD_CALL): .call
    case Int(SD_BUS_MESSAGE_METHOD_RETURN): .reply
    case Int(SD_BUS_MESSAGE_METHOD_ERROR): .failure
    case Int(SD_BUS_MESSAGE_SIGNAL): .signal
    default: nil
    }
  }

  /// The words of an error that a message brings.
  func errorText(_ message: OpaquePointer) -> String? {
    guard let error = bus.sd_bus_message_get_error(message)?.pointee, let name = error.name else {
      return nil
    }
    return error.message.map { String(cString: $0) } ?? String(cString: name)
  }

  /// Makes the answer to a call that is refused.
  func newError(
    _ call: OpaquePointer, _ message: UnsafeMutablePointer<OpaquePointer?>, name: String, text: String
  ) -> Int32 {
    name.withCString { name in
      text.withCString { text in
        var error = sd_bus_error(name: name, message: text, _need_free: 0)
        return bus.sd_bus_message_new_method_error(call, message, &error)
      }
    }
  }
}
