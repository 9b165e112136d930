import Synchronization
public import SystemCalls

/// A program that runs as a child of this process. When the last reference goes away, the child is killed.
///
/// Any thread may call it. Once the child's end has been waited for, no function uses its number any more, because the system may give the
/// number to another process.
public final class Child: Sendable {
  /// The process number.
  public let identifier: Int32
  /// Becomes readable when the child has ended.
  public let endDescriptor: Int32
  /// Our ends of the child's standard output and error, which are sockets; -1 where the stream leads
  /// elsewhere.
  public let (output, error): (Int32, Int32)
  private let input: Mutex<Int32>
  private let end = Mutex<ProcessEnd?>(nil)

  /// Starts a program. The caller waits until the program is loaded.
  ///
  /// - Throws: `SystemError` if the system cannot start the program; its subject is the program.
  public init(_ program: ChildProgram) throws(SystemError) {
    var (ours, theirs, temporary): ([Int32], [Int32], [Int32]) = ([], [], [])
    defer { temporary.forEach(System.close) }
    do throws(SystemError) {
      for stream in [program.input, program.output, program.error] {
        var own: Int32 = -1
        switch stream {
        case .nowhere:
          temporary.append(try System.open("/dev/null", .readWrite))
          theirs.append(temporary[temporary.count - 1])
        case .us:
          // A socket rather than a pipe: a write to a socket without a reader need not raise a signal.
          let (left, right) = try System.socketpair()
          temporary.append(right)
          theirs.append(right)
          own = left
        case .output: theirs.append(theirs[1])
        case .descriptor(let descriptor): theirs.append(descriptor)
        }
        ours.append(own)
      }
      identifier = try ChildSpawn.start(program, streams: theirs)
      do throws(SystemError) { endDescriptor = try ChildSpawn.endDescriptor(of: identifier) } catch {
        try? System.kill(identifier, .kill)
        _ = try? System.waitpid(identifier)
        throw error
      }
    } catch {
      ours.forEach(System.close)
      throw error
    }
    input = Mutex(ours[0])
    (output, error) = (ours[1], ours[2])
  }

  deinit {
    kill()
    endInput()
    for descriptor in [output, error, endDescriptor] { System.close(descriptor) }
  }

  // MARK: Its end

  /// Sends a signal, unless the child was already waited for.
  public func send(_ signal: SignalNumber) {
    end.withLock { end in
      if end == nil { try? System.kill(identifier, signal) }
    }
  }

  /// Waits for the child's end and returns how it ended; nil if it still runs when the time is over. Later calls return the same.
  ///
  /// - Parameter milliseconds: the time limit; a negative number means no limit.
  public func wait(milliseconds: Int32 = -1) -> ProcessEnd? {
    if let known = end.withLock(\.self) { return known }
    guard (try? System.poll(endDescriptor, milliseconds: milliseconds)) == true else { return nil }
    return end.withLock { end in
      // If other code has waited for the child, the child has ended as well, but its exit code is lost.
      if end == nil { end = (try? System.waitpid(identifier)) ?? .exited(255) }
      return end
    }
  }

  /// Asks the child to end and waits for it. Kills a child that does not end in time. Calling it again has no effect.
  @discardableResult
  public func end(within milliseconds: Int32) -> ProcessEnd {
    send(.terminate)
    return wait(milliseconds: milliseconds) ?? kill()
  }

  /// Kills the child and waits for it. Calling it again has no effect.
  @discardableResult
  public func kill() -> ProcessEnd {
    send(.kill)
    return wait() ?? .killed(by: .kill)
  }

  // MARK: Its streams

  /// Writes to the child's standard input, if that leads to us. Returns false if the child no longer reads.
  public func write(_ bytes: [UInt8]) -> Bool {
    input.withLock { input in
      var rest = bytes[...]
      while !rest.isEmpty {
        guard let count = try? System.send(input, rest, waits: true) else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Closes the child's standard input. Calling it again has no effect.
  public func endInput() {
    input.withLock { input in
      System.close(input)
      input = -1
    }
  }

  /// Reads the child's standard output, if that leads to us, until the child closes it. Returns nil if that
  /// takes too long or is more than the limit.
  ///
  /// - Parameters:
  ///   - limit: the most bytes.
  ///   - seconds: the time limit.
  public func readOutput(limit: Int, seconds: Double) -> [UInt8]? {
    let end = ContinuousClock.now + .seconds(seconds)
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      let rest = max(.zero, end - ContinuousClock.now) / .milliseconds(1)
      guard (try? System.poll(output, milliseconds: Int32(rest.rounded(.up)))) == true,
        let more = try? System.recv(output, count: 1 << 16)
      else { return nil }
      if more.isEmpty { return bytes }
      bytes += more
    }
    return nil
  }
}
