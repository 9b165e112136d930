extension OwnThread {
  /// Runs `body`, which may wait without end, on a thread of its own, and waits for its end, but at most so many seconds. The thread goes on
  /// alone if the time is over.
  ///
  /// - Parameter name: of the thread, as seen in `top -H`, at most 15 bytes.
  /// - Returns: whether `body` has ended.
  public static func run(
    _ name: String, within seconds: Double, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let end = Semaphore()
    OwnThread(name) {
      body()
      end.signal()
    }.detach()
    return end.wait(seconds: seconds)
  }
}
