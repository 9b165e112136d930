import ControlInterface

/// The open WebSockets, by their numbers, with the frames that wait to be sent. Used under a lock by the thread of the web server, which alone
/// opens and closes them, and by those that send.
struct WebSocketOutbox {
  private var lines: [UInt32: Line] = [:]
  private var last: UInt32 = 0
  /// The connections for which something has begun to wait, until they are taken.
  private var ready: [UInt32] = []
  /// The connections that have lost feedback and have read all that waited, until they are taken.
  private var resumed: [UInt32] = []
  /// The number of packets that were lost because their clients did not read.
  private(set) var lost = 0

  /// What is sent over a connection.
  private struct Line {
    let host: HostAddress
    /// The bytes that the web server has not taken yet, those before `first` excepted.
    var waiting: [UInt8] = []
    var first = 0
    /// Whether the web server knows that something waits.
    var isReady = false
    /// Whether feedback was lost since nothing waited.
    var hasLosses = false
    var isOverfull = false
  }

  /// Greatest number of bytes that wait for a client before its feedback is lost.
  static let mostFeedback = 128 << 10
  /// Greatest number of bytes that wait for a client: beside the feedback, the answers to one packet have room.
  static let mostBytes = 384 << 10

  /// The numbers of all connections, with their hosts.
  var all: [(number: UInt32, host: HostAddress)] { lines.map { ($0.key, $0.value.host) } }

  func has(_ number: UInt32) -> Bool { lines[number] != nil }

  /// Takes in a connection.
  ///
  /// - Returns: its number.
  mutating func open(_ host: HostAddress) -> UInt32 {
    repeat { last &+= 1 } while lines[last] != nil
    lines[last] = Line(host: host)
    return last
  }

  /// Forgets a connection.
  ///
  /// - Returns: whether its client had left too many answers unread, and whether it had lost feedback that it has not read up to since.
  mutating func close(_ number: UInt32) -> (wasOverfull: Bool, hadLosses: Bool) {
    let line = lines.removeValue(forKey: number)
    return (line?.isOverfull ?? false, line?.hasLosses ?? false)
  }

  /// Lets frames wait. Feedback for which there is no room is lost.
  ///
  /// - Returns: whether the thread of the web server must be woken, and whether this is the first loss of a client that does not read.
  mutating func send(
    _ frames: [UInt8], isFeedback: Bool, to number: UInt32
  ) -> (mustWake: Bool, isFirstLoss: Bool) {
    guard let line = lines[number], !line.isOverfull else { return (false, false) }
    let count = line.waiting.count - line.first + frames.count
    if isFeedback, count > Self.mostFeedback {
      lost += 1
      lines[number]!.hasLosses = true
      return (false, !line.hasLosses)
    }
    if count > Self.mostBytes {
      (lines[number]!.isOverfull, lines[number]!.waiting, lines[number]!.first) = (true, [], 0)
    } else {
      // No copy of the line may be held while it grows: that would copy all bytes that wait.
      append(frames, number)
    }
    guard !line.isReady else { return (false, false) }
    lines[number]!.isReady = true
    ready.append(number)
    return (ready.count == 1, false)
  }

  private mutating func append(_ frames: [UInt8], _ number: UInt32) { lines[number]!.waiting += frames }

  mutating func takeReady() -> [UInt32] {
    defer { ready = [] }
    return ready
  }

  func isOverfull(_ number: UInt32) -> Bool { lines[number]?.isOverfull ?? false }

  /// Takes the next bytes of a connection.
  ///
  /// - Returns: the bytes, whether more waits, and whether a client that has lost feedback gets it again.
  mutating func next(
    _ number: UInt32, most: Int
  ) -> (bytes: ArraySlice<UInt8>, hasMore: Bool, hasResumed: Bool) {
    guard let line = lines[number] else { return ([], false, false) }
    let bytes = line.waiting[line.first..<min(line.waiting.count, line.first + most)]
    guard bytes.endIndex == line.waiting.count else {
      lines[number]!.first = bytes.endIndex
      // A client that never quite catches up must not have kept for it what it has read.
      if bytes.endIndex > Self.mostBytes {
        lines[number]!.waiting.removeFirst(bytes.endIndex)
        lines[number]!.first = 0
      }
      return (bytes, true, false)
    }
    (lines[number]!.waiting, lines[number]!.first, lines[number]!.isReady) = ([], 0, false)
    if line.hasLosses {
      lines[number]!.hasLosses = false
      if !resumed.contains(number) { resumed.append(number) }
    }
    return (bytes, false, line.hasLosses)
  }

  mutating func takeResumed() -> [(number: UInt32, host: HostAddress)] {
    defer { resumed = [] }
    return resumed.compactMap { number in lines[number].map { (number, $0.host) } }
  }
}
