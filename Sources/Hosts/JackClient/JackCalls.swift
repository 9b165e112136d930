import CJack
public import MixKernel
import ServerInterface

/// Every call into libjack, as thin functions named after the C calls. No other code in the package calls
/// libjack.
public enum JackCalls {
  // MARK: Audio and notification threads

  /// The samples of a port in this period. Only for the process callback (`jack_port_get_buffer`).
  @_noLocks public static func buffer(
    of port: PortHandle, frames: UInt32
  ) -> UnsafeMutablePointer<Float>? {
    guard let pointer = port.pointer else { return nil }
    return jack_port_get_buffer(pointer, frames)?.assumingMemoryBound(to: Float.self)
  }

  /// The samples of many ports in this period. Only for the process callback.
  /// - Parameters:
  ///   - ports: `PortHandle.rawValue` of each.
  ///   - places: receives as many pointers, each possibly nil.
  @_noLocks public static func buffers(
    of ports: UnsafePointer<UInt>, count: Int, frames: UInt32, into places: UnsafeMutableRawPointer
  ) {
    for index in 0..<count {
      (places + index &* MemoryLayout<UInt>.size).storeBytes(
        of: buffer(of: PortHandle(rawValue: ports[index]), frames: frames),
        as: UnsafeMutablePointer<Float>?.self)
    }
  }

  /// The server's clock in microseconds; any thread (`jack_get_time`).
  @_noLocks public static func time() -> UInt64 { jack_get_time() }

  @_noLocks static func lastFrameTime(_ client: OpaquePointer) -> UInt32 { jack_last_frame_time(client) }

  @_noLocks static func latency(
    of port: PortHandle, _ mode: jack_latency_callback_mode_t
  ) -> jack_latency_range_t {
    var range = jack_latency_range_t(min: 0, max: 0)
    if let pointer = port.pointer { jack_port_get_latency_range(pointer, mode, &range) }
    return range
  }

  @_noLocks static func setLatency(
    of port: PortHandle, _ mode: jack_latency_callback_mode_t, to range: jack_latency_range_t
  ) {
    var range = range
    if let pointer = port.pointer { jack_port_set_latency_range(pointer, mode, &range) }
  }

  static func latency(of port: PortHandle, _ mode: JackLatencyMode) -> JackLatencyRange {
    let range = latency(of: port, mode == .capture ? JackCaptureLatency : JackPlaybackLatency)
    return JackLatencyRange(Int(range.min), Int(range.max))
  }

  // MARK: Client

  static func clientNameSize() -> Int { Int(jack_client_name_size()) }

  static func clientOpen(
    _ name: String, server: String?, options: UInt32
  ) -> (client: OpaquePointer?, status: UInt32) {
    var status = jack_status_t(rawValue: 0)
    let client = jack_client_open_at(name, jack_options_t(rawValue: options), &status, server)
    return (client, status.rawValue)
  }

  static func clientClose(_ client: OpaquePointer) { _ = jack_client_close(client) }
  static func activate(_ client: OpaquePointer) -> Int32 { jack_activate(client) }
  static func deactivate(_ client: OpaquePointer) { _ = jack_deactivate(client) }
  static func clientName(_ client: OpaquePointer) -> String { String(cString: jack_get_client_name(client)) }
  static func clientThread(_ client: OpaquePointer) -> UInt { UInt(jack_client_thread_id(client)) }
  static func isRealtime(_ client: OpaquePointer) -> Bool { jack_is_realtime(client) != 0 }
  static func cpuLoad(_ client: OpaquePointer) -> Float { jack_cpu_load(client) }
  static func sampleRate(_ client: OpaquePointer) -> Int { Int(jack_get_sample_rate(client)) }
  static func bufferSize(_ client: OpaquePointer) -> Int { Int(jack_get_buffer_size(client)) }

  static func setBufferSize(_ client: OpaquePointer, _ frames: Int) -> Int32 {
    jack_set_buffer_size(client, jack_nframes_t(clamping: frames))
  }

  static func setFreewheel(_ client: OpaquePointer, _ on: Bool) -> Int32 {
    jack_set_freewheel(client, on ? 1 : 0)
  }

  static func recomputeTotalLatencies(_ client: OpaquePointer) -> Int32 {
    jack_recompute_total_latencies(client)
  }

  /// The version of the loaded libjack, in its own words.
  static func version() -> String { String(cString: jack_get_version_string()) }

  // MARK: Callbacks

  static func setProcessCallback(
    _ client: OpaquePointer, _ callback: JackProcessCallback, _ argument: UnsafeMutableRawPointer
  ) -> Int32 {
    jack_set_process_callback(client, callback, argument)
  }

