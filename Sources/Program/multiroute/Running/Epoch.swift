import SystemCalls

/// A number that differs between two runs of the router.
enum Epoch {
  static var now: Int32 { Int32(truncatingIfNeeded: System.time()) & .max }
}
