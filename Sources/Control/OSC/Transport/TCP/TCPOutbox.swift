import ControlInterface
import SystemCalls

/// The open connections, by their numbers, with the bytes that wait to be sent. Used under a lock by the thread of TCP and by those that send.
///
/// Only the thread of TCP opens and closes connections, so that no descriptor is used after its end.
struct TCPOutbox {
  private var lines: [UInt32: Line] = [:]
  private var last: UInt32 = 0
  /// Watches the descriptors of the connections.
  let epoll: Int32

  /// What is sent over a connection.
  private struct Line {
    let descriptor: Int32
    let host: HostAddress
    /// The framing of answers; nil before the client has sent its first byte.
    var framing: Framing?
    /// The bytes that the system has not taken yet, those before `first` excepted.
    var waiting: [UInt8] = []
    var first = 0
    /// Whether the client has left more than `mostBytes` unread.
    var isOverfull = false
    /// Whether the client may still send.
    var isWhole = true
    /// Whether the connection ends as soon as nothing waits.
    var hangsUp = false
  }

  /// The connections whose clients send nothing more, until they are taken.
  private var listening: [UInt32] = []

  /// Greatest number of bytes that wait for a client. A client that leaves more unread is dropped.
  static let mostBytes = 1 << 20
  /// Greatest number of connections, and of those of one host.
  static let (capacity, capacityOfHost) = (256, 64)

  init(epoll: Int32) { self.epoll = epoll }

  /// Why a connection is not taken in.
  enum Refusal: Hashable { case full, fullForHost }

  /// Checks whether there is room for a further connection of a host.
  func refusal(of host: HostAddress) -> Refusal? {
    // One that hangs up is closed in a moment.
    let open = lines.values.lazy.filter { !$0.hangsUp }
    if open.count >= Self.capacity { return .full }
    return open.count { $0.host == host } >= Self.capacityOfHost ? .fullForHost : nil
  }

  /// Takes in a connection, and watches it.
  ///
  /// - Returns: its number.
  mutating func open(_ descriptor: Int32, of host: HostAddress) throws(SystemError) -> UInt32 {
    repeat { last &+= 1 } while last < TCPLines.firstNumber || lines[last] != nil
    try System.epoll_ctl(epoll, watch: descriptor, for: .readable, key: UInt64(last))
    lines[last] = Line(descriptor: descriptor, host: host)
    return last
  }

  /// Closes a connection.
  ///
  /// - Returns: whether its client had left too much unread.
  mutating func close(_ number: UInt32) -> Bool {
    guard let line = lines.removeValue(forKey: number) else { return false }
    System.close(line.descriptor)
    return line.isOverfull
  }

  /// Whether a client has left too much unread. It may still send without end.
  func isOverfull(_ number: UInt32) -> Bool { lines[number]?.isOverfull ?? false }

  /// Whether a connection is open in both directions.
  func isWhole(_ number: UInt32) -> Bool { lines[number]?.isWhole ?? false }

  /// Notes that a client sends nothing more, and waits for nothing from it but the end of the connection.
  mutating func endReading(_ number: UInt32) {
    guard let line = lines[number] else { return }
    lines[number]!.isWhole = false
    listening.append(number)
    watch(number, for: line.waiting.isEmpty ? [] : .writable)
  }

  mutating func takeListening() -> [(number: UInt32, host: HostAddress)] {
    defer { listening = [] }
    return listening.compactMap { number in lines[number].map { (number, $0.host) } }
  }

  /// Ends a connection behind what waits. The thread of TCP then closes it.
  mutating func hangUp(_ number: UInt32) {
    guard let line = lines[number] else { return }
    lines[number]!.hangsUp = true
    if line.waiting.isEmpty { System.shutdown(line.descriptor, .both) }
  }

  mutating func set(_ framing: Framing, of number: UInt32) { lines[number]?.framing = framing }

  /// Sends a packet without waiting. What the system does not take waits until it does.
  mutating func send(_ packet: [UInt8], to number: UInt32) {
    // No copy of the line may be held while it grows: that would copy all bytes that wait.
    guard let framing = lines[number]?.framing, !isOverfull(number) else { return }
    let frame = framing.frame(packet)
    // A frame behind others that wait must not overtake them.
    guard lines[number]!.waiting.isEmpty else { return wait(frame[...], number) }
    let sent = (try? System.send(lines[number]!.descriptor, frame[...], waits: false)) ?? 0
    if sent < frame.count { wait(frame[sent...], number) }
  }

  private mutating func wait(_ bytes: ArraySlice<UInt8>, _ number: UInt32) {
    let isFirst = lines[number]!.waiting.isEmpty
    lines[number]!.waiting += bytes
    guard lines[number]!.waiting.count - lines[number]!.first <= Self.mostBytes else {
      (lines[number]!.isOverfull, lines[number]!.waiting, lines[number]!.first) = (true, [], 0)
      // Wakes the thread of TCP, which closes the connection.
      return System.shutdown(lines[number]!.descriptor, .both)
    }
    if isFirst { watch(number, for: isWhole(number) ? [.readable, .writable] : .writable) }
  }

  /// Sends what waits, as far as the system takes it.
  mutating func flush(_ number: UInt32) {
    guard let line = lines[number], !line.waiting.isEmpty else { return }
    // A failed connection is closed when it is read.
    guard let sent = try? System.send(line.descriptor, line.waiting[line.first...], waits: false) else {
      return
    }
    lines[number]!.first += sent
    guard lines[number]!.first == line.waiting.count else { return compact(number) }
    (lines[number]!.waiting, lines[number]!.first) = ([], 0)
    if line.hangsUp { System.shutdown(line.descriptor, .both) }
    watch(number, for: line.isWhole ? .readable : [])
  }

  /// Removes bytes that are sent, in large steps, because removal at the front costs time.
  private mutating func compact(_ number: UInt32) {
    let first = lines[number]!.first
    guard first > lines[number]!.waiting.count / 2 else { return }
    lines[number]!.waiting.removeFirst(first)
    lines[number]!.first = 0
  }

  private func watch(_ number: UInt32, for events: EpollEvents) {
    guard let descriptor = lines[number]?.descriptor else { return }
    try? System.epoll_ctl(epoll, watch: descriptor, for: events, key: UInt64(number), isKnown: true)
  }

  /// Closes all connections.
  mutating func closeAll() {
    for line in lines.values { System.close(line.descriptor) }
    lines = [:]
  }
}
