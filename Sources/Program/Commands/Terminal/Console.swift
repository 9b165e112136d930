import SystemCalls

/// The output of a command: data on standard output, messages for people on standard error.
///
/// Any thread may write. Each call makes one system call, so the lines of several threads do not mix.
public struct Console: Sendable {
  /// One of the two streams.
  public enum Stream: Sendable { case output, error }

  /// The properties of the place where a stream ends.
  public struct Screen: Sendable {
    /// Whether the stream shows colour.
    public var isColoured: Bool
    /// Whether the stream is a terminal, which can be redrawn.
    public var isTerminal: Bool
    /// Width in columns.
    public var width: Int

    public init(isColoured: Bool = false, isTerminal: Bool = false, width: Int = 80) {
      (self.isColoured, self.isTerminal, self.width) = (isColoured, isTerminal, width)
    }
  }

  public let output: Screen
  public let error: Screen
  private let sink: @Sendable (Stream, [UInt8]) -> Void

  /// Makes a console that writes through a given function.
  public init(
    output: Screen = Screen(), error: Screen = Screen(),
    bytes sink: @escaping @Sendable (Stream, [UInt8]) -> Void
  ) {
    (self.output, self.error, self.sink) = (output, error, sink)
  }

  /// Makes a console that writes text through a given function.
  public init(
    output: Screen = Screen(), error: Screen = Screen(), sink: @escaping @Sendable (Stream, String) -> Void
  ) {
    self.init(output: output, error: error, bytes: { sink($0, String(decoding: $1, as: UTF8.self)) })
  }

  /// The streams of this process.
  ///
  /// Only terminals show colour, and only if `NO_COLOR` is empty or unset (https://no-color.org) and `TERM` is not `dumb`.
  public static func process(_ environment: Environment) -> Console {
    let mayColour = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    func screen(_ descriptor: Int32) -> Screen {
      let isTerminal = System.isatty(descriptor)
      let columns = System.terminalColumns(descriptor) ?? 0
      return Screen(
        isColoured: isTerminal && mayColour, isTerminal: isTerminal,
        width: columns >= 60 ? columns : 80)
    }
    return Console(
      output: screen(System.standardOutput), error: screen(System.standardError),
      bytes: { stream, bytes in
        // If the reader has gone, the rest is dropped.
        try? System.writeAll(stream == .output ? System.standardOutput : System.standardError, bytes)
      })
  }

  /// The same console, with the time of day before each line for a person.
  public func timed(by clock: @escaping @Sendable () -> String) -> Console {
    Console(
      output: output, error: error,
      bytes: { [sink] stream, bytes in
        sink(stream, stream == .error ? Array("\(clock()) ".utf8) + bytes : bytes)
      })
  }

  /// Writes a line of data.
  public func print(_ line: String) { write(line + "\n") }

  /// Writes text to standard output, without a newline.
  public func write(_ text: String) { sink(.output, Array(text.utf8)) }

  /// Writes a file to standard output.
  public func write(_ bytes: [UInt8]) { sink(.output, bytes) }

  /// Writes a line for a person.
  public func tell(_ line: String) { draw(line + "\n") }

  /// Writes text to standard error without a newline, for instance a progress bar.
  public func draw(_ text: String) { sink(.error, Array(text.utf8)) }

  /// Text in a style, if the stream shows styles.
  public func styled(_ text: String, _ style: Style, on stream: Stream = .output) -> String {
    (stream == .output ? output : error).isColoured && !text.isEmpty
      ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Styles of text. The raw value is the code for terminals (ECMA-48, SGR).
  public enum Style: Int, Sendable {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
  }
}
