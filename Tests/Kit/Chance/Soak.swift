import Foundation

/// How much a test tries: a part in `make test`, and all of it in `make soak`.
public enum Soak {
  /// Whether `make soak` runs.
  public static let isRunning = ProcessInfo.processInfo.environment["MULTIROUTE_SOAK"] != nil

  /// - Returns: the part in `make test`, and all in `make soak`.
  public static func count<Number: BinaryInteger>(_ part: Number, of all: Number) -> Number {
    isRunning ? all : part
  }
}
