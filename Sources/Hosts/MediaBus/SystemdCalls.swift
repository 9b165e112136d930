import CSystemd
import SystemCalls

/// The functions of sd-bus that are used, named after the C functions. The only file that knows the library (libsystemd), which is loaded when
/// a bus is first there: it costs 1.4 MB.
struct SystemdCalls: Sendable {
  let new: mr_sd_bus_new
  let setAddress: mr_sd_bus_set_address
  let setBusClient: mr_sd_bus_set_bus_client
  let start: mr_sd_bus_start
  let closeUnref: mr_sd_bus_close_unref
  let getFd: mr_sd_bus_get_fd
  let getEvents: mr_sd_bus_get_events
  let getTimeout: mr_sd_bus_get_timeout
  let getNQueuedWrite: mr_sd_bus_get_n_queued_write
  let getUniqueName: mr_sd_bus_get_unique_name
  let process: mr_sd_bus_process
  let send: mr_sd_bus_send
  let messageUnref: mr_sd_bus_message_unref
  let messageNewMethodCall: mr_sd_bus_message_new_method_call
  let messageNewMethodReturn: mr_sd_bus_message_new_method_return
  let messageNewMethodError: mr_sd_bus_message_new_method_error
  let messageNewSignal: mr_sd_bus_message_new_signal
  let messageSetAutoStart: mr_sd_bus_message_set_auto_start
  let messageAppendBasic: mr_sd_bus_message_append_basic
  let messageOpenContainer: mr_sd_bus_message_open_container
  let messageCloseContainer: mr_sd_bus_message_close_container
  let messageGetType: mr_sd_bus_message_get_type
  let messageGetReplyCookie: mr_sd_bus_message_get_reply_cookie
  let messageGetExpectReply: mr_sd_bus_message_get_expect_reply
  let messageGetPath: mr_sd_bus_message_get_path
  let messageGetInterface: mr_sd_bus_message_get_interface
  let messageGetMember: mr_sd_bus_message_get_member
  let messageGetSender: mr_sd_bus_message_get_sender
  let messageGetSignature: mr_sd_bus_message_get_signature
  let messageGetError: mr_sd_bus_message_get_error
  let messagePeekType: mr_sd_bus_message_peek_type
  let messageReadBasic: mr_sd_bus_message_read_basic
  let messageEnterContainer: mr_sd_bus_message_enter_container
  let messageExitContainer: mr_sd_bus_message_exit_container
  let messageSkip: mr_sd_bus_message_skip

  /// A function is missing: the library is older than Debian 12's.
  private struct Missing: Error {}

  private init(_ library: DynamicLibrary) throws(Missing) {
    func need<Function>(_ name: String) throws(Missing) -> Function {
      guard let function = library.function("sd_bus_" + name, as: Function.self) else { throw Missing() }
      return function
    }
    new = try need("new")
    setAddress = try need("set_address")
    setBusClient = try need("set_bus_client")
    start = try need("start")
    closeUnref = try need("close_unref")
    getFd = try need("get_fd")
    getEvents = try need("get_events")
    getTimeout = try need("get_timeout")
    getNQueuedWrite = try need("get_n_queued_write")
    getUniqueName = try need("get_unique_name")
    process = try need("process")
    send = try need("send")
    messageUnref = try need("message_unref")
    messageNewMethodCall = try need("message_new_method_call")
    messageNewMethodReturn = try need("message_new_method_return")
    messageNewMethodError = try need("message_new_method_error")
    messageNewSignal = try need("message_new_signal")
    messageSetAutoStart = try need("message_set_auto_start")
    messageAppendBasic = try need("message_append_basic")
    messageOpenContainer = try need("message_open_container")
    messageCloseContainer = try need("message_close_container")
    messageGetType = try need("message_get_type")
    messageGetReplyCookie = try need("message_get_reply_cookie")
    messageGetExpectReply = try need("message_get_expect_reply")
    messageGetPath = try need("message_get_path")
    messageGetInterface = try need("message_get_interface")
    messageGetMember = try need("message_get_member")
    messageGetSender = try need("message_get_sender")
    messageGetSignature = try need("message_get_signature")
    messageGetError = try need("message_get_error")
    messagePeekType = try need("message_peek_type")
    messageReadBasic = try need("message_read_basic")
    messageEnterContainer = try need("message_enter_container")
    messageExitContainer = try need("message_exit_container")
    messageSkip = try need("message_skip")
  }

  /// Nil if the library is not installed. The first use loads it.
  static let loaded = DynamicLibrary("libsystemd.so.0").flatMap { try? SystemdCalls($0) }

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
    guard let error = messageGetError(message)?.pointee, let name = error.name else { return nil }
    return error.message.map { String(cString: $0) } ?? String(cString: name)
  }

  /// Makes the answer to a call that is refused.
  func newError(
    _ call: OpaquePointer, _ message: UnsafeMutablePointer<OpaquePointer?>, name: String, text: String
  ) -> Int32 {
    name.withCString { name in
      text.withCString { text in
        var error = sd_bus_error(name: name, message: text, _need_free: 0)
        return messageNewMethodError(call, message, &error)
      }
    }
  }
}