  /// Registers all callbacks of a notice board. Returns the name and the result of the first one that failed.
  static func setNoticeCallbacks(
    _ client: OpaquePointer, _ board: UnsafeMutableRawPointer
  ) -> (call: String, code: Int32)? {
    jack_on_shutdown(client, noticeShutdown, board)
    jack_on_info_shutdown(client, noticeInfoShutdown, board)
    let results = [
      ("jack_set_thread_init_callback", jack_set_thread_init_callback(client, prepareThread, board)),
      ("jack_set_port_registration_callback", jack_set_port_registration_callback(client, noticePort, board)),
      (
        "jack_set_client_registration_callback",
        jack_set_client_registration_callback(client, noticeClient, board)
      ),
      ("jack_set_port_rename_callback", jack_set_port_rename_callback(client, noticeRename, board)),
      ("jack_set_port_connect_callback", jack_set_port_connect_callback(client, noticeConnect, board)),
      ("jack_set_xrun_callback", jack_set_xrun_callback(client, noticeXrun, board)),
      ("jack_set_buffer_size_callback", jack_set_buffer_size_callback(client, noticePeriod, board)),
      ("jack_set_sample_rate_callback", jack_set_sample_rate_callback(client, noticeRate, board)),
      ("jack_set_freewheel_callback", jack_set_freewheel_callback(client, noticeFreewheel, board)),
      ("jack_set_latency_callback", jack_set_latency_callback(client, applyLatencies, board)),
    ]
    return results.first { $0.1 != 0 }.map { (call: $0.0, code: $0.1) }
  }

  /// Sends libjack's messages to our log, for the whole process.
  static func setMessageFunctions() {
    jack_set_error_function(noticeErrorMessage)
    jack_set_info_function(noticeInfoMessage)
  }

  // MARK: Ports

  static func portRegister(_ client: OpaquePointer, _ name: String, _ kind: JackPortKind) -> PortHandle? {
    jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, kind.rawValue, 0).map { PortHandle($0) }
  }

  static func portUnregister(_ client: OpaquePointer, _ port: PortHandle) {
    if let pointer = port.pointer { _ = jack_port_unregister(client, pointer) }
  }

  static func portRename(_ client: OpaquePointer, _ port: PortHandle, _ shortName: String) -> Int32 {
    port.pointer.map { jack_port_rename(client, $0, shortName) } ?? -1
  }

  static func portShortName(_ port: PortHandle) -> String? {
    port.pointer.flatMap { jack_port_short_name($0) }.map { String(cString: $0) }
  }

  static func portName(_ port: PortHandle) -> String? {
    port.pointer.flatMap { jack_port_name($0) }.map { String(cString: $0) }
  }

  /// The full name of a port by its number in a notice; nil if the port is gone.
  static func portName(_ client: OpaquePointer, number: UInt32) -> String? {
    let name = jack_port_by_id(client, number).flatMap { jack_port_name($0) }.map { String(cString: $0) }
    return name?.isEmpty == false ? name : nil
  }

  static func portByName(_ client: OpaquePointer, _ name: String) -> PortHandle? {
    jack_port_by_name(client, name).map { PortHandle($0) }
  }

  /// A port by its full name, and whether this client registered it; nil if the port does not exist.
  static func describe(_ client: OpaquePointer, _ name: String) -> (port: SystemPort, isMine: Bool)? {
    guard let pointer = jack_port_by_name(client, name) else { return nil }
    let kind = JackPortKind(rawValue: UInt(UInt32(bitPattern: jack_port_flags(pointer))))
    let port = SystemPort(
      name: name, aliases: aliases(pointer), isInput: kind.contains(.input),
      isPhysical: kind.contains(.physical), isTerminal: kind.contains(.terminal),
      uuid: jack_port_uuid(pointer))
    return (port, jack_port_is_mine(client, pointer) != 0)
  }

  private static func aliases(_ pointer: OpaquePointer) -> [String] {
    let size = Int(jack_port_name_size())
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2 * size) { buffer in
      buffer.initialize(repeating: 0)
      guard let first = buffer.baseAddress else { return [] }
      return withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<CChar>?.self, capacity: 2) { names in
        names[0] = first
        names[1] = first + size
        let count = Int(jack_port_get_aliases(pointer, names.baseAddress))
        return (0..<max(0, min(2, count))).map { String(cString: first + $0 * size) }
      }
    }
  }

  /// Full names of all audio ports.
  static func getPorts(_ client: OpaquePointer) -> [String] {
    strings(jack_get_ports(client, nil, "audio", 0))
  }

  /// Full names of the ports that a port is connected to; the port may belong to any client.
  static func allConnections(_ client: OpaquePointer, _ port: PortHandle) -> [String] {
    guard let pointer = port.pointer else { return [] }
    return strings(jack_port_get_all_connections(client, pointer))
  }

  private static func strings(
    _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) -> [String] {
    guard let list else { return [] }
    defer { jack_free(list) }
    var names: [String] = []
    while let name = list[names.count] { names.append(String(cString: name)) }
    return names
  }

  // MARK: Connections

  static func connect(_ client: OpaquePointer, _ source: String, _ destination: String) -> Int32 {
    jack_connect(client, source, destination)
  }

  static func disconnect(_ client: OpaquePointer, _ source: String, _ destination: String) -> Int32 {
    jack_disconnect(client, source, destination)
  }

  /// Removes all connections of a port, of any client.
  static func portDisconnect(_ client: OpaquePointer, _ port: PortHandle) {
    if let pointer = port.pointer { _ = jack_port_disconnect(client, pointer) }
  }

  // MARK: Metadata

  static func setProperty(
    _ client: OpaquePointer, _ port: PortHandle, key: String, value: String
  ) {
    guard let pointer = port.pointer else { return }
    _ = jack_set_property(client, jack_port_uuid(pointer), key, value, "text/plain")
  }
}

/// A process callback as libjack calls it: with the period's frames and the client's argument. It always
/// returns 0.
public typealias JackProcessCallback =
  @convention(c) (UInt32, UnsafeMutableRawPointer?) -> Int32
